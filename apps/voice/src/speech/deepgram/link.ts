import type { Clock, EarEvent, Frame } from '@parley/voice-ports'
import type { Failure } from '../vendor/failures.ts'
import type { Plan } from './models.ts'

/** One connection to Deepgram, for one plan. */
export interface Link {
  push(frame: Frame): void
  finalize(): void
  /** This language is expected. False: another connection is needed. */
  setLanguage(language: string, plan: Plan): boolean
  /** No sound follows: says what is left, then onFinished. */
  finish(): void
  close(): void
}

export interface LinkOptions {
  readonly plan: Plan
  readonly language: string
  readonly url: string
  readonly apiKey: string
  readonly clock: Clock
  readonly settlesWithinMs: number
  readonly onReady: () => void
  readonly onEvent: (event: Exclude<EarEvent, { type: 'ready' | 'failed' }>) => void
  readonly onFailed: (failure: Failure) => void
  readonly onFinished: () => void
}

export const VENDOR = 'Deepgram'
/** Without sound for this long, something is sent that keeps the connection; the vendor closes it after 10 s. */
export const KEEP_EVERY_MS = 4000
/** Sound for which the vendor says nothing at all: within 10 s it sends a message, or is not well. */
export const MUTE_AFTER_MS = 12_000
