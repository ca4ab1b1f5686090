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

/** lines: calls of the plan at once; account: those of the account. */
export type WaitsFor = 'hours' | 'retries' | 'minute' | 'lines' | 'account' | 'hour' | 'day' | 'calls'

export interface Pace {
  readonly dial: number
  /** The earliest known time for more dialing; the end of a call makes it earlier. */
  readonly lookAt: Date
  /** The limit that prevents more dialing; null: none. */
  readonly waitsFor: WaitsFor | null
}

const MINUTE_MS = 60_000
/** After all that were due were dialed: what became of them. */
export const IDLE_MS = 5000
/** The end of a call of the batch brings the look forward; see results/ended.ts. */
const OWN_END_MS = MINUTE_MS
/** So does that of a call of the account, but for a few batches at a time; see agenda.ts. */
export const ACCOUNT_END_MS = 10_000
/** The rest of an account's limits is reserved for single calls. */
const SHARE_OF_LISTS = 0.8

/** The share of an account's limit for batches, always below the limit, so that a single call stays possible. */
export function shareOf(limit: number): number {
  return Math.max(1, Math.min(limit - 1, Math.floor(limit * SHARE_OF_LISTS)))
}

interface Room {
  /** Calls that may begin now; negative above a limit. */
  readonly left: number
  readonly tightest: WaitsFor
  /** When the tightest limit may allow more. */
  readonly more: Date
}

/** What the limits leave, whichever contacts are due. */
export function roomOf(batch: BatchPace, { limits, ...account }: AccountPace, now: Date): Room {
  const after = (ms: number) => new Date(now.getTime() + ms)
  const minuteEnds = new Date((batch.firstOfMinute ?? now).getTime() + batch.minuteMs)
  const rooms: readonly Room[] = [
    { tightest: 'minute', left: batch.callsPerMinute - batch.dialedLastMinute, more: minuteEnds },
    {
      tightest: 'lines',
      left: (batch.liveCallsMax ?? Number.POSITIVE_INFINITY) - batch.liveCalls,
      more: after(OWN_END_MS),
    },
    {
      tightest: 'account',
      left: shareOf(limits.liveCallsPerAccount) - account.liveCalls,
      more: after(ACCOUNT_END_MS),
    },
    { tightest: 'hour', left: shareOf(limits.callsPerHour) - account.callsLastHour, more: after(MINUTE_MS) },
    // Each call costs at least one credit.
    { tightest: 'day', left: shareOf(limits.creditsPerDay) - account.creditsLastDay, more: after(5 * MINUTE_MS) },
  ]
  return rooms.reduce((least, each) => (each.left < least.left ? each : least))
}

export function pace(batch: BatchPace, account: AccountPace, ready: Ready, now: Date): Pace {
  const after = (ms: number) => new Date(now.getTime() + ms)
  const later = (at: Date) => (at > now ? at : after(1))
  if (ready.contacts === 0) {
    const next = [ready.opensAt, ready.nextRetryAt]
      .filter((at) => at !== null)
      .toSorted((a, b) => a.getTime() - b.getTime())
    const [soonest] = next
    if (soonest === undefined) return { dial: 0, lookAt: after(OWN_END_MS), waitsFor: 'calls' }
    return { dial: 0, lookAt: later(soonest), waitsFor: soonest === ready.opensAt ? 'hours' : 'retries' }
  }
  const { left, tightest, more } = roomOf(batch, account, now)
  if (ready.contacts <= left) return { dial: ready.contacts, lookAt: after(IDLE_MS), waitsFor: null }
  return { dial: Math.max(0, left), lookAt: later(more), waitsFor: tightest }
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
