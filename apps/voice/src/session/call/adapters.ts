import type { Carrier, Ear, Mind, Mouth, Ticker } from '@parley/voice-ports'
import type { FactsAdapters } from '../reporting/facts.ts'

/** What a session needs of the outside. */
export interface SessionAdapters extends FactsAdapters {
  readonly carrier: Carrier
  readonly ear: Ear
  readonly mouth: Mouth
  readonly mind: Mind
  readonly ticker: Ticker
  /** Where a carrier reaches this node; without it, nowhere. */
  readonly webhookBase?: string | null
}
