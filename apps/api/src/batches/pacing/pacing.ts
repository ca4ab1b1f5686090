// How many calls batches may start now, and when to look again. Pure: (batch, account's limits, live calls, hours,
// now).

export interface BatchPace {
  /** Concurrency of the batch's plan; null: the account's limit. */
  readonly liveCallsMax: number | null
  readonly callsPerMinute: number
  /** A minute of call time in wall-clock ms; shorter with a clock speed above 1. */
  readonly minuteMs: number
  readonly liveCalls: number
  /** Calls started in the last minute, and when the first of them was. */
  readonly dialedLastMinute: number
  readonly firstOfMinute: Date | null
}

export interface AccountPace {
  readonly limits: {
    readonly liveCallsPerAccount: number
    readonly callsPerHour: number
    readonly creditsPerDay: number
  }
  readonly liveCalls: number
  readonly callsLastHour: number
  readonly creditsLastDay: number
}

/** Contacts due in places within calling hours, and when more become due. */
export interface Ready {
  readonly contacts: number
  /** When the first place opens, if all are closed now. */
  readonly opensAt: Date | null
  readonly nextRetryAt: Date | null
}

const WAITS_FOR = ['hours', 'retries', 'minute', 'lines', 'hour', 'day', 'calls'] as const
export type WaitsFor = (typeof WAITS_FOR)[number]

export interface Pace {
  readonly dial: number
  /** The earliest known time for more dialing; the end of a call makes it earlier. */
  readonly lookAt: Date
  /** The limit that prevents more dialing; null: none. */
  readonly waitsFor: WaitsFor | null
}

const MINUTE_MS = 60_000
/** Fallback while waiting for a call to end, since its end triggers a round. */
const IDLE_MS = 5000
/** The rest of an account's limits is reserved for single calls. */
const SHARE_OF_LISTS = 0.8

/** The share of an account's limit for batches, always below the limit, so that a single call stays possible. */
export function shareOf(limit: number): number {
  return Math.max(1, Math.min(limit - 1, Math.floor(limit * SHARE_OF_LISTS)))
}

export function pace(batch: BatchPace, account: AccountPace, ready: Ready, now: Date): Pace {
  const after = (ms: number) => new Date(now.getTime() + ms)
  const waitFor = (waitsFor: WaitsFor, lookAt: Date): Pace => ({
    dial: 0,
    lookAt: lookAt > now ? lookAt : after(1),
    waitsFor,
  })
  if (ready.contacts === 0) {
    const next = [ready.opensAt, ready.nextRetryAt]
      .filter((at) => at !== null)
      .toSorted((a, b) => a.getTime() - b.getTime())
    const [soonest] = next
    if (soonest === undefined) return waitFor('calls', after(IDLE_MS))
    return waitFor(soonest === ready.opensAt ? 'hours' : 'retries', soonest)
  }
  const { limits } = account
  const room: readonly (readonly [WaitsFor, number, Date])[] = [
    [
      'minute',
      batch.callsPerMinute - batch.dialedLastMinute,
      new Date((batch.firstOfMinute ?? now).getTime() + batch.minuteMs),
    ],
    ['lines', (batch.liveCallsMax ?? Number.POSITIVE_INFINITY) - batch.liveCalls, after(IDLE_MS)],
    ['lines', shareOf(limits.liveCallsPerAccount) - account.liveCalls, after(IDLE_MS)],
    ['hour', shareOf(limits.callsPerHour) - account.callsLastHour, after(MINUTE_MS)],
    // Each call costs at least one credit.
    ['day', shareOf(limits.creditsPerDay) - account.creditsLastDay, after(5 * MINUTE_MS)],
  ]
  const [tightest, left, lookAt] = room.reduce((least, each) => (each[1] < least[1] ? each : least))
  if (left <= 0) return waitFor(tightest, lookAt)
  if (ready.contacts <= left) return { dial: ready.contacts, lookAt: after(IDLE_MS), waitsFor: null }
  return { dial: left, lookAt: lookAt > now ? lookAt : after(1), waitsFor: tightest }
}

export interface Demand {
  readonly userId: string
  readonly batchId: string
  readonly dial: number
}

/**
 * Deals free slots out round-robin: across accounts, beginning after the last one served, and across the batches of an
 * account. `mostOf`: calls that an account may still start, over all its batches.
 */
export function deal(
  demands: readonly Demand[],
  freeSlots: number,
  mostOf: (userId: string) => number,
  servedLast: string | null,
): { readonly batchIds: readonly string[]; readonly servedLast: string | null } {
  const accounts = [...Map.groupBy(demands, ({ userId }) => userId)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const first = accounts.findIndex(([userId]) => servedLast !== null && userId > servedLast)
  const inTurn = first <= 0 ? accounts : [...accounts.slice(first), ...accounts.slice(0, first)]
  const queues = inTurn.map(([userId, lists]) => ({ userId, lists: roundRobin(lists), left: mostOf(userId) }))
  const batchIds: string[] = []
  let last = servedLast
  for (let dealt = true; dealt && batchIds.length < freeSlots;) {
    dealt = false
    for (const queue of queues) {
      if (batchIds.length >= freeSlots || queue.left <= 0) continue
      const next = queue.lists.next()
      if (next.done) continue
      batchIds.push(next.value)
      queue.left--
      last = queue.userId
      dealt = true
    }
  }
  return { batchIds, servedLast: last }
}

function* roundRobin(lists: readonly Demand[]): Generator<string, undefined> {
  const most = Math.max(...lists.map(({ dial }) => dial))
  for (let turn = 0; turn < most; turn++) {
    for (const { batchId, dial } of lists) if (turn < dial) yield batchId
  }
  return undefined
}
