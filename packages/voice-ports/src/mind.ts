import type { CallOrder, CallSummary, EndReason, Outcome } from '@parley/contract'

/** A turn as both sides know it: the agent's turns only as far as they were heard. */
export interface HeardTurn {
  readonly index: number
  readonly speaker: 'agent' | 'user'
  readonly text: string
  /** false when the agent was cut short. */
  readonly heard: boolean
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

export type MindEvent =
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'press'; readonly digits: string }
  | { readonly type: 'outcome'; readonly index: number; readonly outcome: Outcome }
  /** The objective being worked on, for the user who watches. */
  | { readonly type: 'phase'; readonly phase: string }
  | { readonly type: 'language'; readonly language: string }
  | { readonly type: 'opted_out'; readonly quote: string }
  /** Hang up once everything said was heard. */
  | { readonly type: 'hang_up'; readonly reason: EndReason }
  /** Comes last: state passed to the next reply. Kept only if this reply is used. */
  | { readonly type: 'memory'; readonly memory: unknown }

/** Everything a reply depends on: the same question gives the same reply, so a reply can be discarded. */
export interface Asked {
  readonly order: CallOrder
  readonly language: string
  readonly turns: readonly HeardTurn[]
  readonly cue: Cue
  /** From the last reply that was used; undefined at first. */
  readonly memory: unknown
}

export interface Mind {
  readonly name: string
  /** At least one event before `memory`; an empty reply is a fault. Aborting ends the iteration without an error. */
  respond(asked: Asked, signal: AbortSignal): AsyncIterable<MindEvent>
  /** Called after the end. `turns` is the whole conversation as heard. */
  conclude(asked: Omit<Asked, 'cue'> & { readonly endReason: EndReason }, signal: AbortSignal): Promise<Conclusion>
}

export interface Conclusion {
  /** One for each objective, in order. */
  readonly outcomes: readonly Outcome[]
  readonly summary: CallSummary
}
