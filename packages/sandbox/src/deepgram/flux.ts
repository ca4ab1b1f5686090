import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Peer } from '../recognition/peer.ts'
import { Recogniser } from '../recognition/recogniser.ts'
import type { ScriptedWord } from '../recognition/script.ts'
import type { Connection } from '../recognition/server.ts'
import { type ListenOptions, parsed } from './nova.ts'
import { type FluxEvent, turnInfo } from './protocol.ts'

const Control = z.discriminatedUnion('type', [
  z.object({ type: z.literal('CloseStream') }),
  z.object({ type: z.literal('ForceEndTurn') }),
  z.object({
    type: z.literal('Configure'),
    thresholds: z.record(z.string(), z.number()).optional(),
    keyterms: z.array(z.string()).optional(),
    language_hints: z.array(z.string()).optional(),
  }),
])

const UPDATE_EVERY_MS = 240
/** Silence from which the model takes a turn for over, likely and certainly. */
const EAGER_MS = 320
const END_MS = 640
const LIKELY = 0.55
const CERTAIN = 0.9
const GOES_ON = 0.1

/** One connection of /v2/listen. */
export class FluxConnection implements Connection {
  readonly #options: ListenOptions
  readonly #peer: Peer
  readonly #recogniser: Recogniser
  readonly #requestId = randomUUID()
  #hints: readonly string[]
  #sequence = 0
  #turn = 0
  #turnStartMs = 0
  #toldMs = 0
  #state: 'waiting' | 'speaking' | 'likely_over' = 'waiting'

  constructor(options: ListenOptions) {
    this.#options = options
    this.#peer = options.peer
    this.#hints = options.query.getAll('language_hint')
    this.#recogniser = new Recogniser(options.script)
    this.#send({ type: 'Connected' })
  }

  onBinary(data: Buffer): void {
    this.#recogniser.push(data)
    this.#peer.heard(this.#recogniser.heardMs, (code) => {
      this.#send({ type: 'Error', code, description: 'The vendor says why.' })
      this.#peer.close(1011, code)
    })
    this.#hear()
  }

  onText(text: string): void {
    const control = Control.safeParse(parsed(text))
    if (!control.success) {
      this.#send({ type: 'Error', code: 'UNPARSABLE_CLIENT_MESSAGE', description: 'The message is not understood.' })
      return this.#peer.close(1008, 'UNPARSABLE_CLIENT_MESSAGE')
    }
    if (control.data.type === 'CloseStream') {
      if (this.#state !== 'waiting') this.#end('manual')
      return this.#peer.close(1000, '')
    }
    if (control.data.type === 'ForceEndTurn') return this.#state === 'waiting' ? undefined : this.#end('manual')
    const { language_hints: hints = this.#hints, thresholds = {}, keyterms = [] } = control.data
    const isMultilingual = this.#options.query.get('model') === 'flux-general-multi'
    if (hints.length > 0 && !isMultilingual) return this.#send({ type: 'ConfigureFailure' })
    this.#hints = hints
    return this.#send({ type: 'ConfigureSuccess', thresholds, keyterms, language_hints: hints })
  }

  onClosed(): void {}

  /** Gibberish where another language is expected. */
  get #words(): readonly ScriptedWord[] {
    const { words, language } = this.#recogniser
    const base = language.split('-')[0] ?? language
    const isEnglish = this.#options.query.get('model') === 'flux-general-en'
    if (isEnglish ? base === 'en' : this.#hints.length === 0 || this.#hints.includes(base)) return words
    return words.map((word) => ({ ...word, text: 'uh', bare: 'uh' }))
  }

  #hear(): void {
    const { heardMs, silentMs, isSpeaking } = this.#recogniser
    const words = this.#words
    if (this.#state === 'waiting' && words.length > 0) return this.#tell('StartOfTurn', 'speaking', GOES_ON)
    if (this.#state === 'likely_over' && isSpeaking) return this.#tell('TurnResumed', 'speaking', GOES_ON)
    const eager = Number(this.#options.query.get('eager_eot_threshold') ?? Infinity)
    if (this.#state === 'speaking' && eager <= LIKELY && silentMs !== null && silentMs >= EAGER_MS)
      return this.#tell('EagerEndOfTurn', 'likely_over', LIKELY)
    if (this.#state !== 'waiting' && silentMs !== null && silentMs >= END_MS) return this.#end('model')
    if (heardMs - this.#toldMs >= UPDATE_EVERY_MS) this.#tell('Update', this.#state, GOES_ON)
    return undefined
  }

  #end(trigger: 'model' | 'manual'): void {
    const { length } = this.#words
    this.#tell('EndOfTurn', 'waiting', CERTAIN, trigger)
    this.#recogniser.take(length)
    this.#turn++
    this.#turnStartMs = this.#recogniser.heardMs
  }

  #tell(
    event: FluxEvent,
    next: 'waiting' | 'speaking' | 'likely_over',
    confidence: number,
    trigger: 'model' | 'manual' = 'model',
  ): void {
    const { heardMs, language } = this.#recogniser
    const isMultilingual = this.#options.query.get('model') === 'flux-general-multi'
    this.#state = next
    this.#toldMs = heardMs
    const window = { startMs: this.#turnStartMs, endMs: heardMs, turnIndex: this.#turn }
    const tongue = isMultilingual ? (language.split('-')[0] ?? language) : null
    const told = { event, confidence, trigger, words: this.#words, language: tongue, hints: this.#hints }
    this.#send(turnInfo({ ...window, ...told }))
  }

  #send(message: object): void {
    this.#peer.send({ ...message, request_id: this.#requestId, sequence_id: this.#sequence++ })
  }
}
