// What a request to a language model says, whichever wire format it came in, and what it is answered.

export type WireFormat = 'openai' | 'anthropic' | 'google'

interface ModelMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** A request for a reply, in the same form for every vendor. */
export interface ModelRequest {
  /** From 0, in the order of arrival. */
  readonly index: number
  readonly wire: WireFormat
  readonly model: string
  readonly system: string
  readonly messages: readonly ModelMessage[]
  /** Names of the tools offered. */
  readonly tools: readonly string[]
  /** The JSON schema that the answer must fit; null: an answer in words. */
  readonly schema: unknown
  readonly maxTokens: number | null
  /** As it came. */
  readonly body: Readonly<Record<string, unknown>>
}

export type ModelStep =
  /** One delta of text. */
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'think'; readonly text: string }
  | { readonly type: 'call'; readonly name: string; readonly input: unknown }
  /** Its arguments as they are, valid or not. */
  | { readonly type: 'raw_call'; readonly name: string; readonly input: string }
  | { readonly type: 'wait'; readonly ms: number }
  /** Bytes of the stream: half a frame, a line that is no event. */
  | { readonly type: 'bytes'; readonly text: string }
  /** The connection breaks here. */
  | { readonly type: 'drop' }
  /** Nothing more comes, and the connection stays open. */
  | { readonly type: 'stall' }

/** How the vendor says that it is done; none: it says nothing and closes. */
export type ModelFinish = 'stop' | 'tools' | 'length' | 'filter' | 'none'

export interface ModelStream {
  readonly steps: readonly ModelStep[]
  /** By default `tools` where there is a call, else `stop`. */
  readonly finish?: ModelFinish
  readonly usage?: { readonly input: number; readonly output: number }
  /** Before the first byte of the answer. */
  readonly headMs?: number
}

export interface ModelRefusal {
  readonly status: number
  readonly message?: string
  readonly retryAfterSeconds?: number
  readonly headMs?: number
}

export type ModelAnswer = ModelStream | ModelRefusal

/** Deltas of a text, cut behind each word. */
export function words(text: string): ModelStep[] {
  return text.split(/(?<=\s)(?=\S)/).map((delta) => ({ type: 'say', text: delta }))
}

/** A reply of words, and then calls of tools. */
export function spoken(text: string, ...calls: readonly (readonly [name: string, input: unknown])[]): ModelStream {
  const acted = calls.map(([name, input]): ModelStep => ({ type: 'call', name, input }))
  return { steps: [...(text === '' ? [] : words(text)), ...acted] }
}
