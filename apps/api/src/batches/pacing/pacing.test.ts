import { BatchRetries, type EndReason, END_REASONS, type OutcomeStatus } from '@parley/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { afterCall } from '../results/outcome.ts'
import { type AccountPace, type BatchPace, deal, type Demand, pace, type Ready, shareOf } from './pacing.ts'

const NOW = new Date('2026-01-15T12:00:00Z')
const count = (max: number) => fc.integer({ min: 0, max })
const soon = fc.option(fc.integer({ min: 1, max: 86_400_000 }).map((ms) => new Date(NOW.getTime() + ms)))

const batches: fc.Arbitrary<BatchPace> = fc.record({
  liveCallsMax: fc.option(fc.integer({ min: 1, max: 50 })),
  callsPerMinute: fc.integer({ min: 1, max: 600 }),
  minuteMs: fc.constantFrom(600, 60_000),
  liveCalls: count(60),
  dialedLastMinute: count(600),
  firstOfMinute: fc.option(fc.integer({ min: 0, max: 60_000 }).map((ms) => new Date(NOW.getTime() - ms))),
})
const accounts: fc.Arbitrary<AccountPace> = fc.record({
  limits: fc.record({
    liveCallsPerAccount: fc.integer({ min: 1, max: 100 }),
    callsPerHour: fc.integer({ min: 1, max: 2000 }),
    creditsPerDay: fc.integer({ min: 1, max: 5000 }),
  }),
  liveCalls: count(120),
  callsLastHour: count(2100),
  creditsLastDay: count(5100),
})
const readies: fc.Arbitrary<Ready> = fc.record({ contacts: count(200), opensAt: soon, nextRetryAt: soon })

describe('pace', () => {
  test('dials as many as the limits allow and looks again in the future', () => {
    fc.assert(
      fc.property(batches, accounts, readies, (batch, account, ready) => {
        const { dial, lookAt, waitsFor } = pace(batch, account, ready, NOW)
        const { limits } = account
        const room = Math.min(
          ready.contacts,
          batch.callsPerMinute - batch.dialedLastMinute,
          (batch.liveCallsMax ?? 1000) - batch.liveCalls,
          shareOf(limits.liveCallsPerAccount) - account.liveCalls,
          shareOf(limits.callsPerHour) - account.callsLastHour,
          shareOf(limits.creditsPerDay) - account.creditsLastDay,
        )
        expect(dial).toBe(Math.max(0, room))
        expect(lookAt.getTime()).toBeGreaterThan(NOW.getTime())
        expect(waitsFor !== null || dial >= ready.contacts).toBe(true)
      }),
    )
  })

  test('waits for calling hours when no contact is within them, or for an earlier retry', () => {
    fc.assert(
      fc.property(batches, accounts, soon, (batch, account, opensAt) => {
        fc.pre(opensAt !== null)
        const waiting = pace(batch, account, { contacts: 0, opensAt, nextRetryAt: null }, NOW)
        expect(waiting).toEqual({ dial: 0, lookAt: opensAt, waitsFor: 'hours' })
        const retry = new Date(NOW.getTime() + 1)
        const sooner = pace(
          batch,
          account,
          { contacts: 0, opensAt: new Date(retry.getTime() + 1), nextRetryAt: retry },
          NOW,
        )
        expect(sooner).toEqual({ dial: 0, lookAt: retry, waitsFor: 'retries' })
      }),
    )
  })

  test.each([
    [1, 1],
    [2, 1],
    [5, 4],
    [10, 8],
    [60, 48],
  ])('batches may use %i of a limit as %i, the rest is for single calls', (limit, share) => {
    expect(shareOf(limit)).toBe(share)
  })
})

describe('deal', () => {
  const demands = fc
    .array(fc.record({ user: count(6), dial: count(20) }), { maxLength: 20 })
    .map((list): Demand[] =>
      list.map(({ user, dial }, index) => ({ userId: `user${user}`, batchId: `batch${index}`, dial })),
    )

  test('gives out all free slots evenly, and no batch gets more than it asked for', () => {
    fc.assert(
      fc.property(demands, count(60), count(10), fc.option(count(6)), (list, free, most, last) => {
        const { batchIds } = deal(list, free, () => most, last === null ? null : `user${last}`)
        const got = (batchId: string) => batchIds.filter((each) => each === batchId).length
        for (const { batchId, dial } of list) expect(got(batchId)).toBeLessThanOrEqual(dial)
        const byUser = Map.groupBy(list, ({ userId }) => userId)
        const served = [...byUser.values()].map((lists) => ({
          got: lists.reduce((sum, { batchId }) => sum + got(batchId), 0),
          wanted: Math.min(
            most,
            lists.reduce((sum, { dial }) => sum + dial, 0),
          ),
        }))
        const wanted = served.reduce((sum, user) => sum + user.wanted, 0)
        expect(batchIds).toHaveLength(Math.min(free, wanted))
        // A user with unmet demand has at most one slot less than any other.
        const largest = Math.max(0, ...served.map((user) => user.got))
        const short = served.filter((user) => user.got < user.wanted)
        expect(short.filter((user) => user.got < largest - 1)).toEqual([])
      }),
    )
  })

  test('serves the previously served user last, so one slot goes round all users', () => {
    const list = ['a', 'b', 'c'].map((userId): Demand => ({ userId, batchId: `of ${userId}`, dial: 1000 }))
    const served: string[] = []
    for (let round = 0, last: string | null = null; round < 6; round++) {
      const dealt = deal(list, 1, () => 10, last)
      served.push(...dealt.batchIds)
      last = dealt.servedLast
    }
    expect(served).toEqual(['of a', 'of b', 'of c', 'of a', 'of b', 'of c'])
  })
})

describe('afterCall', () => {
  const retries = BatchRetries.parse({ attempts: 3, voicemail: null })
  const next = (reason: (typeof END_REASONS)[number], made: number, clockSpeed = 1) =>
    afterCall(reason, { made, max: retries.attempts }, retries, NOW, clockSpeed)

  test.each([
    ['agent_closed', 'completed'],
    ['refused_to_talk', 'completed'],
    ['opted_out', 'completed'],
    ['voicemail', 'completed'],
    ['busy', 'waiting'],
    ['no_answer', 'waiting'],
    ['carrier_failure', 'waiting'],
    ['interrupted', 'waiting'],
    ['not_in_service', 'failed'],
    ['not_allowed', 'failed'],
    ['canceled', 'failed'],
  ] as const)('a call ended by %s leaves its contact %s', (reason, status) => {
    expect(next(reason, 1).status).toBe(status)
  })

  test.each<[OutcomeStatus[], string]>([
    [['offered', 'open'], 'completed'],
    [['met', 'met_within_limits'], 'completed'],
    [['met', 'refused'], 'completed'],
    [['met', 'open'], 'waiting'],
    [['open'], 'waiting'],
    [[], 'waiting'],
  ])(
    'a dropped call with the outcomes %j leaves its contact %s, so answered contacts are not called again',
    (statuses, status) => {
      const outcomes = statuses.map((each) => ({ objective: each, status: each, quote: null, turn: null }))
      const after = (reason: EndReason) => afterCall(reason, { made: 1, max: 3, outcomes }, retries, NOW, 1).status
      expect(after('carrier_dropped')).toBe(status)
      expect(after('interrupted')).toBe(status)
      expect(after('busy')).toBe('waiting')
    },
  )

  test('all end reasons share the attempts of the plan, and waits shrink with the clock speed', () => {
    for (const reason of END_REASONS) expect(next(reason, 3).status).not.toBe('waiting')
    expect(next('busy', 2)).toEqual({ status: 'waiting', nextAttemptAt: new Date(NOW.getTime() + 15 * 60_000) })
    expect(next('busy', 2, 100)).toEqual({ status: 'waiting', nextAttemptAt: new Date(NOW.getTime() + 9000) })
  })
})
