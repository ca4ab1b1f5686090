/**
 * A callee of the simulated network, as data. Rules are tried in order and the first that fits is taken, so special
 * rules stand before general ones.
 */
export interface Persona {
  /** The last digits of its number, after 555. */
  readonly number: string
  readonly about: string
  readonly language: string
  readonly pickup: Pickup
  /** The call begins in `first`. */
  readonly scenes: { readonly first: Scene; readonly [name: string]: Scene }
}

/** A stage of the call with one speaker. */
export interface Scene {
  readonly voiceId: string
  /**
   * A person waits for a pause and stops when the agent keeps talking. A machine does neither, and ignores what is said
   * while it speaks.
   */
  readonly manners: 'person' | 'machine'
  readonly rules: readonly Rule[]
}

export type Pickup =
  | { readonly type: 'answers'; readonly afterMs: number }
  | { readonly type: 'busy' }
  | { readonly type: 'no_answer' }
  /** Rings until the user picks up. */
  | { readonly type: 'by_hand' }
  /** Tones and an announcement without an answer, then the end. */
  | { readonly type: 'not_in_service'; readonly announcement: string }

export type Trigger =
  /** The scene begins; in the first scene, the answer. */
  | { readonly type: 'start' }
  /** The agent has finished its turn. `says` is matched against its question, or all its words when there is none. */
  | { readonly type: 'turn'; readonly says: RegExp | null }
  /** The agent has finished one sentence, whether or not it goes on. */
  | { readonly type: 'sentence' }
  /**
   * The agent is within a sentence, so many words after its beginning or the last remark, and after the first
   * `sparedSentences`.
   */
  | { readonly type: 'mid_sentence'; readonly afterWords: number; readonly sparedSentences: number }
  | { readonly type: 'silence'; readonly ms: number }
  | { readonly type: 'digit'; readonly digit: string | null }
  /** `ms` after the scene began. */
  | { readonly type: 'elapsed'; readonly ms: number }

export type Act =
  /** One of the texts, in turn. {name} stands for a named group of what was heard. */
  | { readonly type: 'say'; readonly texts: readonly string[] }
  /** Repeats the last text. */
  | { readonly type: 'repeat' }
  | { readonly type: 'tone'; readonly tone: 'beep' | 'ringback'; readonly ms: number }
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'press'; readonly digits: string }
  | { readonly type: 'go'; readonly scene: string }
  | { readonly type: 'hang_up' }
  | { readonly type: 'drop' }

export interface Rule {
  readonly on: Trigger
  readonly does: readonly Act[]
  /** From the trigger to the act. */
  readonly afterMs: number
  /** Limit per call; without it, none. */
  readonly times?: number
  /** Speaks over the agent: as an interruption or as a back-channel. */
  readonly over?: 'interrupts' | 'cheers'
}

export const person = (voiceId: string, ...rules: readonly (Rule | readonly Rule[])[]): Scene => ({
  voiceId,
  manners: 'person',
  rules: rules.flat(),
})

export const machine = (voiceId: string, ...rules: readonly Rule[]): Scene => ({ voiceId, manners: 'machine', rules })

type Extras = Pick<Rule, 'times' | 'over'> & { readonly afterMs?: number }

const REACTION_MS = 250

const rule = (on: Trigger, does: readonly Act[], extras: Extras = {}): Rule => ({
  on,
  does,
  afterMs: REACTION_MS,
  ...extras,
})

export const onStart = (does: readonly Act[], extras?: Extras) => rule({ type: 'start' }, does, extras)
export const onTurn = (says: RegExp | null, does: readonly Act[], extras?: Extras) =>
  rule({ type: 'turn', says }, does, extras)
export const onSentence = (does: readonly Act[], extras?: Extras) => rule({ type: 'sentence' }, does, extras)
export const onMidSentence = (afterWords: number, sparedSentences: number, does: readonly Act[], extras?: Extras) =>
  rule({ type: 'mid_sentence', afterWords, sparedSentences }, does, { afterMs: 0, ...extras })
export const onSilence = (ms: number, does: readonly Act[], extras?: Extras) =>
  rule({ type: 'silence', ms }, does, extras)
export const onDigit = (digit: string | null, does: readonly Act[], extras?: Extras) =>
  rule({ type: 'digit', digit }, does, extras)
export const onElapsed = (ms: number, does: readonly Act[]) => rule({ type: 'elapsed', ms }, does, { afterMs: 0 })

export const say = (...texts: readonly string[]): Act => ({ type: 'say', texts })
export const wait = (ms: number): Act => ({ type: 'wait', ms })
export const go = (scene: string): Act => ({ type: 'go', scene })
export const press = (digits: string): Act => ({ type: 'press', digits })
export const tone = (kind: 'beep' | 'ringback', ms: number): Act => ({ type: 'tone', tone: kind, ms })
export const repeat: Act = { type: 'repeat' }
export const hangUp: Act = { type: 'hang_up' }
export const drop: Act = { type: 'drop' }

/** For callees that never speak. */
export const nobody: Persona['scenes'] = { first: machine('default') }

/** Whether the callee is a machine that records after a beep. */
export const beepsIn = ({ scenes }: Persona): boolean =>
  scenes.first.rules.some(({ does }) => does.some((act) => act.type === 'tone' && act.tone === 'beep'))

/** Rings as long as a person takes to pick up. */
export const answers = (afterMs = 2400): Pickup => ({ type: 'answers', afterMs })
