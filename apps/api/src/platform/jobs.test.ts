import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Database } from './db.ts'
import { createJobs, type Jobs } from './jobs.ts'
import { testDatabase } from './testing.ts'

// Repeated tasks (jobs.every).

const HOUR_MS = 3_600_000
const AGAIN_MS = 3000
let database: Database
const open: Jobs[] = []

beforeAll(async () => {
  database = await testDatabase()
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  await Promise.all(open.map((jobs) => jobs.stop()))
  await database.close()
})

/** Starts jobs with one task that is repeated every hour. */
async function repeating(name: string, task: () => Promise<void>): Promise<Jobs> {
  const jobs = createJobs(database, pino({ level: 'silent' }))
  open.push(jobs)
  jobs.every(name, HOUR_MS, task)
  await jobs.start()
  return jobs
}

/** The timers of the retries, oldest first. */
function retriesOf(timers: { mock: { calls: unknown[][]; results: { value: unknown }[] } }): unknown[] {
  return timers.mock.calls.flatMap(([, delayMs], index) =>
    delayMs === AGAIN_MS ? [timers.mock.results[index]!.value] : [],
  )
}

test('a repeated task that failed is retried before its next interval', { timeout: 60_000 }, async () => {
  let runs = 0
  await repeating('test.fails-once', async () => {
    if (++runs === 1) throw new Error('not yet')
  })
  await vi.waitFor(() => expect(runs).toBe(2), 40_000)
})

test('a repeated task that always fails is retried three times per interval', { timeout: 60_000 }, async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  let runs = 0
  const jobs = await repeating('test.always-fails', async () => {
    runs++
    throw new Error('never')
  })
  await vi.waitFor(() => expect(runs).toBe(4), 50_000)
  await jobs.stop()
  expect(retriesOf(timers)).toHaveLength(3)
})

test('stop() clears a pending retry', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const cleared = vi.spyOn(globalThis, 'clearTimeout')
  const jobs = await repeating('test.is-stopped', async () => {
    throw new Error('not yet')
  })
  await vi.waitFor(() => expect(retriesOf(timers)).toHaveLength(1), 40_000)
  await jobs.stop()
  expect(cleared.mock.calls.flat()).toContain(retriesOf(timers)[0])
})
