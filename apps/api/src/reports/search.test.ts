import { randomUUID } from 'node:crypto'
import { CallsQuery } from '@parley/contract'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraseWords } from '../calls/index.ts'
import { call } from '../calls/schema.ts'
import { createTestApp, type TestApp } from '../testing.ts'
import { listCalls } from './history.ts'
import { searchIn, type Wanted } from './search.ts'
import { insertCalls, type NewCallRow } from './testing.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const DAY_MS = 24 * 3_600_000
const newPerson = async () => (await app.signUp()).user.id
const add = (userId: string, ...rows: NewCallRow[]) => insertCalls(app, userId, ...rows)

/** Reads few of the newest, so that the index is asked for the rest. */
const search = () => searchIn(app.context.db, { first: 5, more: 4, unindexed: 10 })
const find = async (userId: string, words: string, more: Partial<Wanted> = {}) => {
  const wanted = { userId, words, status: undefined, callee: undefined, before: undefined, limit: 100, ...more }
  return (await search().find(wanted)).map(({ id }) => id)
}

/** One call every ten days, the newest first; every third is about a heron. */
async function addYears(userId: string, calls = 100): Promise<{ readonly all: string[]; readonly herons: string[] }> {
  const all = await add(
    userId,
    ...Array.from({ length: calls }, (_, index): NewCallRow => {
      const createdAt = new Date(Date.now() - index * 10 * DAY_MS)
      const status = index % 2 === 0 ? 'completed' : 'failed'
      const about = index % 3 === 0 ? 'A heron stood there.' : 'Nothing stood there.'
      const end = {
        completedAt: createdAt,
        endReason: status === 'failed' ? ('busy' as const) : ('agent_closed' as const),
      }
      return { createdAt, status, transcript: about, callee: `+120255501${String(index).padStart(2, '0')}`, ...end }
    }),
  )
  return { all, herons: all.filter((_, index) => index % 3 === 0) }
}

describe('the search of calls', () => {
  test('finds calls of all years in order, of this account alone', async () => {
    const [userId, other] = [await newPerson(), await newPerson()]
    const { herons } = await addYears(userId)
    await add(other, { transcript: 'A heron of somebody else.' })
    expect(await find(userId, 'heron')).toEqual(herons)
    expect(await find(userId, 'heron', { limit: 20 })).toEqual(herons.slice(0, 20))
    expect(await find(userId, 'pelican')).toEqual([])
  })

  test('goes on after a call and keeps to a status and a number', async () => {
    const userId = await newPerson()
    const { all, herons } = await addYears(userId)
    const [row] = await app.context.db.select().from(call).where(eq(call.id, herons[9]!))
    const before = { at: row!.createdAt, id: row!.id }
    expect(await find(userId, 'heron', { before, limit: 7 })).toEqual(herons.slice(10, 17))
    const failed = herons.filter((id) => all.indexOf(id) % 2 === 1)
    expect(await find(userId, 'heron', { status: 'failed' })).toEqual(failed)
    expect(await find(userId, 'stood', { callee: row!.callee })).toEqual([row!.id])
  })

  test('reads a bounded number of the newest calls for words that no index has', async () => {
    const userId = await newPerson()
    const { all } = await addYears(userId)
    expect(await find(userId, 'd t')).toEqual(all.slice(0, 10))
  })

  test('follows the end of a call, later words, an erasure and a deletion', async () => {
    const userId = await newPerson()
    const [id = ''] = await add(userId, { status: 'ringing', phase: 'ringing', purpose: 'Ask about an osprey' })
    expect(await find(userId, 'osprey')).toEqual([])
    const { db } = app.context
    const completedAt = new Date(Date.now() - 400 * DAY_MS)
    const end = { completedAt, endReason: 'agent_closed', durationSeconds: 1, creditsCharged: 1 } as const
    await db
      .update(call)
      .set({ status: 'completed', transcript: 'User: An osprey?', ...end })
      .where(eq(call.id, id))
    await db.update(call).set({ summary: 'They have a kestrel.' }).where(eq(call.id, id))
    for (const word of ['osprey', 'An osprey?', 'kestrel']) expect(await find(userId, word)).toEqual([id])
    await eraseWords(app.context.calls, [userId], 365)
    expect(await find(userId, 'kestrel')).toEqual([])
    expect(await find(userId, 'osprey')).toEqual([id])
    const createdAt = new Date(Date.now() - 40 * DAY_MS)
    await db.update(call).set({ createdAt }).where(eq(call.id, id))
    expect(await find(userId, 'osprey')).toEqual([id])
    await db.delete(call).where(eq(call.id, id))
    expect(await find(userId, 'osprey')).toEqual([])
  })
})

test('the history shows live and ended calls with the words in one order, page by page', async () => {
  const userId = await newPerson()
  const live = { status: 'ringing', phase: 'ringing' } as const
  const rows: NewCallRow[] = Array.from({ length: 11 }, (_, index) => ({
    id: randomUUID(),
    purpose: 'Ask about a heron',
    ...(index % 3 === 1 ? live : {}),
  }))
  const ids = await add(userId, ...rows)
  const seen: string[] = []
  let cursor: string | null | undefined
  do {
    const query = CallsQuery.parse({ q: 'HERON', limit: 3, ...(cursor && { cursor }) })
    const page = await listCalls(app.context.db, userId, query, search())
    expect(page.total).toBe(11)
    seen.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor !== null)
  expect(seen).toEqual(ids)
})
