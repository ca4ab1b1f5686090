import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { type Context, createContext } from './context.ts'
import { checkBooks } from './credits/index.ts'
import { operate } from './ops.ts'
import { withTx } from './platform/db.ts'
import { BACKUPS } from './platform/data/damage.ts'
import { restoreBackup } from './platform/data/restore.ts'
import { hold, openWallet, settle } from './testing.ts'

const WALLETS = 6
const start = (dataDir: string) => {
  const secrets = { AUTH_SECRET: 'a'.repeat(32), VOICE_SECRET: 'v'.repeat(32) }
  return createContext(readConfig({ ...secrets, DATA_DIR: dataDir }), { log: pino({ level: 'silent' }) })
}
/** Holds and settles calls of all wallets until it is stopped; `settled` counts them. */
function keepCharging({ db }: Context, people: readonly string[]) {
  let on = true
  let settled = 0
  const charge = async (userId: string) => {
    while (on) {
      const callId = randomUUID()
      const expiresAt = new Date(Date.now() + 3_600_000)
      await withTx(db, (tx) => hold(tx, { userId, callId, wantedCredits: 1, expiresAt }))
      await withTx(db, (tx) => settle(tx, { callId, connectedSeconds: 0 }))
      settled++
    }
  }
  const over = Promise.all(people.map(charge))
  return { count: () => settled, stop: () => ((on = false), over) }
}

test('a backup that is made while calls are charged is restored elsewhere with books that are right', async () => {
  const [here, there] = await Promise.all(['here', 'there'].map((name) => mkdtemp(join(tmpdir(), `parley-${name}-`))))
  const context = await start(here ?? '')
  const people = Array.from({ length: WALLETS }, () => randomUUID())
  await context.database.pool.query(
    `insert into "user" (id, name, email) select id, 'Ada', id || '@example.com' from unnest($1::text[]) id`,
    [people],
  )
  await withTx(context.db, async (tx) => {
    for (const userId of people) await openWallet(tx, userId)
  })
  const load = keepCharging(context, people)
  await expect.poll(load.count).toBeGreaterThan(20)
  const before = load.count()
  const said = await operate(context.database, ['backup'], { dataDir: here })
  const during = load.count() - before
  await load.stop()
  await checkBooks(context.db)
  await context.close()
  expect(during).toBeGreaterThan(0)

  const name = /The backup (\S+) was made/.exec(said)?.[1] ?? ''
  await cp(join(here ?? '', BACKUPS), join(there ?? '', BACKUPS), { recursive: true })
  await restoreBackup(there ?? '', name)
  const restored = await start(there ?? '')
  expect(await operate(restored.database, ['books', 'check'])).toContain('The books are right.')
  const { rows } = await restored.database.pool.query<{ count: number }>('select count(*)::int as count from hold')
  expect(rows[0]?.count).toBeGreaterThanOrEqual(before)
  expect(rows[0]?.count).toBeLessThanOrEqual(load.count() + WALLETS)
  await restored.close()
  for (const dataDir of [here, there]) await rm(dataDir ?? '', { recursive: true, force: true })
}, 240_000)
