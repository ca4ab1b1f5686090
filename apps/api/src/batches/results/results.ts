import { Readable } from 'node:stream'
import { type BatchContact, fillVariables, type Outcome } from '@parley/contract'
import { and, eq, gt, type SQL } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import { csvLine } from '../../platform/csv.ts'
import type { Reader } from '../../platform/db.ts'
import { findBatch, readContacts } from '../read.ts'
import { batchContact, type BatchRecord } from '../schema.ts'
import { withMapped } from '../intake/variables.ts'
import { valueText } from './value-text.ts'

const ROWS_AT_ONCE = 500

/** Streams every contact of a batch with its results as CSV, so that memory stays bounded. */
export async function sendResults(
  reader: Reader,
  reply: FastifyReply,
  { userId, batchId, format }: { readonly userId: string; readonly batchId: string; readonly format: 'csv' | 'json' },
): Promise<FastifyReply> {
  const row = await findBatch(reader, userId, batchId)
  const contacts = allContacts(reader, batchId)
  const text = format === 'csv' ? toCsv(row, contacts) : toJson(contacts)
  return sendFile(
    reply,
    `${fileNameOf(row)}-results.${format}`,
    format === 'csv' ? 'text/csv' : 'application/json',
    text,
  )
}

/** Streams the dropped rows as CSV: row, phone, reason. */
export async function sendDropped(
  reader: Reader,
  reply: FastifyReply,
  userId: string,
  batchId: string,
): Promise<FastifyReply> {
  const row = await findBatch(reader, userId, batchId)
  async function* lines() {
    yield csvLine(['row', 'phone', 'reason'])
    const dropped = eq(batchContact.status, 'dropped')
    for await (const contact of allContacts(reader, batchId, dropped))
      yield csvLine([contact.row, contact.phone, contact.code])
  }
  return sendFile(reply, `${fileNameOf(row)}-dropped.csv`, 'text/csv', lines())
}

function sendFile(reply: FastifyReply, fileName: string, type: string, text: AsyncIterable<string>): FastifyReply {
  return reply
    .type(`${type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(Readable.from(text))
}

function fileNameOf({ name }: BatchRecord): string {
  return name.replaceAll(/[^\w-]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'batch'
}

async function* allContacts(reader: Reader, batchId: string, status?: SQL): AsyncGenerator<BatchContact> {
  for (let afterRow = -1; ;) {
    const contacts = await readContacts(reader, batchId, {
      limit: ROWS_AT_ONCE,
      wanted: and(gt(batchContact.row, afterRow), status),
    })
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

const KNOWN = [
  'row',
  'phone',
  'name',
  'status',
  'reason',
  'attempts',
  'call',
  'ended',
  'end reason',
  'seconds',
  'credits',
  'summary',
] as const

/**
 * Columns: status, quote, offer and value of each objective, those of the file, and other objectives (the contact's own, or
 * those before a change of the plan).
 */
async function* toCsv({ plan, columns }: BatchRecord, contacts: AsyncIterable<BatchContact>): AsyncGenerator<string> {
  const objectives = plan.objectives.flatMap((objective) => [
    objective,
    `${objective}: quote`,
    `${objective}: offer`,
    `${objective}: value`,
  ])
  const others = columns.filter((column) => !['phone', 'name'].includes(column.toLowerCase()))
  yield csvLine([...KNOWN, ...objectives, ...others, 'other objectives'])
  for await (const contact of contacts) {
    const { row, phone, callee, name, status, code, attempts, callId, phase, endReason, summary } = contact
    const values = withMapped(contact.context, { name, phone })
    const left = new Set(contact.outcomes)
    const answers = plan.objectives.flatMap((objective) => {
      const asked = fillVariables(objective, values)
      const outcome = contact.outcomes.find((each) => each.objective === asked)
      if (outcome) left.delete(outcome)
      return [outcome?.status ?? '', outcome?.quote ?? '', outcome?.offer ?? '', valueText(outcome?.value)]
    })
    const ended = [phase, endReason, contact.durationSeconds, contact.creditsCharged, summary]
    const known = [row, callee ?? phone, name, status, code, attempts, callId, ...ended]
    yield csvLine([
      ...known,
      ...answers,
      ...others.map((column) => contact.context[column]),
      [...left].map(inWords).join('; '),
    ])
  }
}

function inWords({ objective, status, quote, offer, value }: Outcome): string {
  const more = [offer, valueText(value)].filter(Boolean).join(', ')
  return `${objective}: ${status}${more ? ` (${more})` : ''}${quote === null ? '' : ` "${quote}"`}`
}
