import { expect, test } from 'vitest'
import { testDatabase } from '../../apps/api/src/platform/testing.ts'
import { measureGrowth, PARTS } from './growth.ts'
import { callsOf } from './fill.ts'

// So that the benchmark goes on working: its figures mean nothing with so few calls. Long, since it makes two databases and
// starts the product three times.

test('the benchmark of growth reads, places, ends and erases with few calls', async () => {
  const size = { calls: 2000, accounts: 60, turns: 2, movements: 60 }
  const lines: string[] = []
  // For its server.
  const database = await testDatabase()
  const results = await measureGrowth({
    ...size,
    smallCalls: 500,
    requests: 2,
    rounds: 1,
    parts: PARTS,
    databaseUrl: database.url,
    say: (line) => lines.push(line),
  })
  await database.close()
  const found = new Map(results.reads.map((read) => [read.name, read.found]))
  expect(found.get('largest: totals')).toBe(callsOf(size).largest)
  expect(found.get('largest: analytics of 366 days')).toBe(callsOf(size).largest)
  expect(found.get('largest: search, a word of one call in a hundred')).toBe(6)
  expect(found.get('largest: search, a word of one call')).toBe(1)
  expect(found.get('largest: search, a word of no call')).toBe(0)
  expect(found.get('largest: history, deep page')).toBe(50)
  expect(results.writes?.placeRatio).toBeGreaterThan(0)
  expect(results.erasure?.longest.ms).toBeGreaterThan(0)
  expect(lines).toHaveLength(results.reads.length + 5)
}, 180_000)
