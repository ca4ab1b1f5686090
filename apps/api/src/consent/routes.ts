import {
  LIST_FILE_MAX_BYTES,
  BATCH_ROWS_MAX,
  consentRoutes,
  type DoNotCallImport,
  PHONE_COLUMNS,
} from '@parley/contract'
import type { Readable } from 'node:stream'
import { e164Of } from '../contacts/index.ts'
import { type Db, withTx } from '../platform/db.ts'
import { AppError } from '../platform/errors.ts'
import { createHooks, type Hooks } from '../platform/hooks.ts'
import { fileOf, type Router } from '../platform/http.ts'
import { formatOf, type ListRow, readList } from '../platform/requests/lists.ts'
import { addDoNotCall, addDoNotCallList, listDoNotCall, readDoNotCall, removeDoNotCall } from './do-not-call.ts'

interface ConsentEvents {
  /** Numbers were added to the do-not-call list. */
  listed: [userId: string, phones: readonly string[]]
}

export interface ConsentRoom {
  readonly db: Db
  readonly hooks: Hooks<ConsentEvents>
}

const ROWS_AT_ONCE = 500
const DROPPED_TOLD_MAX = 100

export function createConsent({ db }: { readonly db: Db }): ConsentRoom {
  return { db, hooks: createHooks() }
}

export function registerConsent({ route }: Router, room: ConsentRoom): void {
  const { db } = room
  route(consentRoutes.list, ({ actor, query }) => listDoNotCall(db, actor.userId, query))
  route(consentRoutes.add, async ({ actor, body }) => {
    const phone = wholeNumber(body.phone)
    await withTx(db, async (tx) => {
      await addDoNotCall(tx, { userId: actor.userId, phone, source: 'account' })
      await room.hooks.run('listed', tx, actor.userId, [phone])
    })
    return readDoNotCall(db, actor.userId, phone)
  })
  route(consentRoutes.import, ({ actor, query, request }) =>
    importNumbers(room, actor.userId, query.fileName, fileOf(request)),
  )
  route(consentRoutes.remove, async ({ actor, params, query }) => {
    await withTx(db, (tx) => removeDoNotCall(tx, actor.userId, wholeNumber(params.phone), query.permission))
    return { message: 'The number may be called again.' }
  })
}

function wholeNumber(typed: string): string {
  const phone = e164Of(typed)
  if (phone === undefined) {
    const message =
      'This is not a phone number. Enter the full phone number including country code, such as +1 415 555 0100.'
    throw new AppError('number_invalid', message, { field: 'phone' })
  }
  return phone
}

/** Reads the whole file before the first write, so that an invalid file changes nothing. */
async function importNumbers(
  room: ConsentRoom,
  userId: string,
  fileName: string,
  stream: Readable,
): Promise<DoNotCallImport> {
  const result = { added: 0, known: 0, dropped: [] as DoNotCallImport['dropped'] }
  const phones = new Set<string>()
  let rows = 0
  for await (const line of readList({ format: formatOf(fileName), stream, maxBytes: LIST_FILE_MAX_BYTES })) {
    if (++rows > BATCH_ROWS_MAX)
      throw new AppError('too_large', `A list may have at most ${BATCH_ROWS_MAX.toLocaleString('en')} rows.`)
    const typed = phoneIn(line)
    const phone = e164Of(typed)
    if (phone !== undefined) phones.add(phone)
    else if (result.dropped.length < DROPPED_TOLD_MAX) {
      result.dropped.push({ row: line.row, phone: typed, code: typed === '' ? 'number_missing' : 'number_invalid' })
    }
  }
  const all = [...phones]
  for (let from = 0; from < all.length; from += ROWS_AT_ONCE) {
    const some = all.slice(from, from + ROWS_AT_ONCE)
    result.added += await withTx(room.db, async (tx) => {
      const added = await addDoNotCallList(tx, userId, some)
      await room.hooks.run('listed', tx, userId, some)
      return added
    })
  }
  result.known = phones.size - result.added
  return result
}

/** From a known phone column, or else the first column. */
function phoneIn({ fields }: ListRow): string {
  const column = PHONE_COLUMNS.find((each) => Object.hasOwn(fields, each)) ?? Object.keys(fields)[0]
  const value = column === undefined ? undefined : fields[column]
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}
