import type { Receipt } from '../cluster/receiver.ts'
import type { Report } from '../cluster/relay.ts'
import type { Accepted } from '../load/load.ts'

// What a run leaves behind, for the invariants to look at. Times are of this machine, in ms.

export interface CallSeen {
  readonly id: string
  readonly userId: string
  readonly batchId: string | null
  readonly callee: string
  readonly purpose: string
  readonly createdAtMs: number
  readonly hasEnded: boolean
  readonly factsTaken: number
  /** null while it is live. */
  readonly creditsCharged: number | null
  /** Whether a voice node may have dialed it. */
  readonly wasDialed: boolean
}

export interface ChargeSeen {
  readonly callId: string
  /** Events of the books that charge it. */
  readonly events: number
  readonly credits: number
}

export interface HoldSeen {
  readonly callId: string
  readonly state: 'active' | 'settled'
}

/** Every lease that was ever given. */
export interface LeaseGiven {
  readonly callId: string
  readonly fence: number
  readonly atMs: number
}

/** The leases of a moment. */
export interface LeasesSeen {
  readonly atMs: number
  readonly nodes: readonly { readonly node: string; readonly leases: number; readonly capacity: number }[]
  /** Those that have expired, and when. */
  readonly expired: readonly { readonly callId: string; readonly expiredAtMs: number }[]
}

/** A time in which leases of a dead node cannot be expected to be settled. */
export interface Trouble {
  readonly fromMs: number
  readonly untilMs: number
}

export interface DeliverySeen {
  readonly id: string
  readonly type: string
  readonly callId: string | null
  readonly isDelivered: boolean
}

export interface Evidence {
  readonly accepted: readonly Accepted[]
  readonly calls: readonly CallSeen[]
  readonly batches: readonly { readonly id: string; readonly name: string; readonly status: string }[]
  readonly charges: readonly ChargeSeen[]
  readonly holds: readonly HoldSeen[]
  readonly reports: readonly Report[]
  readonly given: readonly LeaseGiven[]
  readonly leases: readonly LeasesSeen[]
  readonly troubles: readonly Trouble[]
  readonly deliveries: readonly DeliverySeen[]
  readonly receipts: readonly Receipt[]
  /** Payments that the provider has taken the money for, and those that the api has credited, by intent. */
  readonly paid: readonly string[]
  readonly credited: readonly string[]
  /** Numbers that opted out, with when this was stored. */
  readonly optOuts: readonly { readonly userId: string; readonly phone: string; readonly atMs: number }[]
  /** What checkBooks says against the books. */
  readonly wrongBooks: readonly string[]
}
