import type { Clock } from '@parley/voice-ports'
import type { Account } from './account.ts'
import type { Speak } from '../network/sound.ts'
import type { Beat } from './media/beat.ts'
import type { FaultBoard } from './faults.ts'
import type { Pickup } from './parties.ts'
import type { Webhooks } from './webhooks.ts'

export interface Timing {
  /** From the request to ringing, or to a refusal. */
  readonly setupMs: number
  /** From ringing to the answer, where a script names no time; null: as long as the persona takes. */
  readonly ringMs: number | null
  /** From the answer to the verdict of machine detection. */
  readonly verdictMs: number
  /** From the end to the price. */
  readonly priceMs: number
}

/** What every call of a far end shares. */
export interface World {
  readonly account: Account
  readonly clock: Clock
  readonly beat: Beat
  readonly webhooks: Webhooks
  readonly faults: FaultBoard
  readonly timing: Timing
  readonly speak: Speak
  /** Price of a started minute. */
  readonly minutePrice: number
  /** Whether a malformed message on a stream closes it, or is only noted. */
  readonly malformed: 'closes' | 'warns'
  readonly pickup: (to: string) => Pickup
  /** Something that Twilio's debugger would show. */
  readonly warn: (callSid: string, code: number, message: string) => void
}
