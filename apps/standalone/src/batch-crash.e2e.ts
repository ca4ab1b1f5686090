import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveLog } from './failure.ts'
import { findWrongs, LONG_RUN_ENVIRONMENT, runList } from './long-run/testing.ts'
import { type Running, runParley } from './world.ts'

// Longer than 20 s: a batch is called to its end while each part is killed and starts again.

const ROWS = 100
let parley: Running

beforeAll(async () => {
  parley = await runParley(LONG_RUN_ENVIRONMENT)
})
afterAll(() => parley.dispose())

// 10,000 rows and five kills: npm run bench -- batch-run.
test('a batch completes despite kills: no contact called twice or against the do-not-call list, no credit lost', async () => {
  leaveLog(parley)
  const run = await runList(parley, {
    rows: ROWS,
    kills: [['main', 'voice', 'postgres'], ['voice']],
    timeoutMs: 900_000,
  })
  expect(run.file.droppedByCode).toEqual({ do_not_call: 20, number_duplicate: ROWS / 50 })
  const { completed, failed, cancelled } = run.batch.contacts
  expect(completed + failed + cancelled).toBe(ROWS - 20)
  // Some personas are busy, do not answer or are not in service, and each kill loses the running calls.
  expect(completed).toBeGreaterThan(ROWS / 3)
  expect(await findWrongs(parley, run)).toEqual([])
}, 1_000_000)
