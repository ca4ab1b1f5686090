import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { continueErasures } from './accounts/testing.ts'
import { call } from './calls/testing.ts'
import { eraseInPieces, IN_PIECES } from './erased-in-pieces.ts'
import { checkBooks, createTestApp, PATIENTLY, type TestApp } from './testing.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(async () => {
  await checkBooks(app.context.db)
  await app.close()
})

/** An account has few rows there, which go with its own in one statement. */
const FEW: Readonly<Record<string, string>> = {
  account: 'ways to sign in',
  api_key: 'a bounded list',
  archive_key: 'one',
  batch: 'lists; their contacts go before',
  call_template: 'a bounded list',
  caller_number: 'a bounded list',
  caller_verification: 'kept for days, and few a day',
  data_export: 'the newest; its parts go before',
  device: 'phones',
  email_code: 'one',
  mail_link: 'few, for a day',
  native_code: 'for a minute',
  passkey: 'a bounded list',
  recovery_code: 'ten',
  returned_do_not_call: 'one',
  second_factor: 'one',
  session: 'browsers',
  user_settings: 'one',
  webhook_endpoint: 'addresses with a secret of their own',
}

test('every table that goes with an account is erased in pieces or has few rows an account', async () => {
  const { rows } = await app.context.db.execute<{ name: string }>(sql`
    select distinct c.relname as name from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and k.confrelid = '"user"'::regclass and not c.relispartition`)
  const inPieces = new Set(IN_PIECES.map(({ table }) => table))
  const others = rows.map(({ name }) => name).filter((name) => !inPieces.has(name))
  expect(others.toSorted()).toEqual(Object.keys(FEW).toSorted())
})

/** Ended calls, a quarter of an hour apart. */
async function addCalls(userId: string, count: number): Promise<void> {
  const now = Date.now()
  const rows = Array.from({ length: count }, (_, index): typeof call.$inferInsert => {
    const at = new Date(now - index * 15 * 60_000)
    const order = { callee: '+12025550100', purpose: 'Ask', tone: 'friendly', voiceId: 'default' } as const
    const more = { maxDurationMinutes: 5, context: {}, language: 'en', onBehalfOf: 'Ada', record: false } as const
    const times = { stageAt: at, heardAt: at, createdAt: at, completedAt: at }
    const end = { endReason: 'agent_closed', durationSeconds: 1, creditsHeld: 1, creditsCharged: 1 } as const
    return {
      id: randomUUID(),
      userId,
      objectives: [],
      ...order,
      ...more,
      status: 'completed',
      phase: 'ended',
      ...times,
      ...end,
    }
  })
  await app.context.db.insert(call).values(rows)
}

const CALLS = 250
const ofUser = (userId: string) => sql`select count(*)::int as n from ${call} where ${call.userId} = ${userId}`
const callsOf = async (userId: string) => (await app.context.db.execute<{ n: number }>(ofUser(userId))).rows[0]?.n

test('an erasure that ends between two pieces is continued, and leaves other accounts alone', async () => {
  const [one, other] = [await app.signUp(), await app.signUp()]
  await addCalls(one.user.id, CALLS)
  await addCalls(other.user.id, 1)
  const { db } = app.context
  let pieces = 0
  expect(await eraseInPieces(db, one.user.id, () => ++pieces >= 5)).toBe(true)
  const left = (await callsOf(one.user.id)) ?? 0
  expect(left).toBeLessThan(CALLS)
  expect(left).toBeGreaterThan(0)
  expect(await eraseInPieces(db, one.user.id, () => false)).toBe(false)
  expect(await callsOf(one.user.id)).toBe(0)
  for (const { table } of IN_PIECES.filter(({ of }) => of === undefined)) {
    const { rows } = await db.execute<{ n: number }>(
      sql`select 1 as n from ${sql.identifier(table)} where user_id = ${one.user.id} limit 1`,
    )
    expect({ table, rows }).toEqual({ table, rows: [] })
  }
  expect(await callsOf(other.user.id)).toBe(1)
})

test('an account whose job was given up is erased by the next round', async () => {
  const { user } = await app.signUp()
  await addCalls(user.id, 1)
  const { accounts, db } = app.context
  await db.execute(sql`update "user" set closed_at = now() - interval '2 hours' where id = ${user.id}`)
  await continueErasures(accounts.room)
  await vi.waitFor(async () => {
    const { rows } = await db.execute<{ n: number }>(sql`select 1 as n from "user" where id = ${user.id}`)
    expect(rows).toEqual([])
  }, PATIENTLY)
  expect(await callsOf(user.id)).toBe(0)
})
