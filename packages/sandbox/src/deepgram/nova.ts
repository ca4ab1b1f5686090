import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Peer } from '../recognition/peer.ts'
import { Recogniser } from '../recognition/recogniser.ts'
import type { ScriptedWord, SpeechScript } from '../recognition/script.ts'
import type { Connection } from '../recognition/server.ts'
import { metadata, results, speechStarted, utteranceEnd } from './protocol.ts'

const Control = z.object({ type: z.enum(['Finalize', 'KeepAlive', 'CloseStream']) })

const INTERIM_EVERY_MS = 100
/** Without words, something is said at least this often. */
const EMPTY_EVERY_MS = 1000
/** Without sound and without KeepAlive. */
const IDLE_MS = 10_000

export interface NovaManners {
  /** Long speech is made final in parts, of so many words. */
  readonly finalEveryWords: number
  /** Whether Finalize is answered where there was nothing to make final; the vendor does not promise it. */
  readonly answersEmptyFinalize: boolean
}

export interface ListenOptions {
  readonly peer: Peer
  readonly query: URLSearchParams
  readonly script: SpeechScript
  readonly manners: NovaManners
  readonly after: (delayMs: number, task: () => void) => () => void
}

/** One connection of /v1/listen. */
export class NovaConnection implements Connection {
  readonly #options: ListenOptions
  readonly #recogniser: Recogniser
  readonly #requestId = randomUUID()
  readonly #formatted: boolean
  readonly #endpointingMs: number
  readonly #utteranceEndMs: number
  #cancelIdle: () => void = () => undefined
  /** End of the sound that is final. */
  #finalMs = 0
  #toldMs = 0
  #toldWords = 0
  #startedMs: number | null = null
  #isUtteranceOpen = false
  #lastWordEndMs = 0

  constructor(options: ListenOptions) {
    const { query, script } = options
    this.#options = options
    this.#recogniser = new Recogniser(script)
    this.#formatted = query.get('punctuate') === 'true' || query.get('smart_format') === 'true'
    this.#endpointingMs = query.get('endpointing') === 'false' ? Infinity : Number(query.get('endpointing') ?? 10)
    this.#utteranceEndMs = Number(query.get('utterance_end_ms') ?? Infinity)
    this.#rest()
  }

  onBinary(data: Buffer): void {
    this.#rest()
    this.#recogniser.push(data)
    this.#options.peer.heard(this.#recogniser.heardMs, () => this.#options.peer.close(1011, 'NET-0000'))
    this.#hear()
  }

  onText(text: string): void {
    this.#rest()
    const control = Control.safeParse(parsed(text))
    if (!control.success) return this.#options.peer.close(1008, 'DATA-0001: the message is not understood')
    if (control.data.type === 'KeepAlive') return
    if (control.data.type === 'CloseStream') return this.#closeStream()
    const words = this.#words
    if (words.length > 0 || this.#options.manners.answersEmptyFinalize) this.#final(words, true, true)
  }

  onClosed(): void {
    this.#cancelIdle()
  }

  /** Those that are not final; gibberish where another language is expected. */
  get #words(): readonly ScriptedWord[] {
    const expected = this.#options.query.get('language') ?? 'en'
    const { words, language } = this.#recogniser
    if (expected === 'multi' || expected.split('-')[0] === language.split('-')[0]) return words
    return words.map((word) => ({ ...word, text: 'uh', bare: 'uh' }))
  }

  #hear(): void {
    const { peer, query, manners } = this.#options
    const { heardMs, startedMs, silentMs } = this.#recogniser
    if (startedMs !== this.#startedMs && startedMs !== null) {
      this.#startedMs = startedMs
      if (query.get('vad_events') === 'true') peer.send(speechStarted(startedMs))
    }
    const words = this.#words
    if (words.length >= manners.finalEveryWords) return this.#final(words.slice(0, manners.finalEveryWords), false)
    if (silentMs !== null && silentMs >= this.#endpointingMs && this.#isUtteranceOpen) return this.#final(words, true)
    if (silentMs !== null && silentMs >= this.#utteranceEndMs && this.#lastWordEndMs > 0) {
      peer.send(utteranceEnd(this.#lastWordEndMs))
      this.#lastWordEndMs = 0
    }
    const isNew = words.length > this.#toldWords && heardMs - this.#toldMs >= INTERIM_EVERY_MS
    if (!isNew && heardMs - this.#toldMs < EMPTY_EVERY_MS) return
    this.#tell(words, { isFinal: false, speechFinal: false, fromFinalize: false })
  }

  #final(words: readonly ScriptedWord[], speechFinal: boolean, fromFinalize = false): void {
    this.#tell(words, { isFinal: true, speechFinal, fromFinalize })
    this.#lastWordEndMs = words.at(-1)?.endMs ?? this.#lastWordEndMs
    this.#recogniser.take(words.length)
    this.#finalMs = this.#recogniser.heardMs
    this.#toldWords = 0
    this.#isUtteranceOpen = !speechFinal
  }

  #tell(
    words: readonly ScriptedWord[],
    told: { readonly isFinal: boolean; readonly speechFinal: boolean; readonly fromFinalize: boolean },
  ): void {
    const { peer, query } = this.#options
    const { heardMs, language } = this.#recogniser
    this.#toldMs = heardMs
    this.#toldWords = words.length
    this.#isUtteranceOpen ||= words.length > 0
    const times = { startMs: this.#finalMs, endMs: heardMs }
    const tongue = query.get('language') === 'multi' ? (language.split('-')[0] ?? language) : null
    const shape = { formatted: this.#formatted && told.isFinal, language: tongue, requestId: this.#requestId }
    peer.send(results({ words, ...times, ...shape, ...told }))
  }

  #closeStream(): void {
    const words = this.#words
    if (words.length > 0) this.#final(words, true)
    this.#options.peer.send(metadata(this.#requestId, this.#recogniser.heardMs))
    this.#options.peer.close(1000, '')
  }

  #rest(): void {
    this.#cancelIdle()
    const { peer, after } = this.#options
    const reason = 'Deepgram did not receive audio data or a text message within the timeout window. NET-0001'
    this.#cancelIdle = after(IDLE_MS, () => peer.close(1011, reason))
  }
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
