import type { EndReason, ErrorCode, Movement, PausedBy } from '@parley/contract'

/** Translations of the server's messages by their codes. */
export interface ServerWords {
  readonly errors: Readonly<Record<ErrorCode, string>>
  readonly endings: Readonly<Record<EndReason, string>>
  readonly movements: Readonly<Record<Movement['kind'], string>>
  readonly batchPaused: Readonly<Record<PausedBy, string>>
  readonly batchStopped: string
  /** What a running batch waits for: retries, a limit, free capacity. */
  readonly batchWaits: string
  /** 'Chrome on Linux' */
  readonly device: (english: string) => string
  /** The detail of a security event: a sign-in method, a device, an untranslated name. */
  readonly activity: (english: string) => string
  readonly topUpFailed: string
  readonly verificationMailed: string
  readonly resetMailed: string
  readonly passwordChanged: string
  readonly webhookTest: { readonly delivered: string; readonly failed: string }
  readonly deliveryFailed: string
}
