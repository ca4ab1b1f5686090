import type { CallOrder, CallSummary, EndReason, Outcome } from '@parley/contract'

/** A turn as both sides know it: the agent's turns only as far as they were heard. */
export interface HeardTurn {
  readonly index: number
  readonly speaker: 'agent' | 'user'
  readonly text: string
  /** false when the agent was cut short. */
  readonly heard: boolean
  /** Call time since the answer; endMs is null while it is being spoken. */
  readonly startMs: number
  readonly endMs: number | null
}

/** The event that the mind answers. */
export type Cue =
  /** The call was answered and the server has spoken the disclosure: begin. */
  | { readonly type: 'opening' }
  | { readonly type: 'heard'; readonly text: string }
  /** The callee is silent; count is 1 for the first time in a row. */
  | { readonly type: 'silence'; readonly count: number }
  /** An instruction of the user to the agent. */
  | { readonly type: 'instruction'; readonly text: string }
  /** The time limit is near: close the call. */
  | { readonly type: 'time_nearly_up' }
  /** A recorded greeting has ended with its beep and the server has repeated the disclosure: leave one message. */
  | { readonly type: 'voicemail' }
  | { readonly type: 'menu'; readonly text: string }
  | { readonly type: 'screening'; readonly text: string }

/** The reasons for which a mind may end a call; all others are found by the session. */
export const MIND_END_REASONS = [
  'agent_closed',
  'opted_out',
  'refused_to_talk',
  'silence',
  'time_limit',
  'voicemail',
] as const satisfies readonly EndReason[]
export type MindEndReason = (typeof MIND_END_REASONS)[number]

/** What a language model has read and written, for its costs. */
export interface Usage {
  readonly type: 'usage'
  readonly inputTokens: number
  readonly outputTokens: number
  readonly model: string
  /** Beside the speaking: outcomes while the call runs, its conclusion and its summary. */
  readonly task?: 'judging'
}

/** What an observer may find in the turns. */
export type Observation =
  | { readonly type: 'outcome'; readonly index: number; readonly outcome: Outcome }
  | { readonly type: 'language'; readonly language: string }
  | { readonly type: 'opted_out'; readonly quote: string }
  | Usage

export type MindEvent =
  | Observation
  /** A delta of speech, cut anywhere: the session finds the sentences. `isWhole`: it ends one, and is not cut again. */
  | { readonly type: 'say'; readonly text: string; readonly isWhole?: true }
  /**
   * Speech that the mind made itself (mu-law); it bypasses the mouth. `text` is a delta of its words and may come
   * before or behind their sound. Sounds of one item follow each other.
   */
  | { readonly type: 'sound'; readonly itemId: string; readonly audio: Uint8Array; readonly text?: string }
  /** Keys, pressed once everything before was heard. */
  | { readonly type: 'press'; readonly digits: string }
  /** The objective being worked on, for the user who watches. */
  | { readonly type: 'phase'; readonly phase: string }
  /** Connects the callee with somebody else, once everything before was heard. */
  | { readonly type: 'transfer'; readonly to: string }
  /** A question that only the user can answer. */
  | { readonly type: 'ask_owner'; readonly question: string }
  /** The callee asked for a moment: the next silence may last this long. */
  | { readonly type: 'wait'; readonly forMs: number }
  /** Hang up once everything said was heard; nothing but `usage` and `memory` follows. */
  | { readonly type: 'hang_up'; readonly reason: MindEndReason }
  /** Comes last: state passed to the next reply. Kept only if this reply is used. */
  | { readonly type: 'memory'; readonly memory: unknown }

/** What is known of the call. */
export interface CallState {
  readonly order: CallOrder
  readonly language: string
  readonly turns: readonly HeardTurn[]
  /** From the last reply that was used; undefined at first. */
  readonly memory: unknown
  /** The wall clock, and an IANA time zone: the callee's where their number tells it, else the user's, else UTC. */
  readonly now: Date
  readonly timezone: string
  /** Until the time limit of the call. */
  readonly timeLeftMs: number
  /** Of each objective so far, in order. */
  readonly outcomes: readonly Outcome[]
}

/** Everything a reply depends on: the same question gives the same reply, so a reply can be discarded. */
export interface Asked extends CallState {
  readonly cue: Cue
  /**
   * Asked before the callee's turn is certainly over: the reply may never be used. One that fails is asked for again
   * when it is needed, so that nobody else has to answer in its place.
   */
  readonly ahead?: boolean
}

export interface EndedCall extends CallState {
  readonly endReason: EndReason
}

export interface Mind {
  readonly name: string
  /** Whether it speaks a language (BCP 47); without this, every one. A call in another begins in English. */
  speaks?(language: string): boolean
  /** At least one event beside `usage` and `memory`; an empty reply is a fault. Aborting ends it without an error. */
  respond(asked: Asked, signal: AbortSignal): AsyncIterable<MindEvent>
  /** A second, cheaper look at the turns beside the speaking; what it says is not spoken. */
  observe?(asked: Asked, signal: AbortSignal): AsyncIterable<Observation>
  /** Called after the end. `turns` is the whole conversation as heard. */
  conclude(ended: EndedCall, signal: AbortSignal): Promise<Conclusion>
  /** How much of a sound item was heard, once it was heard out or cut short. */
  heard?(itemId: string, heardMs: number): void
  /** Nothing of a sound item was heard, and nothing will be: its reply was discarded. */
  dropped?(itemId: string): void
}

export interface Conclusion {
  /** One for each objective, in order. */
  readonly outcomes: readonly Outcome[]
  readonly summary: CallSummary
  /** What making it took of models. */
  readonly usage?: readonly Usage[]
}
