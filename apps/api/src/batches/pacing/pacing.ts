// How many calls lists may begin now, and when to look again. Pure: (batch, account's limits, live calls, hours, now).

export interface BatchPace {
  /** Calls at once that its plan allows; null: as many as the account may. */
  readonly liveCallsMax: number | null
  readonly callsPerMinute: number
  /** A minute of call time: where calls run faster than the clock, it is shorter. */
  readonly minuteMs: number
  readonly liveCalls: number
  /** How many calls it began in the last minute, and when the first of those was. */
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

/** What there is to dial: contacts whose turn it is where calls may be made now, and when the next others come. */
export interface Ready {
  readonly contacts: number
  /** Nobody is open now, but somebody will be then. */
  readonly opensAt: Date | null
  readonly nextRetryAt: Date | null
}

const WAITS_FOR = ['hours', 'retries', 'minute', 'lines', 'hour', 'day', 'calls'] as const
export type WaitsFor = (typeof WAITS_FOR)[number]

export interface Pace {
  readonly dial: number
  /** When more may be dialed, as far as that is known; an ended call makes it sooner. */
  readonly lookAt: Date
  /** What keeps it from dialing more; null: nothing does. */
  readonly waitsFor: WaitsFor | null
}

const MINUTE_MS = 60_000
/** When what is waited for is another call's end, which tells by itself. */
const IDLE_MS = 5000
/** Of what an account may do, lists leave so much to single calls. */
const SHARE_OF_LISTS = 0.8

/** What lists may use of an account's limit: never all of it, so that a person can always call. */
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
    // Whatever a call will cost, it costs a credit.
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
 * Deals free lines out, one at a time and in turn: round the accounts, beginning after the one that was served last,
 * and within an account round its lists. `mostOf` is what an account may still begin, over all of its lists.
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
