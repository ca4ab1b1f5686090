import type { Clock, Usage } from '@parley/voice-ports'
import { type ModelMessage, type Output, streamText, type SystemModelMessage } from 'ai'
import { ModelFailure, failureOf } from './failure.ts'
import type { TalkingModel } from './models.ts'
import type { Tools } from './tools.ts'

// Warnings would go to the process's own warnings.
globalThis.AI_SDK_LOG_WARNINGS = false

export interface Limits {
  /** To the first part that counts. The session gives a reply up after 6 s. */
  readonly firstMs: number
  /** Between two parts. */
  readonly gapMs: number
  readonly wholeMs: number
  readonly tokensMax: number
}

export interface Question {
  readonly instructions: SystemModelMessage[]
  readonly messages: ModelMessage[]
  readonly tools?: Tools
  /** The form of an answer that is not spoken. */
  readonly output?: Output.Output<unknown>
}

export type Part =
  | { readonly type: 'text'; readonly text: string }
  /** Keeps the place of the call; the call itself comes later. */
  | { readonly type: 'call_begins'; readonly id: string; readonly tool: string }
  | { readonly type: 'call'; readonly id: string; readonly tool: string; readonly input: unknown }
  /** Invalid: never acted on. */
  | { readonly type: 'call_void'; readonly id: string; readonly tool: string }
  | { readonly type: 'end'; readonly wasCut: boolean; readonly usage: Usage }

type AiParts = Awaited<ReturnType<typeof streamText<Tools>>['stream']>
type AiPart = AiParts extends AsyncIterable<infer P> ? P : never

/** One request to a model: its parts, each wait bounded. A failure throws a ModelFailure; an abort just ends it. */
export class Exchange {
  readonly #talking: TalkingModel
  readonly #limits: Limits
  readonly #clock: Clock
  readonly #abort = new AbortController()
  #failure: ModelFailure | null = null
  #cancelFirst: (() => void) | null = null
  #cancelGap: (() => void) | null = null

  constructor(talking: TalkingModel, limits: Limits, clock: Clock) {
    this.#talking = talking
    this.#limits = limits
    this.#clock = clock
  }

  /** Something that counts has come: from now on only the gaps and the whole are bounded. */
  counts(): void {
    this.#cancelFirst?.()
    this.#cancelFirst = null
  }

  async *parts(question: Question, signal: AbortSignal): AsyncGenerator<Part> {
    if (signal.aborted) return
    const { firstMs, wholeMs } = this.#limits
    const stop = () => this.#abort.abort()
    signal.addEventListener('abort', stop, { once: true })
    this.#cancelFirst = this.#within(firstMs, 'Nothing that can be spoken came in time.')
    const cancelWhole = this.#within(wholeMs, 'The answer took too long.')
    const parts = this.#stream(question)[Symbol.asyncIterator]()
    try {
      yield* this.#read(parts, signal)
    } finally {
      signal.removeEventListener('abort', stop)
      cancelWhole()
      this.counts()
      this.#cancelGap?.()
      // Closes the connection where the answer is left early.
      stop()
    }
  }

  async *#read(parts: AsyncIterator<AiPart>, signal: AbortSignal): AsyncGenerator<Part> {
    const gone = new Promise<null>((resolve) => {
      this.#abort.signal.addEventListener('abort', () => resolve(null), { once: true })
    })
    for (;;) {
      const next = await Promise.race([parts.next(), gone]).catch((error: unknown) => {
        if (!this.#abort.signal.aborted) this.#fail(failureOf(error))
        return null
      })
      if (signal.aborted) return
      if (this.#failure) throw this.#failure
      if (next === null || next.done === true) throw new ModelFailure('broken', 'The answer ended without its end.')
      this.#arrived()
      const part = this.#partOf(next.value)
      if (part) yield part
      if (signal.aborted) return
      if (part?.type === 'end') return
    }
  }

  #stream({ instructions, messages, tools, output }: Question): AsyncIterable<AiPart> {
    const { model, reasoning } = this.#talking
    return streamText({
      model,
      instructions,
      messages,
      ...(tools && { tools }),
      ...(output && { output }),
      ...(reasoning && { reasoning }),
      maxOutputTokens: this.#limits.tokensMax,
      // Retry and fail-over are ours, and so are the timers.
      maxRetries: 0,
      abortSignal: this.#abort.signal,
      // What is said in a call is personal.
      telemetry: { isEnabled: false },
      onError: () => undefined,
    }).stream as AsyncIterable<AiPart>
  }

  #partOf(part: AiPart): Part | null {
    switch (part.type) {
      case 'text-delta':
        return part.text === '' ? null : { type: 'text', text: part.text }
      case 'tool-input-start':
        return { type: 'call_begins', id: part.id, tool: part.toolName }
      case 'tool-call':
        return part.invalid === true
          ? { type: 'call_void', id: part.toolCallId, tool: part.toolName }
          : { type: 'call', id: part.toolCallId, tool: part.toolName, input: part.input }
      case 'error':
        throw failureOf(part.error)
      case 'abort':
        throw new ModelFailure('broken', 'The request was given up.')
      case 'finish':
        return this.#endOf(part)
      default:
        return null
    }
  }

  #endOf({ finishReason, totalUsage }: Extract<AiPart, { type: 'finish' }>): Part {
    if (finishReason === 'interrupted' || finishReason === 'error')
      throw new ModelFailure('broken', 'The answer ended without its end.')
    if (finishReason === 'content-filter') throw new ModelFailure('unusable', 'The vendor withheld the answer.')
    const tokens = (count: number | undefined) => Math.max(0, Math.round(count ?? 0))
    const { inputTokens, outputTokens } = totalUsage
    const usage = { inputTokens: tokens(inputTokens), outputTokens: tokens(outputTokens) }
    const { modelId: model } = this.#talking.model
    return { type: 'end', wasCut: finishReason === 'length', usage: { type: 'usage', ...usage, model } }
  }

  #arrived(): void {
    this.#cancelGap?.()
    this.#cancelGap = this.#cancelFirst ? null : this.#within(this.#limits.gapMs, 'The answer stopped in its middle.')
  }

  #within(ms: number, complaint: string): () => void {
    return this.#clock.after(ms, () => this.#fail(new ModelFailure('late', complaint)))
  }

  #fail(failure: ModelFailure): void {
    this.#failure ??= failure
    this.#abort.abort()
  }
}
