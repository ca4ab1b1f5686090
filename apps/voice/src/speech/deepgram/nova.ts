import type { Frame } from '@parley/voice-ports'
import { Settling } from '../vendor/settling.ts'
import { VendorSocket } from '../vendor/socket.ts'
import { SoundTimes } from '../vendor/sound-times.ts'
import { baseOf } from '../vendor/text.ts'
import { KEEP_EVERY_MS, type Link, type LinkOptions, MUTE_AFTER_MS, VENDOR } from './link.ts'
import { NovaMessage, type Results } from './messages.ts'
import type { Plan } from './models.ts'
import { endMsOf, languageOf, NovaUtterance, type NovaWords } from './nova-words.ts'

/** A result covers the sound up to a place when it ends so shortly before it. */
const TOLERANCE_MS = 200

/** /v1/listen: the session's own voice activity ends the turns, by Finalize. */
export class NovaLink implements Link {
  readonly #options: LinkOptions
  readonly #socket: VendorSocket
  readonly #times = new SoundTimes()
  readonly #utterance = new NovaUtterance()
  readonly #settling: Settling
  #language: string
  #cancelKeep: () => void = () => undefined
  /** Sound that was sent when the vendor last said something. */
  #saidAtMs = 0

  constructor(options: LinkOptions) {
    const { url, apiKey, clock, settlesWithinMs, onReady, onEvent, onFailed, onFinished, language } = options
    this.#options = options
    this.#language = language
    this.#settling = new Settling(
      clock,
      settlesWithinMs,
      () => onEvent({ type: 'settled' }),
      () => this.#tell(this.#utterance.end(), this.#times.sentMs),
    )
    this.#socket = new VendorSocket({
      vendor: VENDOR,
      url,
      headers: { authorization: `Token ${apiKey}` },
      clock,
      onOpen: () => {
        this.#keep()
        onReady()
      },
      onMessage: (message) => this.#take(message),
      onFailed: (failure) => {
        this.#end()
        onFailed(failure)
      },
      onFinished: () => {
        this.#tell(this.#utterance.end(), this.#times.sentMs)
        this.#settling.settleAll()
        this.#end()
        onFinished()
      },
    })
  }

  push({ audio }: Frame): void {
    // An empty message would end the stream.
    if (audio.length === 0) return
    this.#times.push(this.#options.clock.nowMs())
    this.#socket.sendAudio(audio)
    this.#keep()
    if (this.#times.sentMs - this.#saidAtMs < MUTE_AFTER_MS) return
    this.#socket.close()
    this.#end()
    const message = `${VENDOR} has said nothing for ${MUTE_AFTER_MS / 1000} s of sound.`
    this.#options.onFailed({ message, retryable: true, retryAfterMs: null })
  }

  finalize(): void {
    this.#settling.ask(this.#times.sentMs)
    this.#socket.send({ type: 'Finalize' })
  }

  setLanguage(language: string, plan: Plan): boolean {
    const isSame = plan.kind === 'nova' && plan.model === this.#options.plan.model
    const { parameters } = this.#options.plan
    const hearsIt = this.#options.plan.tellsLanguage && !parameters.some(([name]) => name === 'language_hint')
    if (!isSame || !(hearsIt || JSON.stringify(parameters) === JSON.stringify(plan.parameters))) return false
    this.#language = language
    return true
  }

  finish(): void {
    this.#cancelKeep()
    this.#socket.finish({ type: 'CloseStream' })
  }

  close(): void {
    this.#end()
    this.#socket.close({ type: 'CloseStream' })
  }

  #end(): void {
    this.#cancelKeep()
    this.#settling.close()
  }

  #keep(): void {
    this.#cancelKeep()
    this.#cancelKeep = this.#options.clock.after(KEEP_EVERY_MS, () => {
      this.#socket.send({ type: 'KeepAlive' })
      this.#keep()
    })
  }

  #take(message: unknown): void {
    const told = NovaMessage.safeParse(message)
    if (!told.success) return
    this.#saidAtMs = this.#times.sentMs
    if (told.data.type === 'Results') return this.#hear(told.data)
    if (told.data.type === 'UtteranceEnd') this.#tell(this.#utterance.endOfParts(), this.#times.sentMs)
  }

  #hear(results: Results): void {
    const endMs = endMsOf(results)
    if (results.is_final) this.#noteLanguage(results)
    this.#tell(this.#utterance.take(results), endMs)
    const covers = results.from_finalize ? endMs + TOLERANCE_MS : endMs
    if (results.is_final && (results.from_finalize || results.speech_final)) this.#settling.coveredUntil(covers)
  }

  #tell(words: NovaWords | null, positionMs: number): void {
    if (!words) return
    const atMs = this.#times.at(positionMs, this.#options.clock.nowMs())
    this.#options.onEvent({ type: 'words', ...words, atMs })
  }

  #noteLanguage(results: Results): void {
    const language = languageOf(results)
    if (language === null || language === baseOf(this.#language)) return
    this.#language = language
    this.#options.onEvent({ type: 'language', language })
  }
}
