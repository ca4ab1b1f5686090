import { levelDbm0 } from '@parley/voice-ports'
import { SPOKEN_WORD_MS, wordsOf } from './script.ts'

const FRAME_BYTES = 160
const FRAME_MS = 20
const LOUD_DBM0 = -50

/** What the callee says, for a far end that recognises no speech: of each utterance, as many words as it has sound for. */
export type Callee = (utterance: number, language: string | null) => string

/** Turns the sound of one utterance into its words: a word is 300 ms of loud sound. */
export class Recogniser {
  readonly #text: () => string
  readonly #toleranceMs: number
  #rest: Uint8Array = new Uint8Array(0)
  #loudMs = 0

  /** `toleranceMs`: what a word may lack, as by a resampler that lags. */
  constructor(text: () => string, toleranceMs = 0) {
    this.#text = text
    this.#toleranceMs = toleranceMs
  }

  /** Mu-law. */
  push(audio: Uint8Array): void {
    const all = new Uint8Array(this.#rest.length + audio.length)
    all.set(this.#rest)
    all.set(audio, this.#rest.length)
    let at = 0
    for (; at + FRAME_BYTES <= all.length; at += FRAME_BYTES)
      if (levelDbm0(all.subarray(at, at + FRAME_BYTES)) > LOUD_DBM0) this.#loudMs += FRAME_MS
    this.#rest = all.slice(at)
  }

  get words(): readonly string[] {
    return wordsOf(this.#text()).slice(0, Math.floor((this.#loudMs + this.#toleranceMs) / SPOKEN_WORD_MS))
  }
}
