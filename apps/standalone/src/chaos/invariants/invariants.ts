import type { Evidence, Trouble } from './evidence.ts'

/** What holds of every run, whatever broke in it. */
export interface Invariant {
  readonly rule: string
  /** A sentence for each breach. */
  readonly breaches: (evidence: Evidence) => string[]
}

/** A dead node's leases are settled within this time after they expired. */
const LEASE_OUTLIVES_MS = 10_000

export const INVARIANTS: readonly Invariant[] = [
  { rule: 'No fact from a stale fence is taken', breaches: staleFacts },
  { rule: 'Facts of a call are numbered without a gap, and none is lost', breaches: gaps },
  { rule: 'Every accepted order reaches an end', breaches: endless },
  { rule: 'No order is carried out twice', breaches: repeated },
  { rule: 'Each call is charged exactly once', breaches: wrongCharges },
  { rule: 'The books sum to zero, and all rules of the ledger hold', breaches: ({ wrongBooks }) => [...wrongBooks] },
  { rule: 'Each payment is credited exactly once', breaches: wrongPayments },
  { rule: 'No node has more leases than its capacity', breaches: overbooked },
  { rule: 'No lease outlives its expiry by more than 10 s', breaches: outlived },
  { rule: 'Every webhook arrives at least once, under one id', breaches: wrongWebhooks },
  { rule: 'Nobody is called after an opt-out', breaches: calledAgain },
]

export interface Finding {
  readonly rule: string
  readonly breaches: readonly string[]
}

export function judge(evidence: Evidence): Finding[] {
  return INVARIANTS.map(({ rule, breaches }) => ({ rule, breaches: breaches(evidence) }))
}

/** Giving a lease and taking a fact both lock the call: what is asked after a lease was written comes after it. */
function staleFacts({ reports, given }: Evidence): string[] {
  const leases = Map.groupBy(given, ({ callId }) => callId)
  return reports.flatMap(({ callId, fence, atMs, status, seqs }) => {
    if (status !== 200 || fence === undefined) return []
    const newer = leases.get(callId)?.find((lease) => lease.fence > fence && lease.atMs < atMs)
    return newer ? [`Call ${callId}: facts ${seqs.join(', ')} of fence ${fence} were taken after ${newer.fence}.`] : []
  })
}

function gaps({ reports, calls }: Evidence): string[] {
  const sent = Map.groupBy(reports, ({ callId }) => callId)
  return calls.flatMap(({ id, factsTaken }) => {
    const ofCall = sent.get(id) ?? []
    const numbers = new Set(ofCall.flatMap(({ seqs }) => seqs))
    const missing = Array.from({ length: factsTaken }, (_, at) => at + 1).filter((seq) => !numbers.has(seq))
    const lost = [...numbers].filter((seq) => seq > factsTaken)
    const answers = ofCall.flatMap(({ taken }) => taken ?? [])
    const most = Math.max(0, ...answers)
    return [
      ...(missing.length > 0 ? [`Call ${id} has ${factsTaken} facts, and nobody sent ${missing.join(', ')}.`] : []),
      ...(lost.length > 0 ? [`Call ${id} has ${factsTaken} facts, and ${lost.join(', ')} were sent.`] : []),
      ...(most > factsTaken ? [`Call ${id} has ${factsTaken} facts, and ${most} were said to be taken.`] : []),
    ]
  })
}

const BATCH_ENDS: readonly string[] = ['done', 'stopped']

function endless({ accepted, calls, batches, holds }: Evidence): string[] {
  const ended = new Map<string, boolean>([
    ...calls.map(({ id, hasEnded }) => [id, hasEnded] as const),
    ...batches.map(({ id, status }) => [id, BATCH_ENDS.includes(status)] as const),
  ])
  return [
    ...accepted.flatMap(({ kind, id, key }) => {
      if (ended.get(id) === undefined) return [`The ${kind} ${id} (${key}) was accepted, and is not there.`]
      return ended.get(id) === true ? [] : [`The ${kind} ${id} (${key}) has not ended.`]
    }),
    // Also of lists, and of orders whose answer was lost.
    ...calls.flatMap(({ id, batchId, hasEnded }) =>
      hasEnded ? [] : [`Call ${id} of ${batchId ?? 'no list'} is live.`],
    ),
    ...holds.flatMap(({ callId, state }) => (state === 'active' ? [`Call ${callId} still holds credits.`] : [])),
  ]
}

function repeated({ accepted, calls, batches }: Evidence): string[] {
  const dialed = calls.filter(({ wasDialed }) => wasDialed)
  const single = calls.filter(({ batchId }) => batchId === null)
  return [
    ...twice(single, ({ purpose }) => purpose).map((purpose) => `More than one call was made to "${purpose}".`),
    ...twice(batches, ({ name }) => name).map((name) => `More than one list was made for "${name}".`),
    ...twice(accepted, ({ key }) => key).map((key) => `"${key}" was accepted more than once.`),
    ...twice(
      dialed.filter(({ batchId }) => batchId !== null),
      ({ batchId, callee }) => `${callee} of list ${batchId}`,
    ).map((contact) => `${contact} was called more than once.`),
  ]
}

function wrongCharges({ calls, charges, holds }: Evidence): string[] {
  const booked = new Map(charges.map((charge) => [charge.callId, charge]))
  const held = new Set(holds.map(({ callId }) => callId))
  const known = new Set(calls.map(({ id }) => id))
  return [
    ...calls.flatMap(({ id, creditsCharged }) => {
      const { events = 0, credits = 0 } = booked.get(id) ?? {}
      if (!held.has(id)) return [`Call ${id} has no hold.`]
      if (events > 1) return [`Call ${id} was charged ${events} times.`]
      return credits === (creditsCharged ?? 0) ? [] : [`Call ${id} says ${creditsCharged}, the books say ${credits}.`]
    }),
    ...charges.flatMap(({ callId }) => (known.has(callId) ? [] : [`A call ${callId} was charged that is not there.`])),
  ]
}

function wrongPayments({ paid, credited }: Evidence): string[] {
  return [
    ...paid.filter((each) => !credited.includes(each)).map((each) => `${each} was paid and not credited.`),
    ...credited.filter((each) => !paid.includes(each)).map((each) => `${each} was credited and not paid.`),
    ...twice(credited, (each) => each).map((each) => `${each} was credited more than once.`),
  ]
}

function overbooked({ leases }: Evidence): string[] {
  return leases.flatMap(({ nodes }) =>
    nodes.flatMap(({ node, leases: held, capacity }) =>
      held > capacity ? [`${node} had ${held} leases with a capacity of ${capacity}.`] : [],
    ),
  )
}

/** The time in which nobody could have settled them does not count. */
function outlived({ leases, troubles }: Evidence): string[] {
  const worst = new Map<string, number>()
  for (const { atMs, expired } of leases)
    for (const { callId, expiredAtMs } of expired) {
      const lateMs = calmMs(expiredAtMs, atMs, troubles)
      if (lateMs > Math.max(LEASE_OUTLIVES_MS, worst.get(callId) ?? 0)) worst.set(callId, lateMs)
    }
  return [...worst].map(
    ([callId, ms]) => `The lease of call ${callId} outlived its expiry by ${Math.round(ms / 100) / 10} s.`,
  )
}

/** Of the time between the two, what no trouble covers. */
export function calmMs(fromMs: number, untilMs: number, troubles: readonly Trouble[]): number {
  let calm = 0
  let at = fromMs
  for (const trouble of troubles.toSorted((one, other) => one.fromMs - other.fromMs)) {
    if (trouble.fromMs >= untilMs) break
    calm += Math.max(0, trouble.fromMs - at)
    at = Math.max(at, trouble.untilMs)
  }
  return calm + Math.max(0, untilMs - at)
}

const ENDINGS: readonly string[] = ['call.completed', 'call.failed']

function wrongWebhooks({ calls, batches, deliveries, receipts }: Evidence): string[] {
  const received = new Set(receipts.map(({ id }) => id))
  const known = new Set(deliveries.map(({ id }) => id))
  const ends = new Set(receipts.flatMap(({ type, about }) => (ENDINGS.includes(type) ? (about ?? []) : [])))
  const listEnds = new Set(receipts.flatMap(({ type, about }) => (type === 'batch.completed' ? (about ?? []) : [])))
  // An event of a call by all the ids under which it came.
  const ids = Map.groupBy(
    receipts.filter(({ about }) => about !== undefined),
    ({ type, about }) => `${ENDINGS.includes(type) ? 'the end' : type} of ${about}`,
  )
  return [
    ...calls.flatMap(({ id, hasEnded }) =>
      hasEnded && !ends.has(id) ? [`No webhook told the end of call ${id}.`] : [],
    ),
    ...batches.flatMap(({ id, status }) =>
      status === 'done' && !listEnds.has(id) ? [`No webhook told the end of list ${id}.`] : [],
    ),
    ...deliveries.flatMap(({ id, type, isDelivered }) =>
      isDelivered && received.has(id)
        ? []
        : [`Webhook ${id} (${type}) ${received.has(id) ? 'is still due' : 'never came'}.`],
    ),
    ...[...received].filter((id) => !known.has(id)).map((id) => `Webhook ${id} came, and nobody knows it.`),
    ...[...ids].flatMap(([event, each]) =>
      new Set(each.map(({ id }) => id)).size > 1 ? [`${event} came under more than one id.`] : [],
    ),
  ]
}

function calledAgain({ calls, optOuts }: Evidence): string[] {
  return optOuts.flatMap(({ userId, phone, atMs }) =>
    calls
      .filter((call) => call.userId === userId && call.callee === phone && call.wasDialed && call.createdAtMs > atMs)
      .map(({ id }) => `Call ${id} was made after its callee had opted out.`),
  )
}

function twice<T>(values: readonly T[], keyOf: (value: T) => string): string[] {
  return [...Map.groupBy(values, keyOf)].flatMap(([key, each]) => (each.length > 1 ? [key] : []))
}
