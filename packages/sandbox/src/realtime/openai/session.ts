import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Callee, Recogniser } from '../callee.ts'
import { type Answers, type FarItem, type FarQuestion, type Pace, waited } from '../script.ts'
import type { FarSocket } from '../server.ts'
import { Conversation, type Item, shown } from './conversation.ts'
import { Response } from './response.ts'
import { ClientEvent, Refusal, type ResponseParams, type SessionUpdate } from './wire.ts'

const BYTES_PER_MS = 8
const COMMIT_MIN_MS = 100
/** These give the words while they are spoken, all others once the sound is committed. */
const STREAMING = /^gpt-(?:live-transcribe|realtime-whisper)/

export interface SessionOptions {
  readonly pace: Pace
  readonly answers: Answers
  readonly callee: Callee
  /** From the commit to the final words. */
  readonly transcriptionMs: number
  /** Deltas that still come after a response was cancelled. */
  readonly lateDeltas: number
}

type Config = Partial<SessionUpdate>

/** Sound that is not committed yet. */
interface Pending {
  readonly id: string
  readonly recogniser: Recogniser
  /** Words that were told. */
  told: number
}

/** One session: a socket, its settings, its sound and its conversation. */
export class OpenaiSession {
  readonly model: string
  /** What the client sent, in order, without its sound. */
  readonly received: ClientEvent[] = []
  /** The errors that were answered. */
  readonly refusals: string[] = []
  readonly conversation = new Conversation()
  /** Bytes of sound that came. */
  soundBytes = 0
  /** Cancelled responses go on. */
  ignoresCancels = false
  readonly #socket: FarSocket
  readonly #options: SessionOptions
  #config: Config = {}
  #utterances = 0
  #bufferedBytes = 0
  #pending: Pending | null = null
  #active: Response | null = null

  constructor(socket: FarSocket, model: string, options: SessionOptions) {
    this.#socket = socket
    this.#options = options
    this.model = model
    socket.onMessage((text) => this.#take(text))
    socket.onClose(() => this.#active?.end())
    this.tell({ type: 'session.created', session: this.#shownConfig() })
  }

  get config(): Config {
    return this.#config
  }

  tell(event: Readonly<Record<string, unknown>>): void {
    this.#socket.send({ event_id: `event_${randomUUID()}`, ...event })
  }

  /** Sends something that is no event. */
  tellRaw(text: string): void {
    this.#socket.send(text)
  }

  fail(code: string, message: string, eventId: string | null = null): void {
    this.tell({
      type: 'error',
      error: { type: 'invalid_request_error', code, message, param: null, event_id: eventId },
    })
  }

  break(): void {
    this.#socket.break()
  }

  /** As after 60 minutes. */
  expire(): void {
    this.fail('session_expired', 'Your session hit the maximum duration of 60 minutes.')
    this.#socket.close(1001, 'session expired')
  }

  #take(text: string): void {
    const parsed = ClientEvent.safeParse(asJson(text))
    if (!parsed.success) {
      this.refusals.push(z.prettifyError(parsed.error))
      return this.fail('invalid_value', z.prettifyError(parsed.error))
    }
    const event = parsed.data
    if (event.type !== 'input_audio_buffer.append') this.received.push(event)
    try {
      this.#do(event)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.refusals.push(error.message)
      const { code, message, param } = error
      const details = { type: 'invalid_request_error', code, message, param, event_id: event.event_id ?? null }
      this.tell({ type: 'error', error: details })
    }
  }

  #do(event: ClientEvent): void {
    switch (event.type) {
      case 'session.update':
        return this.#update(event.session)
      case 'input_audio_buffer.append':
        return this.#hear(Buffer.from(event.audio, 'base64'))
      case 'input_audio_buffer.commit':
        return this.#commit()
      case 'input_audio_buffer.clear':
        this.#bufferedBytes = 0
        this.#pending = null
        return this.tell({ type: 'input_audio_buffer.cleared' })
      case 'conversation.item.create': {
        const { item, previous } = this.conversation.create(event.item, event.previous_item_id)
        return this.showItem(item, previous)
      }
      case 'conversation.item.delete':
        this.conversation.delete(event.item_id)
        return this.tell({ type: 'conversation.item.deleted', item_id: event.item_id })
      case 'conversation.item.truncate': {
        const { item_id, content_index, audio_end_ms } = event
        this.conversation.truncate(item_id, audio_end_ms)
        return this.tell({ type: 'conversation.item.truncated', item_id, content_index, audio_end_ms })
      }
      case 'response.create':
        return this.#respond(event.response ?? {})
      case 'response.cancel':
        return this.#cancel(event.response_id)
    }
  }

  #update({ audio, ...changes }: SessionUpdate): void {
    const before = this.#config.audio
    const input = { ...before?.input, ...audio?.input }
    const output = { ...before?.output, ...audio?.output }
    this.#config = { ...this.#config, ...changes, audio: { input, output } }
    this.tell({ type: 'session.updated', session: this.#shownConfig() })
  }

  #shownConfig(): object {
    return { type: 'realtime', object: 'realtime.session', id: 'sess_1', model: this.model, ...this.#config }
  }

  showItem(item: Item, previous: string | null): void {
    this.tell({ type: 'conversation.item.added', previous_item_id: previous, item: shown(item) })
    this.tell({ type: 'conversation.item.done', previous_item_id: previous, item: shown(item) })
  }

  // The callee

  #hear(audio: Uint8Array): void {
    if (this.#config.audio?.input?.format?.type !== 'audio/pcmu')
      throw new Refusal('This far end hears audio/pcmu alone.', 'invalid_value')
    this.soundBytes += audio.length
    this.#bufferedBytes += audio.length
    const pending = (this.#pending ??= this.#newUtterance())
    pending.recogniser.push(audio)
    if (STREAMING.test(this.#config.audio.input.transcription?.model ?? '')) this.#tellWords(pending)
  }

  #newUtterance(): Pending {
    const number = this.#utterances++
    const language = this.#language
    const recogniser = new Recogniser(() => this.#options.callee(number, language))
    return { id: this.conversation.newId(), recogniser, told: 0 }
  }

  get #language(): string | null {
    const transcription = this.#config.audio?.input?.transcription
    return transcription?.language ?? transcription?.languages?.[0] ?? null
  }

  #tellWords(pending: Pending): void {
    const { words } = pending.recogniser
    for (; pending.told < words.length; pending.told++) {
      const delta = `${pending.told === 0 ? '' : ' '}${words[pending.told]}`
      const type = 'conversation.item.input_audio_transcription.delta'
      this.tell({ type, item_id: pending.id, content_index: 0, delta })
    }
  }

  #commit(): void {
    const bufferedMs = this.#bufferedBytes / BYTES_PER_MS
    const pending = this.#pending
    if (!pending || bufferedMs < COMMIT_MIN_MS) {
      const least = `Expected at least ${COMMIT_MIN_MS}ms of audio, but buffer only has ${bufferedMs}ms of audio.`
      throw new Refusal(
        `Error committing input audio buffer: buffer too small. ${least}`,
        'input_audio_buffer_commit_empty',
      )
    }
    this.#pending = null
    this.#bufferedBytes = 0
    const { id, recogniser } = pending
    const text = recogniser.words.join(' ')
    const own = { callId: null, name: null, soundMs: bufferedMs, truncatedMs: null }
    const item: Item = { id, from: 'callee', isSound: true, text, ...own }
    const previous = this.conversation.add(item)
    this.tell({ type: 'input_audio_buffer.committed', item_id: id, previous_item_id: previous })
    this.showItem(item, previous)
    if (!this.#config.audio?.input?.transcription) return
    void waited(this.#options.pace, this.#options.transcriptionMs).then(() => {
      this.#tellWords(pending)
      const usage = { type: 'duration', seconds: bufferedMs / 1000 }
      const type = 'conversation.item.input_audio_transcription.completed'
      this.tell({ type, item_id: id, content_index: 0, transcript: text, usage })
    })
  }

  // The model

  #respond(params: ResponseParams): void {
    const isApart = params.conversation === 'none'
    if (!isApart && this.#active) {
      const under = `Conversation already has an active response in progress: ${this.#active.id}.`
      throw new Refusal(
        `${under} Wait until the response is finished before creating a new one.`,
        'conversation_already_has_active_response',
      )
    }
    const { pace, answers, lateDeltas } = this.#options
    const own = { params, isApart, pace, lateDeltas, steps: answers(this.#question(params, isApart)) }
    const response = new Response(this, { ...own, output: this.#outputOf(params) }, () => {
      if (this.#active === response) this.#active = null
    })
    if (!isApart) this.#active = response
    response.start()
  }

  #outputOf({ output_modalities }: ResponseParams): 'text' | 'audio' {
    return (output_modalities ?? this.#config.output_modalities)?.[0] ?? 'audio'
  }

  #question(params: ResponseParams, isApart: boolean): FarQuestion {
    const given = params.input?.map((item) => this.conversation.made(item)) ?? this.conversation.items
    const items = given.map(({ id, from, text, isSound }): FarItem => ({ id, from, text, isSound }))
    const tools = (params.tools ?? this.#config.tools ?? []).map(({ name }) => name)
    const instructions = params.instructions ?? this.#config.instructions ?? ''
    const silent = params.tool_choice === 'none'
    const output = this.#outputOf(params)
    return { instructions, items, tools: silent ? [] : tools, language: this.#language, isApart, output }
  }

  #cancel(id: string | undefined): void {
    if (this.ignoresCancels) return
    if (!this.#active || (id !== undefined && id !== this.#active.id))
      throw new Refusal('Cancellation failed: no active response found', 'response_cancel_not_active')
    this.#active.cancel()
  }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
