import type { Carrier, Ear, Mind, Mouth, SpeechDetector, Ticker, TurnEnd } from '@parley/voice-ports'
import type { FactsAdapters } from '../reporting/facts.ts'

/** What a session needs of the outside. */
export interface SessionAdapters extends FactsAdapters {
  readonly carrier: Carrier
  /** The first is used; the others take over when it fails. */
  readonly ears: readonly Ear[]
  /** Without one, the words alone tell the end of a turn. */
  readonly turnEnd?: TurnEnd | null
  /** Without one, the level alone tells speech from noise. */
  readonly speechDetector?: SpeechDetector | null
  readonly mouth: Mouth
  readonly mind: Mind
  readonly ticker: Ticker
  /** Where a carrier reaches this node; without it, nowhere. */
  readonly webhookBase?: string | null
}
