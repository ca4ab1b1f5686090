import { BATCH_FILE_MAX_BYTES, consentRoutes, type DoNotCallImport, PHONE_COLUMNS } from '@parley/contract'
import type { Readable } from 'node:stream'
import type { Floor } from '../floor.ts'
import { type Tx, withTx } from '../platform/db.ts'
import { AppError } from '../platform/errors.ts'
import { fileOf, type Router } from '../platform/http.ts'
import { formatOf, type ListRow, readList } from '../platform/lists.ts'
import { forgetOldAudit } from './audit.ts'
import { addDoNotCall, listDoNotCall, readDoNotCall, removeDoNotCall } from './do-not-call.ts'
import { toListNumber } from './numbers.ts'

/** What later rooms do when numbers join the list, in the transaction that writes them. */
interface ConsentHooks {
  listed(tx: Tx, userId: string, phones: readonly string[]): Promise<void>
}

export interface ConsentRoom extends Floor {
  /** Filled by the rooms that are built later. */
  readonly consentHooks: ConsentHooks[]
}

const SWEEP_EVERY_MS = 24 * 3_600_000
const ROWS_AT_ONCE = 500
const DROPPED_TOLD_MAX = 100

export function createConsent(floor: Floor): ConsentRoom {
  floor.jobs.every('consent.sweep', SWEEP_EVERY_MS, () => forgetOldAudit(floor.db))
  return { ...floor, consentHooks: [] }
}

export function registerConsent({ route }: Router, room: ConsentRoom): void {
  const { db } = room
  route(consentRoutes.list, ({ actor, query }) => listDoNotCall(db, actor.userId, query))
  route(consentRoutes.add, async ({ actor, body }) => {
    const phone = wholeNumber(body.phone)
    await withTx(db, (tx) => addAll(room, tx, actor.userId, [phone], 'account'))
    return readDoNotCall(db, actor.userId, phone)
  })
  route(consentRoutes.import, ({ actor, query, request }) => importNumbers(room, actor.userId, query.fileName, fileOf(request)))
  route(consentRoutes.remove, async ({ actor, params, query }) => {
    await withTx(db, (tx) => removeDoNotCall(tx, actor.userId, wholeNumber(params.phone), query.permission))
    return { message: 'The number may be called again.' }
  })
}

function wholeNumber(typed: string): string {
  const phone = toListNumber(typed)
  if (phone === undefined) {
    const message = 'This is not a phone number. Enter the full phone number including country code, such as +1 415 555 0100.'
    throw new AppError('number_invalid', message, { field: 'phone' })
  }
  return phone
}

/** How many of them are new on the list. */
async function addAll(
  { consentHooks }: ConsentRoom,
  tx: Tx,
  userId: string,
  phones: readonly string[],
  source: 'account' | 'imported',
): Promise<number> {
  let added = 0
  for (const phone of phones) if (await addDoNotCall(tx, { userId, phone, source })) added++
  for (const hook of consentHooks) await hook.listed(tx, userId, phones)
  return added
}

async function importNumbers(room: ConsentRoom, userId: string, fileName: string, stream: Readable): Promise<DoNotCallImport> {
  const result = { added: 0, known: 0, dropped: [] as DoNotCallImport['dropped'] }
  let phones = new Set<string>()
  const keep = async () => {
    const added = await withTx(room.db, (tx) => addAll(room, tx, userId, [...phones], 'imported'))
    result.added += added
    result.known += phones.size - added
    phones = new Set()
  }
  for await (const line of readList({ format: formatOf(fileName), stream, maxBytes: BATCH_FILE_MAX_BYTES })) {
    const typed = phoneIn(line)
    const phone = toListNumber(typed)
    if (phone !== undefined) phones.add(phone)
    else if (result.dropped.length < DROPPED_TOLD_MAX) {
      result.dropped.push({ row: line.row, phone: typed, code: typed === '' ? 'number_missing' : 'number_invalid' })
    }
    if (phones.size >= ROWS_AT_ONCE) await keep()
  }
  await keep()
  return result
}

/** From the column of phone numbers, or from the first one where none is called so. */
function phoneIn({ fields }: ListRow): string {
  const column = PHONE_COLUMNS.find((each) => Object.hasOwn(fields, each)) ?? Object.keys(fields)[0]
  const value = column === undefined ? undefined : fields[column]
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}
