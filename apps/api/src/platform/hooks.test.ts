import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, type Tx, withTx } from './db.ts'
import { createHooks } from './hooks.ts'
import { testDatabase } from './testing.ts'

interface DoorEvents {
  opened: [by: string, times: number]
  closed: []
}

let database: Database

beforeAll(async () => {
  database = await testDatabase()
  await database.db.execute(sql`create table note (id serial, words text not null)`)
})
beforeEach(() => database.db.execute(sql`truncate note`))
afterAll(() => database.close())

async function note(tx: Tx, words: string): Promise<void> {
  await tx.execute(sql`insert into note (words) values (${words})`)
}

async function notes(): Promise<string[]> {
  const { rows } = await database.pool.query<{ words: string }>('select words from note order by id')
  return rows.map(({ words }) => words)
}

test('listeners run one after the other in the order in which they were added, with what the event tells', async () => {
  const hooks = createHooks<DoorEvents>()
  let running = 0
  for (const name of ['first', 'second', 'third']) {
    hooks.on({
      async opened(tx, by, times) {
        expect(++running).toBe(1)
        await note(tx, `${name}: ${by} ${times}`)
        running--
      },
    })
  }
  await withTx(database.db, (tx) => hooks.run('opened', tx, 'Ada', 2))
  expect(await notes()).toEqual(['first: Ada 2', 'second: Ada 2', 'third: Ada 2'])
})

test('a listener hears the events that it names alone, and each of them each time', async () => {
  const hooks = createHooks<DoorEvents>()
  hooks.on({ closed: (tx) => note(tx, 'closed') })
  hooks.on({ opened: (tx) => note(tx, 'opened'), closed: (tx) => note(tx, 'closed too') })
  await withTx(database.db, async (tx) => {
    await hooks.run('closed', tx)
    await hooks.run('opened', tx, 'Ada', 1)
    await hooks.run('closed', tx)
  })
  expect(await notes()).toEqual(['closed', 'closed too', 'opened', 'closed', 'closed too'])
})

test('an error of a listener ends the transaction: nothing of it stays, and later listeners do not run', async () => {
  const hooks = createHooks<DoorEvents>()
  let laterRan = false
  hooks.on({ opened: (tx) => note(tx, 'before') })
  hooks.on({ opened: () => Promise.reject(new Error('jammed')) })
  hooks.on({ opened: async () => void (laterRan = true) })
  const open = withTx(database.db, async (tx) => {
    await note(tx, 'the fact')
    await hooks.run('opened', tx, 'Ada', 1)
  })
  await expect(open).rejects.toThrow('jammed')
  expect(laterRan).toBe(false)
  expect(await notes()).toEqual([])
})

test('an event without a listener leaves the fact alone', async () => {
  const hooks = createHooks<DoorEvents>()
  await withTx(database.db, async (tx) => {
    await note(tx, 'the fact')
    await hooks.run('opened', tx, 'Ada', 1)
  })
  expect(await notes()).toEqual(['the fact'])
})
