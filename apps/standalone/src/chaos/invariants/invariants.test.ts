import { describe, expect, test } from 'vitest'
import type { CallSeen, Evidence } from './evidence.ts'
import { calmMs, INVARIANTS, judge } from './invariants.ts'

const call: CallSeen = {
  id: 'c1',
  userId: 'u1',
  batchId: null,
  callee: '+12125550100',
  purpose: 'Ask about order 1',
  createdAtMs: 1000,
  hasEnded: true,
  factsTaken: 3,
  creditsCharged: 1,
  wasDialed: true,
}
const ofList: CallSeen = { ...call, id: 'c2', batchId: 'b1', callee: '+12125550101', purpose: 'Ask about order 2' }
const report = { callId: 'c1', fence: 5, seqs: [1, 2, 3], atMs: 2000, status: 200, taken: 3 }
const ended = { type: 'call.completed', isTaken: true } as const

const good: Evidence = {
  accepted: [
    { kind: 'call', key: 'order 1', id: 'c1', userId: 'u1' },
    { kind: 'batch', key: 'order 2', id: 'b1', userId: 'u1' },
  ],
  calls: [call, ofList],
  batches: [{ id: 'b1', name: 'order 2', status: 'done' }],
  charges: [
    { callId: 'c1', events: 1, credits: 1 },
    { callId: 'c2', events: 1, credits: 1 },
  ],
  holds: [
    { callId: 'c1', state: 'settled' },
    { callId: 'c2', state: 'settled' },
  ],
  reports: [report, { ...report, callId: 'c2', fence: 6 }],
  given: [
    { callId: 'c1', fence: 5, atMs: 1500 },
    { callId: 'c2', fence: 6, atMs: 1500 },
  ],
  leases: [{ atMs: 2000, nodes: [{ node: 'voice-1', leases: 4, capacity: 4 }], expired: [] }],
  troubles: [],
  deliveries: [
    { id: 'm1', type: 'call.completed', callId: 'c1', isDelivered: true },
    { id: 'm2', type: 'call.completed', callId: 'c2', isDelivered: true },
    { id: 'm3', type: 'batch.completed', callId: null, isDelivered: true },
  ],
  receipts: [
    { ...ended, id: 'm1', about: 'c1', isTaken: false },
    { ...ended, id: 'm1', about: 'c1' },
    { ...ended, id: 'm2', about: 'c2' },
    { ...ended, id: 'm3', type: 'batch.completed', about: 'b1' },
  ],
  paid: ['pi_1'],
  credited: ['pi_1'],
  optOuts: [{ userId: 'u1', phone: call.callee, atMs: 3000 }],
  wrongBooks: [],
}

/** By rule, data that breaks this rule alone, with words of what is said of it. */
const BAD: readonly (readonly [rule: string, planted: Partial<Evidence>, words: string])[] = [
  ['stale fence', { given: [...good.given, { callId: 'c1', fence: 9, atMs: 1900 }] }, 'fence 5 were taken after 9'],
  ['without a gap', { reports: [{ ...report, seqs: [1, 3] }, good.reports[1]!] }, 'nobody sent 2'],
  ['without a gap', { reports: [{ ...report, seqs: [1, 2, 3, 4] }, good.reports[1]!] }, '4 were sent'],
  ['without a gap', { reports: [{ ...report, taken: 4 }, good.reports[1]!] }, '4 were said to be taken'],
  ['reaches an end', { accepted: [{ kind: 'call', key: 'order 3', id: 'c3', userId: 'u1' }] }, 'is not there'],
  ['reaches an end', { calls: [{ ...call, hasEnded: false }, ofList] }, 'has not ended'],
  ['reaches an end', { calls: [call, { ...ofList, hasEnded: false }] }, 'c2 of b1 is live'],
  ['reaches an end', { batches: [{ ...good.batches[0]!, status: 'running' }] }, 'b1 (order 2) has not ended'],
  ['reaches an end', { holds: [good.holds[0]!, { callId: 'c2', state: 'active' }] }, 'still holds'],
  ['carried out twice', { accepted: [...good.accepted, good.accepted[0]!] }, '"order 1" was accepted more than once'],
  ['charged exactly once', { charges: [{ callId: 'c1', events: 2, credits: 1 }, good.charges[1]!] }, 'charged 2 times'],
  ['charged exactly once', { charges: [good.charges[1]!] }, 'says 1, the books say 0'],
  ['charged exactly once', { holds: [good.holds[1]!] }, 'c1 has no hold'],
  [
    'charged exactly once',
    { charges: [...good.charges, { callId: 'c9', events: 1, credits: 1 }] },
    'charged that is not there',
  ],
  ['books sum to zero', { wrongBooks: ['They sum to 1.'] }, 'They sum to 1.'],
  ['payment is credited', { credited: [] }, 'paid and not credited'],
  ['payment is credited', { paid: [] }, 'credited and not paid'],
  ['payment is credited', { credited: ['pi_1', 'pi_1'] }, 'credited more than once'],
  [
    'more leases',
    { leases: [{ atMs: 2000, nodes: [{ node: 'voice-1', leases: 5, capacity: 4 }], expired: [] }] },
    'voice-1 had 5 leases',
  ],
  [
    'outlives its expiry',
    { leases: [{ atMs: 12_001, nodes: [], expired: [{ callId: 'c1', expiredAtMs: 2000 }] }] },
    'outlived its expiry by 10 s',
  ],
  ['webhook arrives', { deliveries: good.deliveries.slice(1) }, 'm1 came, and nobody knows it'],
  [
    'webhook arrives',
    { deliveries: [...good.deliveries, { ...good.deliveries[0]!, id: 'm4' }] },
    'm4 (call.completed) never',
  ],
  [
    'webhook arrives',
    { deliveries: [{ ...good.deliveries[0]!, isDelivered: false }, ...good.deliveries.slice(1)] },
    'm1 (call.completed) is still due',
  ],
  [
    'webhook arrives',
    { receipts: good.receipts.slice(0, 3), deliveries: good.deliveries.slice(0, 2) },
    'the end of list b1',
  ],
  ['webhook arrives', { receipts: good.receipts.slice(2), deliveries: good.deliveries.slice(1) }, 'the end of call c1'],
  [
    'webhook arrives',
    {
      receipts: [...good.receipts, { ...ended, type: 'call.failed', id: 'm4', about: 'c1' }],
      deliveries: [...good.deliveries, { ...good.deliveries[0]!, id: 'm4', type: 'call.failed' }],
    },
    'the end of c1 came under more than one id',
  ],
  ['after an opt-out', { optOuts: [{ userId: 'u1', phone: call.callee, atMs: 500 }] }, 'c1 was made after'],
]

describe('the invariants of a chaos run', () => {
  test('hold of good evidence', () => {
    expect(judge(good).flatMap(({ breaches }) => breaches)).toEqual([])
  })

  test.each(BAD)('find planted evidence against "%s" and blame no other rule: %#', (rule, planted, words) => {
    const found = judge({ ...good, ...planted }).filter(({ breaches }) => breaches.length > 0)
    expect(found.map((each) => each.rule)).toEqual([expect.stringContaining(rule)])
    expect(found[0]!.breaches.join(' ')).toContain(words)
  })

  test('find a second call of the same order and of the same contact', () => {
    const rule = INVARIANTS.find((each) => each.rule.includes('carried out twice'))!
    const calls = [call, { ...call, id: 'c3' }, ofList, { ...ofList, id: 'c4' }]
    expect(rule.breaches({ ...good, calls })).toEqual([
      'More than one call was made to "Ask about order 1".',
      '+12125550101 of list b1 was called more than once.',
    ])
    // Nobody was dialed the first time.
    const again = [call, { ...ofList, wasDialed: false }, { ...ofList, id: 'c4' }]
    expect(rule.breaches({ ...good, calls: again })).toEqual([])
    expect(rule.breaches({ ...good, batches: [...good.batches, { ...good.batches[0]!, id: 'b2' }] })).toHaveLength(1)
  })

  test('a fact that was asked about before a newer lease was given is not stale', () => {
    const given = [...good.given, { callId: 'c1', fence: 9, atMs: 2001 }]
    expect(judge({ ...good, given }).flatMap(({ breaches }) => breaches)).toEqual([])
  })

  test('a lease is late by the time outside of troubles alone', () => {
    expect(calmMs(0, 100, [])).toBe(100)
    expect(calmMs(0, 100, [{ fromMs: -5, untilMs: 10 }])).toBe(90)
    expect(
      calmMs(0, 100, [
        { fromMs: 50, untilMs: 60 },
        { fromMs: 20, untilMs: 55 },
        { fromMs: 90, untilMs: 500 },
      ]),
    ).toBe(50)
    const leases = [{ atMs: 14_000, nodes: [], expired: [{ callId: 'c1', expiredAtMs: 2000 }] }]
    const rule = INVARIANTS.find((each) => each.rule.includes('outlives'))!
    expect(rule.breaches({ ...good, leases, troubles: [{ fromMs: 0, untilMs: 5000 }] })).toEqual([])
  })
})
