import { FRAME_BYTES, type Frame } from '@parley/voice-ports'
import { framesOf, speakWhole, type Speak, type SpeakOptions } from './sound.ts'
import type { CalleeDoes, FarParty } from './leg.ts'

/** Longest queue of microphone frames, to keep the delay short. */
const MICROPHONE_FRAMES = 15
/** Longest queue of typed speech: a minute. */
const SPEECH_FRAMES = 3000

/**
 * The phone of ...555 0199, used by the user in the browser: typed text is spoken by a voice, or they speak themselves.
 */
export class Handset implements FarParty {
  readonly #speak: Speak
  readonly #options: SpeakOptions
  readonly #hear: (audio: Uint8Array) => void
  readonly #microphone: Uint8Array[] = []
  #speech: Frame[] = []
  #making: Promise<void> = Promise.resolve()
  #digits = ''
  #ends: CalleeDoes['ends'] = null

  constructor(speak: Speak, options: SpeakOptions, hear: (audio: Uint8Array) => void) {
    this.#speak = speak
    this.#options = options
    this.#hear = hear
  }

  /** Spoken by a synthetic voice, one text after the other. */
  say(text: string): void {
    this.#making = this.#making.then(async () => {
      if (this.#speech.length < SPEECH_FRAMES)
        this.#speech.push(...framesOf(await speakWhole(this.#speak, text, this.#options)))
    })
    this.#making = this.#making.catch(() => void (this.#ends = 'failed'))
  }

  /** 20 ms of the person's own voice. */
  voice(audio: Uint8Array): void {
    if (audio.length !== FRAME_BYTES) return
    this.#microphone.push(audio)
    if (this.#microphone.length > MICROPHONE_FRAMES) this.#microphone.shift()
  }

  dial(digits: string): void {
    this.#digits += digits
  }

  hangUp(): void {
    this.#ends ??= 'remote'
  }

  /** Keys of the caller are heard as tones only. */
  press(): void {}

  tick(_: number, heard: Frame | null): CalleeDoes {
    if (heard) this.#hear(heard.audio)
    const digits = this.#digits
    this.#digits = ''
    const spoken = this.#microphone.shift()
    return { frame: this.#speech.shift() ?? (spoken ? { audio: spoken } : null), digits, ends: this.#ends }
  }
}
