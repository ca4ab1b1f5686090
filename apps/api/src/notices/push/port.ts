import type { ShellPlatform } from '@parley/contract'

/** What a phone shows. Nothing that was said, and no private value: a lock screen is read by anybody. */
export interface PushMessage {
  readonly title: string
  readonly body: string
  /** Opens the call; a later message about it takes the place of an earlier one. */
  readonly callId: string
}

export type PushResult =
  | { readonly kind: 'sent' }
  /** The token is dead: forget it. */
  | { readonly kind: 'gone' }
  /** The service is busy or away: try again, at the earliest after the time it named. */
  | { readonly kind: 'later'; readonly problem: string; readonly afterSeconds: number | undefined }
  /** The service refuses our keys or the message: trying again changes nothing. */
  | { readonly kind: 'refused'; readonly problem: string }

/** A service that notifies phones of one platform. */
export interface PushSender {
  /** Never rejects. */
  send(token: string, message: PushMessage): Promise<PushResult>
  /** Whether the service takes our keys, without notifying anybody. Never rejects. */
  check(): Promise<PushResult>
}

/** By platform; without keys there is none. */
export type PushSenders = Partial<Readonly<Record<ShellPlatform, PushSender>>>

/** Seconds after which a message is of no use: the service drops it then. */
export const PUSH_LIFETIME_SECONDS = 3600
/** Of a request to a service. */
export const PUSH_DEADLINE_MS = 10_000

/** Whole seconds of a Retry-After header; undefined without one. */
export function secondsIn(header: string | null | undefined): number | undefined {
  return header !== null && header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : undefined
}

export function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
