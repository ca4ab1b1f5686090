import { randomUUID } from 'node:crypto'
import type { Clock, EarEvent, ListenOptions, Listening } from '@parley/voice-ports'
import type { Logger } from 'pino'
import { instructionsFor, situationFor } from '../instructions.ts'
import { type Line, type LineEvent, type LineQuestion, LostSession, type Output, type Writing } from '../line.ts'
import { Link, type LinkFailure } from '../link.ts'
import { settledBefore } from '../queue.ts'
import { TOOLS } from '../tools.ts'
import { Exchange } from './exchange.ts'
import { Hearing } from './hearing.ts'
import { Ledger } from './ledger.ts'
import { readEvent, type Replied, type ServerError, type ServerEvent } from './wire.ts'

export interface OpenaiLineOptions {
  readonly url: string
  readonly apiKey: string
  readonly output: Output
  readonly voice: string
  /** Of the callee's words. */
  readonly earModel: string
  readonly clock: Clock
  readonly log: Logger
}

const TOKENS_MAX = 800
/** A cancelled response that is not told to be over by then is taken for over. */
const CANCELLED_MS = 1500
const MIND_ALONE = { language: 'en', keyterms: [] as readonly string[] }
/** These take words to expect. */
const TAKES_KEYWORDS = /^gpt-(?:live-)?transcribe/
const COMMIT = 'input_audio_buffer.commit'
const FUNCTIONS = TOOLS.map((tool) => ({ type: 'function', ...tool }))

/** One call at OpenAI's Realtime API. */
export class OpenaiLine implements Line {
  readonly #options: OpenaiLineOptions
  readonly #link: Link
  readonly #ledger: Ledger
  #ear: Hearing | null = null
  #listening: Pick<ListenOptions, 'language' | 'keyterms'> = MIND_ALONE
  #exchange: Exchange | null = null
  /** Beside the conversation. */
  readonly #writings = new Map<string, Exchange>()
  #onIdle: (() => void)[] = []
  #instructions: string | null = null

  constructor(options: OpenaiLineOptions) {
    const { url, apiKey, output, clock } = options
    this.#options = options
    this.#link = new Link({
      url,
      headers: { authorization: `Bearer ${apiKey}` },
      clock,
      onOpen: () => this.#configure(),
      onMessage: (text) => this.#read(text),
      onDown: (failure) => this.#down(failure),
    })
    this.#ledger = new Ledger(output, {
      create: (item, id, previousId) =>
        this.#link.send({
          type: 'conversation.item.create',
          item: { id, ...item },
          ...(previousId !== null && { previous_item_id: previousId }),
        }),
      delete: (id) => this.#link.send({ type: 'conversation.item.delete', item_id: id }),
      truncate: (id, endMs) =>
        this.#link.send({ type: 'conversation.item.truncate', item_id: id, content_index: 0, audio_end_ms: endMs }),
    })
  }

  get isGivenUp(): boolean {
    return this.#link.isGivenUp
  }

  // The ear

  listen({ language, keyterms, signal }: ListenOptions, onEvent: (event: EarEvent) => void): Listening {
    this.#ear?.close()
    this.#listening = { language, keyterms }
    const ear: Hearing = new Hearing(this.#options.clock, onEvent, {
      append: (audio) =>
        this.#link.send({ type: 'input_audio_buffer.append', audio: Buffer.from(audio).toString('base64') }),
      commit: () => {
        this.#ledger.committing()
        this.#link.send({ type: COMMIT, event_id: COMMIT })
      },
      setLanguage: (next) => {
        this.#listening = { ...this.#listening, language: next }
        if (this.#link.isReady) this.#configure()
      },
      dead: () => this.#link.fail('The vendor gave no words for committed sound.'),
      closed: () => {
        if (this.#ear === ear) this.#ear = null
      },
    })
    this.#ear = ear
    signal.addEventListener('abort', () => ear.close(), { once: true })
    if (this.#link.isGivenUp) ear.fail('The vendor was given up for this call.', false, null)
    else if (this.#link.isReady) {
      this.#configure()
      ear.ready()
    } else this.#link.open()
    return ear
  }

  /** Everything that a session is to know; a repeated setting changes nothing. */
  #configure(): void {
    const { output, voice } = this.#options
    const spoken = output === 'sound'
    this.#link.send({
      type: 'session.update',
      session: {
        type: 'realtime',
        output_modalities: [spoken ? 'audio' : 'text'],
        max_output_tokens: TOKENS_MAX,
        tools: FUNCTIONS,
        tool_choice: 'auto',
        ...(this.#instructions !== null && { instructions: this.#instructions }),
        audio: {
          input: { format: { type: 'audio/pcmu' }, turn_detection: null, transcription: this.#transcription() },
          ...(spoken && { output: { format: { type: 'audio/pcmu' }, voice } }),
        },
      },
    })
  }

  #transcription(): object {
    const { earModel: model } = this.#options
    const { language, keyterms } = this.#listening
    const known = language === 'auto' ? undefined : language.split('-')[0]
    const keywords = TAKES_KEYWORDS.test(model) && keyterms.length > 0 ? keyterms : undefined
    return { model, ...(known !== undefined && { language: known }), ...(keywords && { keywords }) }
  }

  // The model

  async *ask({ state, cue, replyId, used, again }: LineQuestion, signal: AbortSignal): AsyncGenerator<LineEvent> {
    if (!(await settledBefore(this.#link.ready(), signal))) return
    if (!(await settledBefore(this.#idle(), signal))) return
    this.#instruct(instructionsFor(state))
    this.#ledger.sync(state.turns, again ? [...used, replyId] : used)
    this.#ledger.note(situationFor(state, cue))
    const exchange = this.#begin(replyId, this.#ledger, () => {
      for (const wake of this.#onIdle.splice(0)) wake()
    })
    this.#exchange = exchange
    this.#create(exchange, { ...(again && { tool_choice: 'none' }) })
    const cancel = () => exchange.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      yield* exchange.events.read(signal)
      if (!signal.aborted) this.#link.worked()
    } finally {
      signal.removeEventListener('abort', cancel)
      exchange.cancel()
    }
  }

  /** The vendor makes one response of a conversation at a time. */
  #idle(): Promise<void> {
    const exchange = this.#exchange
    if (!exchange || exchange.isOver) return Promise.resolve()
    exchange.cancel()
    return new Promise((resolve) => {
      this.#onIdle.push(resolve)
      this.#options.clock.after(CANCELLED_MS, () => exchange.fail(new Error('The response was not ended.')))
    })
  }

  #begin(replyId: string, ledger: Ledger | null, onOver: () => void): Exchange {
    const cancel = (responseId: string | null) =>
      this.#link.send({ type: 'response.cancel', ...(responseId !== null && { response_id: responseId }) })
    return new Exchange({ askId: randomUUID(), replyId, ledger, cancel, onOver })
  }

  #create({ askId }: Exchange, response: object): void {
    this.#link.send({ type: 'response.create', event_id: askId, response: { metadata: { ask: askId }, ...response } })
  }

  #instruct(instructions: string): void {
    if (this.#instructions === instructions) return
    this.#instructions = instructions
    this.#link.send({ type: 'session.update', session: { type: 'realtime', instructions } })
  }

  async write({ instructions, text, form }: Writing, signal: AbortSignal): Promise<unknown> {
    if (!(await settledBefore(this.#link.ready(), signal))) throw new Error('It was not written in time.')
    const exchange: Exchange = this.#begin('apart', null, () => this.#writings.delete(exchange.askId))
    this.#writings.set(exchange.askId, exchange)
    this.#create(exchange, {
      conversation: 'none',
      output_modalities: ['text'],
      instructions,
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }],
      tools: [{ type: 'function', ...form }],
      tool_choice: { type: 'function', name: form.name },
    })
    let written: unknown
    try {
      for await (const event of exchange.events.read(signal))
        if (event.type === 'tool' && event.name === form.name) written ??= event.given
    } finally {
      this.#writings.delete(exchange.askId)
      exchange.cancel()
    }
    if (written === undefined) throw new Error('Nothing was written.')
    return written
  }

  heard(itemId: string, heardMs: number): void {
    this.#ledger.heard(itemId, heardMs)
  }

  dropped(itemId: string): void {
    this.#ledger.dropped(itemId)
  }

  close(): void {
    this.#link.close()
    this.#lose(new Error('The call is over.'))
  }

  // The wire

  #read(text: string): void {
    const event = readEvent(text)
    if (event) this.#take(event)
  }

  #take(event: ServerEvent): void {
    switch (event.type) {
      case 'session.created':
        return undefined
      case 'session.updated':
        if (this.#link.isReady) return undefined
        this.#link.becameReady()
        return this.#ear?.ready()
      case 'error':
        return this.#refused(event)
      case 'input_audio_buffer.committed':
        this.#ledger.committed(event.item_id)
        return this.#ear?.take(event)
      case 'conversation.item.input_audio_transcription.completed':
        this.#ledger.transcribed(event.item_id, event.transcript)
        return this.#ear?.take(event)
      case 'conversation.item.input_audio_transcription.delta':
      case 'conversation.item.input_audio_transcription.failed':
        return this.#ear?.take(event)
      default:
        return this.#replied(event)
    }
  }

  #replied(event: Replied): void {
    if (event.type === 'response.created') {
      const { id, metadata } = event.response
      return this.#of(({ askId }) => askId === metadata?.['ask'])?.begin(id)
    }
    const id = event.type === 'response.done' ? event.response.id : event.response_id
    return this.#of((exchange) => exchange.isAbout(id))?.take(event)
  }

  #of(isIt: (exchange: Exchange) => boolean): Exchange | undefined {
    return (
      [this.#exchange, ...this.#writings.values()].find((exchange) => exchange !== null && isIt(exchange)) ?? undefined
    )
  }

  /** Most errors concern one request, and the session goes on. */
  #refused({ error: { code, message, event_id: eventId } }: ServerError): void {
    if (code === 'session_expired') return this.#link.fail('The session has expired.')
    this.#options.log.warn({ code, why: message }, 'the realtime vendor refused an event')
    if (eventId === COMMIT) {
      this.#ledger.commitRefused()
      return this.#ear?.commitRefused()
    }
    this.#of(({ askId }) => askId === eventId)?.fail(new Error(`The vendor refused to answer: ${code ?? message}`))
  }

  #down({ message, retryable, retryAfterMs }: LinkFailure): void {
    this.#options.log.warn({ why: message, retryable }, 'the realtime session is lost')
    this.#lose(new LostSession(message))
    const ear = this.#ear
    this.#ear = null
    ear?.fail(message, retryable, retryAfterMs)
  }

  #lose(error: Error): void {
    this.#ledger.reset()
    for (const exchange of [this.#exchange, ...this.#writings.values()]) exchange?.fail(error)
    this.#exchange = null
  }
}
