import type { Check } from '@parley/contract/checks'
import type { Clock } from '@parley/voice-ports'
import type { Logger } from 'pino'
import type { Config } from './config.ts'

export interface SpeechParts {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
}

/** A vendor's ear or mouth, and one harmless request that tells whether it would work. */
export interface SpeechAdapter<Part> {
  /** @throws ConfigError */
  create(parts: SpeechParts): Part | Promise<Part>
  check(parts: SpeechParts): Omit<Check, 'part'>
}

export type Adapters<Name extends string, Part> = Readonly<Partial<Record<Name, SpeechAdapter<Part>>>>
