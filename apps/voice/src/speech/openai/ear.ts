import { randomUUID } from 'node:crypto'
import {
  type Clock,
  type Ear,
  type EarEvent,
  type Frame,
  FRAME_MS,
  levelDbm0,
  type Listening,
  type ListenOptions,
} from '@parley/voice-ports'
import { VendorSocket } from '../vendor/socket.ts'
import { baseOf } from '../vendor/text.ts'
import { EarMessage } from './ear-messages.ts'
import { earModel, transcriptionOf } from './ear-models.ts'
import { Items } from './items.ts'

export interface OpenaiEarOptions {
  readonly apiKey: string
  /** With the version at its end. */
  readonly baseUrl: string
  readonly model: string
}

const VENDOR = 'OpenAI'
/** The vendor's transcripts come in about 640 ms; what is later is not waited for. */
const SETTLES_WITHIN_MS = 1500
/** The vendor refuses to commit less. */
const COMMIT_MIN_MS = 100
/** Below this nothing is said: a commit of silence would be answered with invented words. */
const SILENCE_DBM0 = -48
/** Silence that is not kept for the next commit. */
const CLEAR_AFTER_MS = 3000
/** Commits in a row without any answer. */
const UNANSWERED_MAX = 2
const LASTING_CODES = ['invalid_api_key', 'model_not_found', 'invalid_value', 'unknown_parameter', 'invalid_model']

export function createOpenaiEar(options: OpenaiEarOptions): Ear {
  return {
    name: `OpenAI ${options.model}`,
    settlesWithinMs: SETTLES_WITHIN_MS,
    turns: false,
    listen: (listenOptions, clock, onEvent) => new OpenaiListening(options, listenOptions, clock, onEvent),
  }
}

interface Commit {
  readonly eventId: string
  readonly cancel: () => void
}

class OpenaiListening implements Listening {
  readonly #options: OpenaiEarOptions
  readonly #listening: ListenOptions
  readonly #clock: Clock
  readonly #onEvent: (event: EarEvent) => void
  readonly #socket: VendorSocket
  readonly #items: Items
  readonly #streams: boolean
  #language: string
  #isReady = false
  #isOver = false
  /** Since the last commit. */
  #sentMs = 0
  #hasSound = false
  #commits: Commit[] = []
  #unanswered = 0
  #lastMs = 0

  constructor(options: OpenaiEarOptions, listening: ListenOptions, clock: Clock, onEvent: (event: EarEvent) => void) {
    this.#options = options
    this.#listening = listening
    this.#clock = clock
    this.#onEvent = onEvent
    this.#language = listening.language
    this.#streams = earModel(options.model).streams
    this.#items = new Items({
      onWords: (text, final) => this.#tell({ type: 'words', text, final, atMs: this.#nowMs() }),
      onSettled: () => this.#settled(),
    })
    this.#socket = new VendorSocket({
      vendor: VENDOR,
      url: `${options.baseUrl}/realtime?intent=transcription`,
      headers: { authorization: `Bearer ${options.apiKey}` },
      clock,
      onOpen: () => this.#configure(),
      onMessage: (message) => this.#take(message),
      onFailed: (failure) => this.#fail(failure),
    })
    listening.signal.addEventListener('abort', () => this.close(), { once: true })
    if (listening.signal.aborted) this.close()
  }

  push({ audio }: Frame): void {
    if (this.#isOver || audio.length === 0) return
    this.#socket.send({ type: 'input_audio_buffer.append', audio: Buffer.from(audio).toString('base64') })
    this.#sentMs += FRAME_MS
    this.#hasSound ||= levelDbm0(audio) > SILENCE_DBM0
    // The sound of streaming models is transcribed as it comes, and silence does not wait.
    if (!this.#streams && !this.#hasSound && this.#sentMs >= CLEAR_AFTER_MS) this.#clear()
  }

  finalize(): void {
    if (this.#isOver) return
    const isEmpty = this.#sentMs < COMMIT_MIN_MS || (!this.#hasSound && !this.#items.isOpen)
    // One before it may still owe its words: the answers keep their order.
    if (isEmpty && !this.#items.isOwed) return this.#tell({ type: 'settled' })
    const eventId = `commit_${randomUUID()}`
    this.#items.commit()
    this.#socket.send({ type: 'input_audio_buffer.commit', event_id: eventId })
    this.#commits.push({ eventId, cancel: this.#clock.after(SETTLES_WITHIN_MS, () => this.#late()) })
    this.#startAnew()
  }

  setLanguage(language: string): void {
    if (this.#isOver) return
    this.#language = language
    if (this.#listening.languageIsGuess !== true) this.#configure()
  }

  close(): void {
    this.#end()
    this.#socket.close()
  }

  #configure(): void {
    const { keyterms, languageIsGuess = false } = this.#listening
    const wanted = { model: this.#options.model, language: this.#language, languageIsGuess, keyterms }
    const input = {
      format: { type: 'audio/pcmu' },
      transcription: transcriptionOf(wanted),
      noise_reduction: { type: 'near_field' },
      // The session finds the turns, and commits them.
      turn_detection: null,
    }
    this.#socket.send({ type: 'session.update', session: { type: 'transcription', audio: { input } } })
  }

  #clear(): void {
    this.#socket.send({ type: 'input_audio_buffer.clear' })
    this.#startAnew()
  }

  #startAnew(): void {
    this.#sentMs = 0
    this.#hasSound = false
  }

  #take(message: unknown): void {
    const told = EarMessage.safeParse(message)
    if (!told.success || this.#isOver) return undefined
    this.#unanswered = 0
    const { data } = told
    switch (data.type) {
      case 'session.updated':
        if (this.#isReady) return undefined
        this.#isReady = true
        return this.#tell({ type: 'ready' })
      case 'input_audio_buffer.committed':
        return this.#items.committed(data.item_id, data.previous_item_id)
      case 'conversation.item.input_audio_transcription.delta':
        return this.#items.delta(data.item_id, data.delta)
      case 'conversation.item.input_audio_transcription.completed':
        this.#noteLanguage(data.languages)
        return this.#items.completed(data.item_id, data.transcript)
      case 'conversation.item.input_audio_transcription.failed':
        if (data.error.code === 'audio_unintelligible') return this.#items.completed(data.item_id, '')
        // Another connection hears the sound again.
        return this.#fail({ message: `${VENDOR} could not transcribe: ${whyOf(data.error)}`, ...RETRY })
      case 'error':
        return this.#trouble(data.error)
    }
  }

  #trouble(error: Extract<EarMessage, { type: 'error' }>['error']): void {
    if (error.code === 'input_audio_buffer_commit_empty') return this.#items.nothing()
    const isLasting = LASTING_CODES.includes(error.code ?? '')
    const isOurs = error.type === 'invalid_request_error'
    // The vendor's advice: most errors leave the session as it is.
    if (this.#isReady && isOurs && error.code !== 'session_expired') return
    this.#fail({ message: `${VENDOR} reports: ${whyOf(error)}`, retryable: !isLasting, retryAfterMs: null })
  }

  #late(): void {
    const isMute = ++this.#unanswered >= UNANSWERED_MAX
    this.#items.giveUp()
    if (isMute) this.#fail({ message: `${VENDOR} does not answer any more.`, ...RETRY })
  }

  #settled(): void {
    this.#commits.shift()?.cancel()
    this.#tell({ type: 'settled' })
  }

  #noteLanguage(languages: readonly { readonly code: string }[] | undefined): void {
    const language = baseOf(languages?.[0]?.code ?? '')
    if (language === '' || language === baseOf(this.#language)) return
    this.#language = language
    this.#tell({ type: 'language', language })
  }

  #tell(event: EarEvent): void {
    if (!this.#isOver) this.#onEvent(event)
  }

  /** The vendor tells no times: words are as old as their arrival. */
  #nowMs(): number {
    this.#lastMs = Math.max(this.#lastMs, this.#clock.nowMs())
    return this.#lastMs
  }

  #fail(failure: {
    readonly message: string
    readonly retryable: boolean
    readonly retryAfterMs: number | null
  }): void {
    if (this.#isOver) return
    this.#end()
    this.#socket.close()
    this.#onEvent({ type: 'failed', ...failure })
  }

  #end(): void {
    this.#isOver = true
    for (const { cancel } of this.#commits.splice(0)) cancel()
  }
}

const RETRY = { retryable: true, retryAfterMs: null }

function whyOf({ message, code }: Extract<EarMessage, { type: 'error' }>['error']): string {
  return message ?? code ?? 'no reason is given'
}
