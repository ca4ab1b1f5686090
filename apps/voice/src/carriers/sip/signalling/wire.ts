import type { Buffer } from 'node:buffer'
import type { Facts, SipMessage } from './message.ts'

type TransportName = 'udp' | 'tcp' | 'tls'

/** Where a message goes, or came from. */
export interface Target {
  readonly transport: TransportName
  /** IP address without brackets. */
  readonly address: string
  readonly port: number
  /** The name that a TLS certificate must bear; null: none is checked, since there is no TLS. */
  readonly serverName: string | null
}

export interface Received {
  readonly message: SipMessage
  readonly facts: Facts
  readonly source: Target
}

export interface SendFailure {
  readonly kind: 'refused' | 'unreachable' | 'certificate' | 'closed' | 'busy'
  /** One sentence. */
  readonly message: string
}

/** Carries messages; the transactions above it know no socket. */
export interface Wire {
  /** `onFailed` is called at most once, after send() has returned, where the message did not leave this machine. */
  send(bytes: Buffer, target: Target, onFailed: (failure: SendFailure) => void): void
  /** host and port: what the far end sends SIP to, as it sees us. address: of this machine, towards it. */
  localTo(target: Target): { readonly host: string; readonly port: number; readonly address: string }
}

/** RFC 3261 table 4; T1 is the estimate of a round trip, doubled with each retransmission up to T2. */
export const T1_MS = 500
export const T2_MS = 4000
/** How long a message may stay in the network. */
export const T4_MS = 5000
/** Timers B, D, F, H, J, L and M. */
export const GIVE_UP_MS = 64 * T1_MS

export const isReliable = ({ transport }: Target): boolean => transport !== 'udp'
