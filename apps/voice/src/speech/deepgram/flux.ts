import { FRAME_BYTES, FRAME_MS, type Frame, SILENCE_BYTE } from '@parley/voice-ports'
import { Settling } from '../vendor/settling.ts'
import { VendorSocket } from '../vendor/socket.ts'
import { SoundTimes } from '../vendor/sound-times.ts'
import { baseOf, joined } from '../vendor/text.ts'
import { KEEP_EVERY_MS, type Link, type LinkOptions, MUTE_AFTER_MS, VENDOR } from './link.ts'
import { FluxMessage, type TurnInfo } from './messages.ts'
import type { Plan } from './models.ts'

/** The vendor wants sound in pieces of 80 ms. */
const CHUNK_BYTES = 4 * FRAME_BYTES
/** Sound that stops coming is silence: the model goes on in steps of some 250 ms of sound. */
const STALLED_MS = 100
const SILENCE_BYTES = 4 * CHUNK_BYTES
const STATES: Readonly<Record<string, 'started' | 'eager' | 'resumed' | 'ended'>> = {
  StartOfTurn: 'started',
  EagerEndOfTurn: 'eager',
  TurnResumed: 'resumed',
  EndOfTurn: 'ended',
}
/** Errors that another connection does not mend. */
const LASTING_ERRORS = ['UNPARSABLE_CLIENT_MESSAGE', 'INVALID_AUTH', 'BAD_REQUEST']

/** /v2/listen: the model ends the turns. */
export class FluxLink implements Link {
  readonly #options: LinkOptions
  readonly #socket: VendorSocket
  readonly #times = new SoundTimes()
  readonly #settling: Settling
  #language: string
  #chunk: Uint8Array[] = []
  #chunkBytes = 0
  /** All sound that was sent, with silence of ours. */
  #sentMs = 0
  #saidAtMs = 0
  #cancelStall: () => void = () => undefined
  #turn = -1
  #transcript = ''
  /** Words of this turn that were given as final. */
  #spentWords = 0
  #told = ''
  #heardMs = 0

  constructor(options: LinkOptions) {
    const { url, apiKey, clock, settlesWithinMs, onReady, onEvent, onFailed, onFinished, language } = options
    this.#options = options
    this.#language = language
    const makeFinal = () => this.#tell(true)
    this.#settling = new Settling(clock, settlesWithinMs, () => onEvent({ type: 'settled' }), makeFinal)
    this.#socket = new VendorSocket({
      vendor: VENDOR,
      url,
      headers: { authorization: `Token ${apiKey}` },
      clock,
      onOpen: () => this.#keep(),
      onMessage: (message) => this.#take(message, onReady),
      onFailed: (failure) => {
        this.#end()
        onFailed(failure)
      },
      onFinished: () => {
        this.#tell(true)
        this.#settling.settleAll()
        this.#end()
        onFinished()
      },
    })
  }

  push({ audio }: Frame): void {
    this.#times.push(this.#options.clock.nowMs())
    this.#collect(audio)
    this.#keep()
    if (this.#sentMs - this.#saidAtMs < MUTE_AFTER_MS) return
    this.#fail(`${VENDOR} has said nothing for ${MUTE_AFTER_MS / 1000} s of sound.`, true)
  }

  /** The turn goes on, as the model sees it; the words so far are final once it has heard the sound. */
  finalize(): void {
    this.#flush()
    this.#settling.ask(this.#sentMs)
    if (this.#heardMs >= this.#sentMs) return this.#settle()
    return this.#keep()
  }

  setLanguage(language: string, plan: Plan): boolean {
    if (plan.kind !== 'flux' || plan.model !== this.#options.plan.model) return false
    this.#language = language
    const hints = plan.parameters.flatMap(([name, value]) => (name === 'language_hint' ? [value] : []))
    if (hints.length > 0) this.#socket.send({ type: 'Configure', language_hints: hints })
    return true
  }

  finish(): void {
    this.#flush()
    this.#cancelStall()
    this.#socket.finish({ type: 'CloseStream' })
  }

  close(): void {
    this.#end()
    this.#socket.close({ type: 'CloseStream' })
  }

  #end(): void {
    this.#cancelStall()
    this.#settling.close()
  }

  #fail(message: string, retryable: boolean): void {
    this.#end()
    this.#socket.close()
    this.#options.onFailed({ message, retryable, retryAfterMs: null })
  }

  #collect(audio: Uint8Array): void {
    this.#chunk.push(audio)
    this.#chunkBytes += audio.length
    if (this.#chunkBytes >= CHUNK_BYTES) this.#flush()
  }

  #flush(): void {
    if (this.#chunkBytes === 0) return
    this.#socket.sendAudio(Buffer.concat(this.#chunk.splice(0)))
    this.#sentMs += (this.#chunkBytes / FRAME_BYTES) * FRAME_MS
    this.#chunkBytes = 0
  }

  /** This model knows no KeepAlive: silence keeps the connection, and stands for sound that does not come. */
  #keep(): void {
    this.#cancelStall()
    const { isOwed } = this.#settling
    this.#cancelStall = this.#options.clock.after(isOwed ? STALLED_MS : KEEP_EVERY_MS, () => {
      if (isOwed === this.#settling.isOwed)
        this.#collect(new Uint8Array(isOwed ? SILENCE_BYTES : CHUNK_BYTES).fill(SILENCE_BYTE))
      this.#keep()
    })
  }

  #take(message: unknown, onReady: () => void): void {
    const told = FluxMessage.safeParse(message)
    if (!told.success) return undefined
    this.#saidAtMs = this.#sentMs
    switch (told.data.type) {
      case 'Connected':
        return onReady()
      case 'TurnInfo':
        return this.#hear(told.data)
      case 'Error': {
        const { code, description } = told.data
        return this.#fail(`${VENDOR} reports ${code}: ${description}`, !LASTING_ERRORS.includes(code))
      }
      default:
        return undefined
    }
  }

  #hear(info: TurnInfo): void {
    // One that was overtaken.
    if (info.turn_index < this.#turn || (info.turn_index === this.#turn && endOf(info) < this.#heardMs)) return
    if (info.turn_index > this.#turn) this.#begin(info.turn_index)
    this.#heardMs = endOf(info)
    this.#transcript = info.transcript
    this.#noteLanguage(info)
    const state = STATES[info.event]
    this.#tell(state === 'ended')
    if (state !== undefined) this.#options.onEvent({ type: 'turn', state, confidence: info.end_of_turn_confidence })
    if (state === 'ended') this.#begin(info.turn_index + 1)
    const owedMs = this.#settling.positionMs
    if (owedMs !== null && this.#heardMs >= owedMs) this.#settle()
  }

  #begin(turn: number): void {
    this.#turn = turn
    this.#transcript = ''
    this.#spentWords = 0
    this.#told = ''
  }

  #settle(): void {
    this.#tell(true)
    this.#settling.coveredUntil(this.#heardMs)
  }

  #tell(final: boolean): void {
    const words = this.#transcript.split(/\s+/).filter((word) => word !== '')
    const text = joined(words.slice(this.#spentWords))
    if (text === '' || (!final && text === this.#told)) return
    this.#told = final ? '' : text
    if (final) this.#spentWords = words.length
    const atMs = this.#times.at(this.#heardMs, this.#options.clock.nowMs())
    this.#options.onEvent({ type: 'words', text, final, atMs })
  }

  #noteLanguage({ languages }: TurnInfo): void {
    const [most] = languages ?? []
    if (most === undefined || baseOf(most) === baseOf(this.#language)) return
    this.#language = baseOf(most)
    this.#options.onEvent({ type: 'language', language: this.#language })
  }
}

const endOf = ({ audio_window_end: seconds }: TurnInfo) => seconds * 1000
