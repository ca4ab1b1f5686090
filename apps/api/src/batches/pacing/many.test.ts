import { inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdRounds } from '../../platform/rounds/testing.ts'
import { createTestApp, type TestApp } from '../../testing.ts'
import { type StandInVoice, startStandInVoice } from '../../calls/testing.ts'
import { batch } from '../schema.ts'
import { callOf, createBatch, phoneOf, signUpWith } from '../testing.ts'
import { Pacer } from './pacer.ts'

const LISTS = 450
const ACCOUNTS = 3
let app: TestApp
let voice: StandInVoice

beforeAll(async () => {
  voice = await startStandInVoice()
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
  await holdRounds(app.context.db, ['batches.pace'])
})
afterAll(async () => {
  await app.close()
  await voice.close()
})

/** Running batches of one account, copied from one, whose contacts are due later. */
async function addLists(lists: number): Promise<string[]> {
  const { client } = await signUpWith(app, 100)
  const { batchId } = (await createBatch(client, [callOf(phoneOf(1))])).data
  const { db } = app.context
  const { rows } = await db.execute<{ id: string }>(sql`
    insert into batch select copy.* from batch b, generate_series(1, ${lists - 1}::int) n,
      jsonb_populate_record(b, jsonb_build_object('id', b.id || '-' || n)) copy
    where b.id = ${batchId} returning id`)
  const ids = [batchId, ...rows.map(({ id }) => id)]
  await db.execute(sql`delete from batch_contact where batch_id = ${batchId}`)
  await db.update(batch).set({ lookAt: null, status: 'running' }).where(inArray(batch.id, ids))
  return ids
}

test('one round looks at every running list, and one that fails keeps no other from its look', async () => {
  const ids = (await Promise.all(Array.from({ length: ACCOUNTS }, () => addLists(LISTS / ACCOUNTS)))).flat()
  const [poisoned = ''] = ids
  const { db } = app.context
  await db.execute(sql`update batch set plan = 'null' where id = ${poisoned}`)
  await new Pacer(app.context.batches).round()
  const unseen = await db.execute<{ id: string }>(sql`select id from batch where look_at is null`)
  expect(unseen.rows).toEqual([{ id: poisoned }])
  const failed = await db.execute<{ subject: string }>(sql`select subject from passed_over where task = 'batches.pace'`)
  expect(failed.rows).toEqual([{ subject: poisoned }])
})
