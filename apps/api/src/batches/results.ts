import { Readable } from 'node:stream'
import type { BatchContact } from '@parley/contract'
import { eq } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import Papa from 'papaparse'
import type { Reader } from '../platform/db.ts'
import { findBatch, readContacts } from './read.ts'
import { batchContact, type BatchRecord } from './schema.ts'

const ROWS_AT_ONCE = 500

/** Every contact of a list and what came of it, written while it is read: no list is too long for it. */
export async function sendResults(
  reader: Reader,
  reply: FastifyReply,
  { userId, batchId, format }: { readonly userId: string; readonly batchId: string; readonly format: 'csv' | 'json' },
): Promise<FastifyReply> {
  const row = await findBatch(reader, userId, batchId)
  const contacts = allContacts(reader, batchId)
  const text = format === 'csv' ? toCsv(row, contacts) : toJson(contacts)
  return sendFile(reply, `${fileNameOf(row)}-results.${format}`, format === 'csv' ? 'text/csv' : 'application/json', text)
}

/** The rows that are not called: row, number and reason. */
export async function sendDropped(reader: Reader, reply: FastifyReply, userId: string, batchId: string): Promise<FastifyReply> {
  const row = await findBatch(reader, userId, batchId)
  async function* lines() {
    yield csvLine(['row', 'phone', 'reason'])
    const dropped = eq(batchContact.status, 'dropped')
    for await (const contact of allContacts(reader, batchId, dropped)) yield csvLine([contact.row, contact.phone, contact.code])
  }
  return sendFile(reply, `${fileNameOf(row)}-dropped.csv`, 'text/csv', lines())
}

function sendFile(reply: FastifyReply, fileName: string, type: string, text: AsyncIterable<string>): FastifyReply {
  return reply.type(`${type}; charset=utf-8`).header('content-disposition', `attachment; filename="${fileName}"`).send(Readable.from(text))
}

function fileNameOf({ name }: BatchRecord): string {
  return name.replaceAll(/[^\w-]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'batch'
}

async function* allContacts(reader: Reader, batchId: string, status?: ReturnType<typeof eq>): AsyncGenerator<BatchContact> {
  for (let afterRow = -1; ;) {
    const contacts = await readContacts(reader, batchId, { limit: ROWS_AT_ONCE, afterRow, status })
    yield* contacts
    const last = contacts.at(-1)
    if (!last) return
    afterRow = last.row
  }
}

async function* toJson(contacts: AsyncIterable<BatchContact>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const contact of contacts) {
    yield before + JSON.stringify(contact)
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

const KNOWN = ['row', 'phone', 'name', 'status', 'reason', 'attempts', 'call', 'ended', 'seconds', 'credits', 'summary'] as const

/** A column for each objective and its quote, then those of the file. */
async function* toCsv({ plan, columns }: BatchRecord, contacts: AsyncIterable<BatchContact>): AsyncGenerator<string> {
  const objectives = plan.objectives.flatMap((objective) => [objective, `${objective}: quote`])
  const others = columns.filter((column) => !['phone', 'name'].includes(column.toLowerCase()))
  yield csvLine([...KNOWN, ...objectives, ...others])
  for await (const contact of contacts) {
    const { row, phone, callee, name, status, code, attempts, callId, phase, durationSeconds, creditsCharged, summary } = contact
    const answers = plan.objectives.flatMap((_, index) => {
      const outcome = contact.outcomes[index]
      return [outcome?.status ?? '', outcome?.quote ?? '']
    })
    const known = [row, callee ?? phone, name, status, code, attempts, callId, phase, durationSeconds, creditsCharged, summary]
    yield csvLine([...known, ...answers, ...others.map((column) => contact.context[column])])
  }
}

/** Cells that a spreadsheet would run are made inert; numbers and phone numbers stay as they are. */
function csvLine(cells: readonly unknown[]): string {
  return `${Papa.unparse([cells.map(inert)], { header: false })}\r\n`
}

const RUNS = /^[=+\-@\t\r]/
const NUMBER = /^[+-]?\d[\d\s().]*$/

function inert(cell: unknown): string {
  const text = cell == null ? '' : typeof cell === 'string' ? cell : JSON.stringify(cell)
  return RUNS.test(text) && !NUMBER.test(text) ? `'${text}` : text
}
