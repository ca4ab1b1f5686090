import type { CallOrder, CallSummary, EndReason, Outcome } from '@parley/contract'

/** A line of the conversation as both sides know it: the agent's own lines only as far as they were heard. */
export interface HeardTurn {
  readonly index: number
  readonly speaker: 'agent' | 'user'
  readonly text: string
  /** false when the agent was cut short. */
  readonly heard: boolean
}

/** What the mind is asked to answer to. */
export type Cue =
  /** The call was answered and the disclosure has been spoken by the server: go on from there. */
  | { readonly type: 'opening' }
  | { readonly type: 'heard'; readonly text: string }
  /** Nobody has spoken for a while; count is 1 for the first time in a row. */
  | { readonly type: 'silence'; readonly count: number }
  /** The person behind the call says something to the agent. */
  | { readonly type: 'instruction'; readonly text: string }
  /** The time limit is near: close. */
  | { readonly type: 'time_nearly_up' }
  /**
   * A recorded greeting has ended with its beep, and the server has said once more who is calling: leave one message.
   */
  | { readonly type: 'voicemail' }
  | { readonly type: 'menu'; readonly text: string }
  | { readonly type: 'screening'; readonly text: string }

export type MindEvent =
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'press'; readonly digits: string }
  | { readonly type: 'outcome'; readonly index: number; readonly outcome: Outcome }
  /** Which objective is being worked on; a stage for the person watching. */
  | { readonly type: 'phase'; readonly phase: string }
  | { readonly type: 'language'; readonly language: string }
  | { readonly type: 'opted_out'; readonly quote: string }
  /** After what was said has been heard. */
  | { readonly type: 'hang_up'; readonly reason: EndReason }
  /** Comes last: what the mind wants to be given next time. Kept only if this reply was used. */
  | { readonly type: 'memory'; readonly memory: unknown }

/** Everything a reply may depend on; asking twice with the same gives the same, so a reply can be thrown away. */
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
  /** After the call. `turns` is the whole conversation as heard. */
  conclude(asked: Omit<Asked, 'cue'> & { readonly endReason: EndReason }, signal: AbortSignal): Promise<Conclusion>
}

export interface Conclusion {
  /** One for each objective, in order. */
  readonly outcomes: readonly Outcome[]
  readonly summary: CallSummary
}
