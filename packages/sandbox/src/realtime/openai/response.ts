import { randomUUID } from 'node:crypto'
import { type Pace, type Step, toneVoice, waited, wordsOf } from '../script.ts'
import { type Conversation, type Item, shown } from './conversation.ts'
import type { ResponseParams } from './wire.ts'

export interface ResponseOptions {
  readonly params: ResponseParams
  readonly isApart: boolean
  readonly output: 'text' | 'audio'
  readonly pace: Pace
  readonly lateDeltas: number
  readonly steps: readonly Step[]
}

/** What a response needs of its session. */
interface Host {
  readonly conversation: Conversation
  tell(event: Readonly<Record<string, unknown>>): void
  tellRaw(text: string): void
  break(): void
}

type Status = 'completed' | 'cancelled' | 'failed' | 'incomplete'
type Say = Extract<Step, { say: string }>

const TOKENS_PER_ITEM = 20
const BYTES_PER_MS = 8

/** One answer of the model, as events. */
export class Response {
  readonly id = `resp_${randomUUID().slice(0, 20)}`
  readonly #session: Host
  readonly #options: ResponseOptions
  readonly #onOver: () => void
  readonly #output: Item[] = []
  #isOver = false
  #said = 0
  #error: { readonly code: string; readonly message: string } | null = null

  constructor(session: Host, options: ResponseOptions, onOver: () => void) {
    this.#session = session
    this.#options = options
    this.#onOver = onOver
  }

  start(): void {
    this.#session.tell({ type: 'response.created', response: this.#shown('in_progress') })
    const limits = [{ name: 'requests', limit: 1000, remaining: 999, reset_seconds: 0.06 }]
    this.#session.tell({ type: 'rate_limits.updated', rate_limits: limits })
    void this.#run()
  }

  cancel(): void {
    const speaking = this.#output.findLast(({ from, name }) => from === 'agent' && name === null)
    this.#finish('cancelled')
    // What was on its way when the client cancelled.
    for (let late = 0; late < this.#options.lateDeltas && speaking; late++) this.#delta(speaking, ' late')
  }

  /** The socket is gone. */
  end(): void {
    this.#isOver = true
  }

  async #run(): Promise<void> {
    for (const step of this.#options.steps) {
      if (this.#isOver) return
      if ('hangs' in step) return
      await this.#take(step)
    }
    this.#finish(this.#error ? 'failed' : 'completed')
  }

  async #take(step: Exclude<Step, { hangs: true }>): Promise<void> {
    if ('say' in step) return this.#say(step)
    if ('waitMs' in step) return waited(this.#options.pace, step.waitMs)
    if ('call' in step) return this.#call(step.call, step.with)
    if ('garbage' in step) return this.#session.tellRaw(step.garbage)
    if ('breaks' in step) {
      this.#isOver = true
      return this.#session.break()
    }
    this.#error = step.fail
    return undefined
  }

  async #say(step: Say): Promise<void> {
    const item = this.#begin({ isSound: this.#options.output === 'audio', callId: null, name: null })
    for (const [at, word] of wordsOf(step.say).entries()) {
      if (this.#isOver) return
      const delta = at === 0 ? word : ` ${word}`
      if (item.isSound && step.textBehind === true) {
        this.#sound(item)
        this.#delta(item, delta)
      } else {
        this.#delta(item, delta)
        if (item.isSound) this.#sound(item)
      }
      this.#said++
      await waited(this.#options.pace, this.#options.pace.wordMs)
    }
    if (!this.#isOver) this.#close(item, item.isSound ? 'output_audio_transcript' : 'output_text')
  }

  #call(name: string, given: Readonly<Record<string, unknown>> | string): void {
    const item = this.#begin({ isSound: false, callId: `call_${randomUUID().slice(0, 12)}`, name })
    item.text = typeof given === 'string' ? given : JSON.stringify(given)
    const where = { ...this.#where(item), call_id: item.callId }
    this.#session.tell({ type: 'response.function_call_arguments.delta', ...where, delta: item.text })
    this.#session.tell({ type: 'response.function_call_arguments.done', ...where, name, arguments: item.text })
    this.#done(item)
  }

  #begin(own: Pick<Item, 'isSound' | 'callId' | 'name'>): Item {
    const id = this.#session.conversation.newId()
    const item: Item = { id, from: 'agent', text: '', soundMs: 0, truncatedMs: null, ...own }
    this.#output.push(item)
    const previous = this.#options.isApart ? null : this.#session.conversation.add(item)
    const { output_index, response_id } = this.#where(item)
    this.#session.tell({ type: 'response.output_item.added', response_id, output_index, item: shown(item) })
    if (!this.#options.isApart)
      this.#session.tell({ type: 'conversation.item.added', previous_item_id: previous, item: shown(item) })
    return item
  }

  #where(item: Item) {
    return { response_id: this.id, item_id: item.id, output_index: this.#output.indexOf(item), content_index: 0 }
  }

  #delta(item: Item, delta: string): void {
    item.text += delta
    const type = item.isSound ? 'response.output_audio_transcript.delta' : 'response.output_text.delta'
    this.#session.tell({ type, ...this.#where(item), delta })
  }

  #sound(item: Item): void {
    const audio = toneVoice()
    item.soundMs += audio.length / BYTES_PER_MS
    const delta = Buffer.from(audio).toString('base64')
    this.#session.tell({ type: 'response.output_audio.delta', ...this.#where(item), delta })
  }

  #close(item: Item, kind: 'output_text' | 'output_audio_transcript'): void {
    const text = kind === 'output_text' ? { text: item.text } : { transcript: item.text }
    if (item.isSound) this.#session.tell({ type: 'response.output_audio.done', ...this.#where(item) })
    this.#session.tell({ type: `response.${kind}.done`, ...this.#where(item), ...text })
    this.#done(item)
  }

  #done(item: Item): void {
    const { output_index, response_id } = this.#where(item)
    this.#session.tell({ type: 'response.output_item.done', response_id, output_index, item: shown(item) })
    if (!this.#options.isApart) this.#session.tell({ type: 'conversation.item.done', item: shown(item) })
  }

  #finish(status: Status): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onOver()
    this.#session.tell({ type: 'response.done', response: this.#shown(status) })
  }

  #shown(status: Status | 'in_progress'): object {
    const input_tokens = this.#session.conversation.items.length * TOKENS_PER_ITEM
    const usage = { input_tokens, output_tokens: this.#said, total_tokens: input_tokens + this.#said }
    const details = this.#error
      ? { type: 'failed', error: { type: 'server_error', ...this.#error } }
      : status === 'cancelled'
        ? { type: 'cancelled', reason: 'client_cancelled' }
        : null
    return {
      object: 'realtime.response',
      id: this.id,
      status,
      status_details: details,
      output: this.#output.map(shown),
      output_modalities: [this.#options.output],
      metadata: this.#options.params.metadata ?? null,
      usage: status === 'in_progress' ? null : usage,
    }
  }
}
