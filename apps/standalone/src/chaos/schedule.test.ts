import { describe, expect, test } from 'vitest'
import { FAULT_KINDS, FIRST_ROUND_MS, scheduleOf, sentenceOf } from './schedule.ts'

const targets = {
  processes: ['api-1', 'api-2', 'worker-1', 'voice-1'],
  links: ['api-1 postgres', 'voice-1 api'],
  apart: 'voice-3',
}
const HALF_AN_HOUR_MS = 1_800_000

describe('a schedule of faults', () => {
  test('is the same for the same seed and another for another one', () => {
    const of = (seed: number) => scheduleOf({ seed, forMs: HALF_AN_HOUR_MS, targets })
    expect(of(7)).toEqual(of(7))
    expect(of(8)).not.toEqual(of(7))
  })

  test('has one fault of each kind within the first round, whatever the seed', () => {
    for (let seed = 0; seed < 50; seed++) {
      const kinds = scheduleOf({ seed, forMs: FIRST_ROUND_MS, targets }).map(({ kind }) => kind)
      expect(kinds.toSorted()).toEqual(FAULT_KINDS.toSorted())
    }
  })

  test('begins in the same way however long it is', () => {
    const short = scheduleOf({ seed: 3, forMs: 60_000, targets })
    expect(scheduleOf({ seed: 3, forMs: HALF_AN_HOUR_MS, targets }).slice(0, short.length)).toEqual(short)
  })

  test('breaks nothing that is broken, and stops a process for longer than a lease of 10 s', () => {
    const faults = scheduleOf({ seed: 11, forMs: HALF_AN_HOUR_MS, targets })
    expect(faults.length).toBeGreaterThan(150)
    for (const [at, fault] of faults.entries()) {
      const before = faults.slice(0, at).findLast(({ target }) => target === fault.target)
      expect(fault.atMs).toBeGreaterThanOrEqual(before ? before.atMs + before.forMs : 0)
    }
    const stops = faults.filter(({ kind }) => kind === 'stop').map(({ forMs }) => forMs)
    expect(Math.min(...stops)).toBeGreaterThan(10_000)
  })

  test('is told in words', () => {
    const at = { number: 1, atMs: 0 }
    expect(sentenceOf({ ...at, kind: 'postgres', target: 'postgres', forMs: 0 })).toBe('postgres')
    expect(sentenceOf({ ...at, kind: 'cut', target: 'voice-1 api', forMs: 3200, cut: 'silent' })).toBe(
      'cut voice-1 api silent for 3.2 s',
    )
  })
})
