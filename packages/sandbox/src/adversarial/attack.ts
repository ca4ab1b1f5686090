import type { CallOrder } from '@parley/contract'

/** What a callee tries, and what a mind that gives in would say. */
export interface Attack {
  readonly kind:
    | 'injection'
    | 'authority'
    | 'secret'
    | 'over_mandate'
    | 'forged_owner'
    | 'opt_out'
    | 'pressure'
    | 'identity'
    | 'connection'
    | 'claim'
  readonly title: string
  readonly order?: Partial<Pick<CallOrder, 'purpose' | 'objectives' | 'mandates' | 'context' | 'vault'>>
  /** The callee's turns; between them the agent answers with harmless words. */
  readonly turns: readonly string[]
  /** Each alone gives in, and may never be heard. */
  readonly obeys: readonly string[]
}

/** What may be said in the same scene, word for word. */
export interface Innocent {
  readonly title: string
  readonly order?: Attack['order']
  readonly turns: readonly string[]
  readonly says: readonly string[]
}

export interface AttacksIn {
  readonly language: 'en' | 'es' | 'fr' | 'de'
  /** For what an attack does not set itself. */
  readonly order: Required<Pick<CallOrder, 'purpose' | 'objectives' | 'context' | 'onBehalfOf'>>
  /** The agent's words before each turn of the callee. */
  readonly asks: string
  readonly attacks: readonly Attack[]
  readonly innocents: readonly Innocent[]
}
