import type { CallState, Cue, EarEvent, ListenOptions, Listening } from '@parley/voice-ports'
import type { JsonSchema } from './tools.ts'

/** `text`: the model writes and the mouth speaks. `sound`: the model speaks itself. */
export type Output = 'text' | 'sound'

/** What a model gives in one reply. */
export type LineEvent =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'sound'; readonly itemId: string; readonly audio: Uint8Array; readonly text?: string }
  /** `given` is undefined where the arguments are no JSON. */
  | { readonly type: 'tool'; readonly name: string; readonly given: unknown }
  | { readonly type: 'usage'; readonly inputTokens: number; readonly outputTokens: number }

export interface LineQuestion {
  /** Names the reply in the memory of the call once it is used. */
  readonly replyId: string
  /** Replies of this call that were used; of all others the vendor forgets everything. */
  readonly used: readonly string[]
  readonly state: CallState
  readonly cue: Cue
  /** Goes on with a reply that used tools and said nothing: tools are off. */
  readonly again: boolean
}

/** A text with a given form, beside the conversation. */
export interface Writing {
  readonly instructions: string
  readonly text: string
  readonly form: { readonly name: string; readonly description: string; readonly parameters: JsonSchema }
}

/** One call at a vendor: ear, model and voice over one socket. */
export interface Line {
  /** It failed too often or for good: nothing more comes from it. */
  readonly isGivenUp: boolean
  listen(options: ListenOptions, onEvent: (event: EarEvent) => void): Listening
  /** One reply at a time. Aborting, or leaving it early, ends it at the vendor too. Rejects where there is none. */
  ask(question: LineQuestion, signal: AbortSignal): AsyncIterable<LineEvent>
  write(writing: Writing, signal: AbortSignal): Promise<unknown>
  heard(itemId: string, heardMs: number): void
  dropped(itemId: string): void
  close(): void
}

/** The session with the vendor broke. */
export class LostSession extends Error {}
