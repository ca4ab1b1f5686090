import type { EndReason, ErrorCode, Movement, PausedBy } from '@parley/contract'

/** What the server says in English, by the codes it sends along, for the languages it does not speak. */
export interface ServerWords {
  readonly errors: Readonly<Record<ErrorCode, string>>
  readonly endings: Readonly<Record<EndReason, string>>
  readonly movements: Readonly<Record<Movement['kind'], string>>
  readonly batchPaused: Readonly<Record<PausedBy, string>>
  readonly batchStopped: string
  /** What a running batch waits for: its retries, a limit, a line. */
  readonly batchWaits: string
  /** 'Chrome on Linux' */
  readonly device: (english: string) => string
  /** What a line of the security activity adds to its kind: a way to sign in, a device, a name that stays as it is. */
  readonly activity: (english: string) => string
  readonly topUpFailed: string
  readonly verificationMailed: string
  readonly resetMailed: string
  readonly passwordChanged: string
  readonly webhookTest: { readonly delivered: string; readonly failed: string }
  readonly deliveryFailed: string
}
