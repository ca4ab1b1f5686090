import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { TextDecoder } from 'node:util'
import { BATCH_FILE_UNREADABLE } from '@parley/contract'
import Papa from 'papaparse'
import { LIST_ROW_MAX_CHARS, tooLarge } from './bounds.ts'
import { AppError } from '../errors.ts'
import { splitJson } from './split-json.ts'

// Reads uploaded lists of contacts as a stream, with only a few rows in memory.

/** A row of a list: its number as in a spreadsheet (the header is 1), or its index in JSON from 1. */
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

/** By file name only: browsers disagree about the type of a .csv file. */
export function formatOf(fileName: string): 'csv' | 'json' {
  if (/\.csv$/i.test(fileName)) return 'csv'
  if (/\.json$/i.test(fileName)) return 'json'
  throw unreadable()
}

function unreadable(cause?: unknown): AppError {
  return new AppError('invalid_input', BATCH_FILE_UNREADABLE, { field: 'file', cause })
}

export async function* readList({ format, stream, maxBytes }: ListFile): AsyncGenerator<ListRow> {
  const text = textOf(stream, maxBytes)
  if (format === 'csv') yield* readCsv(text)
  else yield* readJson(text)
}

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark; anything else is read as windows-1252, as older spreadsheets write.
 */
async function* textOf(stream: Readable, maxBytes: number): AsyncGenerator<string> {
  let decoder: Decoder | undefined
  let bytes = 0
  // Keeps the stream open after a refusal: the sender reads the response only after sending all.
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLarge(maxBytes, 'file')
    decoder ??= new Decoder(encodingOf(chunk))
    const text = decoder.take(chunk)
    // Binary files, such as workbooks, with the wrong name.
    if (text.includes('\0')) throw unreadable()
    yield text
  }
  yield decoder?.end() ?? ''
}

const LATIN = 'windows-1252'

/** Switches to windows-1252 (a superset of Latin-1) at the first byte invalid in UTF-8. */
class Decoder {
  #decoder: TextDecoder
  /** The first bytes of a character that the next chunk continues. */
  #begun: Buffer = Buffer.alloc(0)

  constructor(encoding: string) {
    this.#decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' })
  }

  take(part: Buffer): string {
    const begun = this.#decoder.fatal ? unfinished(part) : 0
    try {
      const text = this.#decoder.decode(part, { stream: true })
      this.#begun = part.subarray(part.length - begun)
      return text
    } catch {
      return this.#asLatin(part)
    }
  }

  end(): string {
    try {
      return this.#decoder.decode()
    } catch {
      return this.#asLatin(Buffer.alloc(0))
    }
  }

  #asLatin(part: Buffer): string {
    this.#decoder = new TextDecoder(LATIN)
    return this.#decoder.decode(Buffer.concat([this.#begun, part]), { stream: true })
  }
}

/** Number of trailing bytes of an incomplete UTF-8 character. */
function unfinished(part: Buffer): number {
  for (let back = 1; back <= Math.min(3, part.length); back++) {
    const byte = part[part.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0
  }
  return 0
}

function encodingOf(beginning: Buffer): string {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) return 'utf-16le'
  if (beginning[0] === 0xfe && beginning[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}

/** A phone number is no column name: then the list has no header row. */
const PHONE_LIKE = /^(?=(?:\D*\d){7})(?:\+|00)?[\d\s()./-]{7,24}$/

/**
 * RFC 4180 with any line ends, and commas, semicolons or tabs. The first line names the columns; empty lines are
 * skipped.
 */
async function* readCsv(text: AsyncIterable<string>): AsyncGenerator<ListRow> {
  let columns: readonly string[] | undefined
  let row = 0
  for await (const records of wholeRecords(text)) {
    for (const line of records) {
      row++
      const cells = line.map((cell) => cell.trim())
      if (cells.every((cell) => cell === '')) continue
      const isHead = columns === undefined && !cells.some((cell) => PHONE_LIKE.test(cell))
      columns ??= columnNames(isHead ? cells : namesWithout(cells))
      if (!isHead)
        yield { row, fields: Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])) }
    }
  }
  if (!columns) throw unreadable()
}

/** Column names of a list without a header. */
function namesWithout(cells: readonly string[]): string[] {
  const phone = cells.findIndex((cell) => PHONE_LIKE.test(cell))
  return cells.map((_, index) => (index === phone ? 'phone' : ''))
}

/** Enough to detect the delimiter. */
const GUESSED_FROM_CHARS = 4096
const GUESSED_FROM_LINES = 10
/** Most common first. */
const DELIMITERS = [',', ';', '\t', '|']
/** A line that some spreadsheets write before the header. */
const DELIMITER_TOLD = /^sep=(.)\n/

/** Parses by chunk: the parser's own streaming takes 0.25 ms per row, a hundred times longer. */
async function* wholeRecords(text: AsyncIterable<string>): AsyncGenerator<string[][]> {
  let pending = ''
  let delimiter: string | undefined
  for await (const part of withPlainLines(text)) {
    pending += part
    if (delimiter === undefined && pending.length < GUESSED_FROM_CHARS) continue
    if (delimiter === undefined) ({ delimiter, pending } = begun(pending))
    const { records, rest } = whole(pending, delimiter)
    // Usually an unclosed quote.
    if (rest.length > LIST_ROW_MAX_CHARS) throw unreadable()
    if (records.length > 0) yield records
    pending = rest
  }
  if (delimiter === undefined) ({ delimiter, pending } = begun(pending))
  const { data, errors } = Papa.parse<string[]>(pending, { delimiter, newline: '\n' })
  if (errors.some(({ code }) => code === 'MissingQuotes')) throw unreadable(errors)
  yield data
}

/** The delimiter, and the text without a leading `sep=` line. */
function begun(text: string): { readonly delimiter: string; readonly pending: string } {
  const told = DELIMITER_TOLD.exec(text)
  if (told?.[1] !== undefined) return { delimiter: told[1], pending: text.slice(told[0].length) }
  const { meta } = Papa.parse(text.slice(0, GUESSED_FROM_CHARS), {
    delimitersToGuess: DELIMITERS,
    newline: '\n',
    preview: GUESSED_FROM_LINES,
    skipEmptyLines: 'greedy',
  })
  return { delimiter: meta.delimiter, pending: text }
}

/** Splits into complete records and the text of an incomplete one. */
function whole(text: string, delimiter: string): { readonly records: string[][]; readonly rest: string } {
  // The parser removes the byte order mark and counts positions without it.
  const counted = text.startsWith(Papa.BYTE_ORDER_MARK) ? text.slice(Papa.BYTE_ORDER_MARK.length) : text
  const records: string[][] = []
  let end = 0
  let next = 0
  Papa.parse<string[]>(counted, {
    delimiter,
    newline: '\n',
    step: ({ data, meta }) => {
      records.push(data)
      end = next
      next = meta.cursor
    },
  })
  return { records: records.slice(0, -1), rest: counted.slice(end) }
}

/** Normalises line ends to \n, also a \r\n split between chunks. */
async function* withPlainLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let held = ''
  for await (const part of text) {
    const whole = held + part
    held = whole.endsWith('\r') ? '\r' : ''
    yield whole.slice(0, whole.length - held.length).replaceAll(/\r\n?/g, '\n')
  }
  if (held !== '') yield '\n'
}

/** Makes names unique: a second "phone" becomes "phone 2", an empty one "column 3". */
function columnNames(cells: readonly string[]): string[] {
  if (cells.length > COLUMNS_MAX) throw unreadable()
  const names: string[] = []
  for (const [index, cell] of cells.entries()) {
    const wanted = cell === '' || cell === '__proto__' ? `column ${index + 1}` : cell
    let name = wanted
    for (let again = 2; names.includes(name); again++) name = `${wanted} ${again}`
    names.push(name)
  }
  return names
}

/** An array of objects; any other element is a row without fields. */
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

/** Passes text through and hashes it. */
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
