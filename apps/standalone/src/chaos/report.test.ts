import { expect, test } from 'vitest'
import { reportOf } from './report.ts'
import { type Outcome, type Suffered, troublesOf } from './run.ts'

const fault = (given: Partial<Suffered>): Suffered => ({
  number: 1,
  atMs: 0,
  kind: 'kill',
  target: 'api-1',
  forMs: 0,
  startedAtMs: 0,
  recoveryMs: 2000,
  overAtMs: 2000,
  ...given,
})
const outcome: Outcome = {
  seed: 7,
  faultsForMs: 180_000,
  figures: {
    loadedMs: 120_000,
    counts: { calls: 1, lists: 2, payments: 3, stops: 4, refused: 5, unanswered: 6 },
    accepted: 7,
    calls: 8,
    callsOfLists: 9,
    callsConnected: 10,
    leases: 11,
    facts: 1234,
    reports: 12,
    reportsRefused: 13,
    reportsUnanswered: 14,
    webhooks: 15,
    webhooksReceived: 16,
    payments: 17,
    optOuts: 18,
  },
  faults: [
    fault({}),
    fault({ recoveryMs: 9040 }),
    fault({ recoveryMs: 3000 }),
    fault({ kind: 'link', target: 'voice-3', recoveryMs: null }),
  ],
  hasNamespace: true,
  machine: { processors: 2, load: 12.4 },
  settled: { afterMs: 4200, left: [] },
  findings: [
    { rule: 'No fact is lost', breaches: [] },
    { rule: 'Each call is charged exactly once', breaches: ['Call c1 was charged 2 times.'] },
  ],
}

test('a report has the seed, the faults by kind with their recoveries, and each breach', () => {
  const report = reportOf(outcome)
  expect(report).toContain('--minutes 3 --seed 7')
  expect(report).toMatch(/\| facts taken +\| 1,234 +\|/)
  expect(report).toMatch(/\| `kill -9` of a process +\| 3 +\| 3\.0 s +\| 9\.0 s +\|/)
  expect(report).toMatch(/interface of a voice node down +\| 1 +\| not within 90 s +\| not within 90 s +\|/)
  expect(report).toMatch(/Redis.* \| 0 +\| – +\| – +\|/)
  expect(report).toMatch(/\| No fact is lost +\| none +\|/)
  expect(report).toContain('2 processors with a load average of 12.')
  expect(report).toContain('- Each call is charged exactly once: Call c1 was charged 2 times.')
})

test('a report says what was left out and what was left over', () => {
  const report = reportOf({ ...outcome, hasNamespace: false, settled: { afterMs: 1, left: ['2 live calls'] } })
  expect(report).toContain('`link` faults were left out')
  expect(report).toContain('except: 2 live calls')
})

test('leases of one broken voice node are no trouble; other parts, or two at once, are', () => {
  const voice = fault({ target: 'voice-1', startedAtMs: 0, overAtMs: 100 })
  expect(troublesOf([voice])).toEqual([])
  expect(troublesOf([voice, fault({ target: 'voice-2 api', startedAtMs: 60, overAtMs: 200 })])).toEqual([
    { fromMs: 60, untilMs: 100 },
  ])
  expect(troublesOf([fault({ target: 'worker-1', startedAtMs: 5, overAtMs: 9 })])).toEqual([{ fromMs: 5, untilMs: 9 }])
})
