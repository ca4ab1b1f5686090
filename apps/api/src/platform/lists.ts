import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { TextDecoder } from 'node:util'
import { BATCH_FILE_UNREADABLE } from '@parley/contract'
import Papa from 'papaparse'
import { AppError } from './errors.ts'
import { splitJson } from './split-json.ts'

// Lists of contacts as people upload them, read while they come in: never more than a few rows are in memory.

/** A line of a list: its number as a spreadsheet counts (its head is 1), or its place in JSON from 1. */
export interface ListRow {
  readonly row: number
  readonly fields: Readonly<Record<string, unknown>>
}

export interface ListFile {
  readonly format: 'csv' | 'json'
  readonly stream: Readable
  readonly maxBytes: number
}

const COLUMNS_MAX = 200

/** By its name alone: browsers disagree about the type of a .csv file. */
export function formatOf(fileName: string): 'csv' | 'json' {
  if (/\.csv$/i.test(fileName)) return 'csv'
  if (/\.json$/i.test(fileName)) return 'json'
  throw unreadable()
}

export function unreadable(cause?: unknown): AppError {
  return new AppError('invalid_input', BATCH_FILE_UNREADABLE, { field: 'file', cause })
}

export async function* readList({ format, stream, maxBytes }: ListFile): AsyncGenerator<ListRow> {
  const text = textOf(stream, maxBytes)
  if (format === 'csv') yield* readCsv(text)
  else yield* readJson(text)
}

/** UTF-8, or UTF-16 where a mark at its beginning says so, without the mark. */
async function* textOf(stream: Readable, maxBytes: number): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new AppError('too_large', `The file may have at most ${Math.floor(maxBytes / 1024 / 1024)} MB.`)
    decoder ??= new TextDecoder(encodingOf(chunk))
    const text = decoder.decode(chunk, { stream: true })
    // Workbooks and other files that only have the right name.
    if (text.includes('\0')) throw unreadable()
    yield text
  }
  yield decoder?.decode() ?? ''
}

function encodingOf(beginning: Buffer): string {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) return 'utf-16le'
  if (beginning[0] === 0xfe && beginning[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}

/** RFC 4180: quotes, CRLF, commas, semicolons or tabs. The first line has the names of the columns; empty lines are nothing. */
async function* readCsv(text: AsyncIterable<string>): AsyncGenerator<ListRow> {
  const parser = Papa.parse(Papa.NODE_STREAM_INPUT, { skipEmptyLines: false })
  const feeding = feed(parser, text)
  // What feeding throws is thrown again below; until then nobody else would hear of it.
  feeding.catch((error: unknown) => parser.destroy(error instanceof Error ? error : new Error(String(error))))
  let columns: readonly string[] | undefined
  let row = 0
  let spansLines = false
  try {
    for await (const line of parser as AsyncIterable<unknown>) {
      row++
      const cells = (Array.isArray(line) ? line : []).map((cell) => String(cell).trim())
      spansLines = cells.some((cell) => cell.includes('\n'))
      if (cells.every((cell) => cell === '')) continue
      if (columns) yield { row, fields: Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])) }
      else columns = columnNames(cells)
    }
  } catch (error) {
    throw error instanceof AppError ? error : unreadable(error)
  }
  const quotes = await feeding
  // A quote that was never closed has swallowed the rest of the file.
  if (!columns || (quotes % 2 === 1 && spansLines)) throw unreadable()
}

/** Answers how many quotes there were. */
async function feed(parser: NodeJS.WritableStream, text: AsyncIterable<string>): Promise<number> {
  let quotes = 0
  for await (const part of text) {
    for (let at = part.indexOf('"'); at !== -1; at = part.indexOf('"', at + 1)) quotes++
    if (part !== '' && !parser.write(part)) await new Promise((resolve) => parser.once('drain', resolve))
  }
  parser.end()
  return quotes
}

/** Each name once: a second "phone" is "phone 2", one without a name is "column 3". */
function columnNames(cells: readonly string[]): string[] {
  if (cells.length > COLUMNS_MAX) throw unreadable()
  const names: string[] = []
  for (const [index, cell] of cells.entries()) {
    const wanted = cell === '' ? `column ${index + 1}` : cell
    let name = wanted
    for (let again = 2; names.includes(name); again++) name = `${wanted} ${again}`
    names.push(name)
  }
  return names
}

/** An array of objects; anything else in it is a row without fields. */
async function* readJson(text: AsyncIterable<string>): AsyncGenerator<ListRow> {
  let row = 0
  try {
    for await (const { element } of splitJson(text)) {
      if (element === undefined) continue
      const isObject = typeof element === 'object' && element !== null && !Array.isArray(element)
      yield { row: ++row, fields: isObject ? Object.fromEntries(Object.entries(element)) : {} }
    }
  } catch (error) {
    throw error instanceof AppError && error.code === 'invalid_json' ? unreadable(error) : error
  }
}

/** Passes text on and remembers what it was. */
export function hashing(text: AsyncIterable<string>): { readonly text: AsyncIterable<string>; digest(): string } {
  const hash = createHash('sha256')
  async function* pass(): AsyncGenerator<string> {
    for await (const part of text) {
      hash.update(part)
      yield part
    }
  }
  return { text: pass(), digest: () => hash.digest('hex') }
}

export function textOfBody(stream: Readable, maxBytes: number): AsyncIterable<string> {
  return textOf(stream, maxBytes)
}
