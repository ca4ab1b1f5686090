import { EventQueue } from '../queue.ts'
import type { LineEvent } from '../line.ts'
import type { Ledger } from './ledger.ts'
import { type Replied, readArguments, type Response } from './wire.ts'

const BYTES_PER_MS = 8

export interface ExchangeOptions {
  /** Echoed by the vendor: tells whose response it is. */
  readonly askId: string
  readonly replyId: string
  /** null beside the conversation. */
  readonly ledger: Ledger | null
  readonly cancel: (responseId: string | null) => void
  readonly onOver: () => void
}

/** One response of the vendor, from its request to its last event. */
export class Exchange {
  readonly askId: string
  readonly events = new EventQueue<LineEvent>()
  readonly #options: ExchangeOptions
  #responseId: string | null = null
  #isCancelled = false
  #isOver = false
  readonly #calls: string[] = []

  constructor(options: ExchangeOptions) {
    this.askId = options.askId
    this.#options = options
  }

  get isOver(): boolean {
    return this.#isOver
  }

  isAbout(responseId: string): boolean {
    return this.#responseId === responseId
  }

  begin(responseId: string): void {
    this.#responseId = responseId
    if (this.#isCancelled) this.#options.cancel(responseId)
  }

  /** Nobody reads it any more. What still comes is dropped. */
  cancel(): void {
    if (this.#isCancelled || this.#isOver) return
    this.#isCancelled = true
    this.events.end()
    // One that is not begun yet is cancelled when it begins.
    if (this.#responseId !== null) this.#options.cancel(this.#responseId)
  }

  fail(error: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.events.end(error)
    this.#options.onOver()
  }

  take(event: Exclude<Replied, { type: 'response.created' }>): void {
    if (this.#isOver) return
    const { ledger, replyId } = this.#options
    switch (event.type) {
      case 'response.output_item.added':
        return ledger?.said(event.item.id, replyId, event.item.type === 'message' ? 'speech' : 'tool')
      case 'response.output_text.delta':
        return this.#text(event.item_id, event.delta)
      case 'response.output_audio_transcript.delta':
        return this.#sound(event.item_id, new Uint8Array(0), event.delta)
      case 'response.output_audio.delta':
        return this.#sound(event.item_id, Buffer.from(event.delta, 'base64'))
      case 'response.function_call_arguments.done':
        this.#calls.push(event.call_id)
        return this.events.push({ type: 'tool', name: event.name, given: readArguments(event.arguments) })
      case 'response.done':
        return this.#done(event.response)
    }
  }

  #text(itemId: string, delta: string): void {
    if (this.#isCancelled) return
    this.#options.ledger?.saidText(itemId, delta)
    this.events.push({ type: 'text', delta })
  }

  #sound(itemId: string, audio: Uint8Array, text?: string): void {
    if (this.#isCancelled) return
    if (text !== undefined) this.#options.ledger?.saidText(itemId, text)
    this.#options.ledger?.saidSound(itemId, audio.length / BYTES_PER_MS)
    this.events.push({ type: 'sound', itemId, audio, ...(text !== undefined && { text }) })
  }

  #done({ status, status_details: details, usage }: Response): void {
    const { ledger, replyId, onOver } = this.#options
    if (!this.#isCancelled) for (const callId of this.#calls) ledger?.answered(callId, replyId)
    const [inputTokens, outputTokens] = [usage?.input_tokens ?? 0, usage?.output_tokens ?? 0]
    if (inputTokens + outputTokens > 0) this.events.push({ type: 'usage', inputTokens, outputTokens })
    this.#isOver = true
    const code = details?.error?.code ?? details?.reason ?? 'unknown'
    const isGood = status === 'completed' || (status === 'incomplete' && code === 'max_output_tokens')
    this.events.end(isGood ? null : new Error(`The response is ${status ?? 'unknown'}: ${code}.`))
    onOver()
  }
}
