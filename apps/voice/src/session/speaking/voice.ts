import type { Logger } from 'pino'
import { type Clock, forSpeech, type Mouth, type Speaking, type SpokenChunk } from '@parley/voice-ports'
import type { Figures } from '../reporting/figures.ts'

export interface VoiceOptions {
  readonly mouth: Mouth
  readonly voiceId: string
  readonly language: string
  readonly clock: Clock
  readonly figures: Figures
  readonly log: Logger
}

/** The agent's voice in one call: opened once, in the language of each text, and opened again where it broke. */
export class Voice {
  readonly #options: VoiceOptions
  readonly #mouth: Mouth
  readonly #log: Logger
  #speaking: Speaking | null = null
  #language: string
  #closed = false

  constructor(options: VoiceOptions) {
    this.#options = options
    this.#mouth = options.mouth
    this.#log = options.log
    this.#language = options.language
  }

  get name(): string {
    return this.#mouth.name
  }

  get wordTimes(): boolean {
    return this.#mouth.wordTimes
  }

  /** Connects in advance; a failure shows again where something is to be said. */
  open(): void {
    try {
      this.#opened()
    } catch (error) {
      this.#log.error({ mouth: this.#mouth.name, err: error }, 'mouth not opened')
    }
  }

  async *speak(text: string, language: string, signal: AbortSignal): AsyncGenerator<SpokenChunk> {
    if (this.#closed) return
    const speaking = this.#opened()
    if (language !== this.#language) speaking.setLanguage(language)
    this.#language = language
    const { clock, figures } = this.#options
    const askedMs = clock.nowMs()
    let isAudible = false
    // Figures are said in words, and the transcript keeps how they are written.
    const { spoken, written } = forSpeech(text, language)
    for await (const chunk of speaking.speak(spoken, { signal })) {
      if (!isAudible && chunk.audio.length > 0) figures.took('mouth_first_sound', clock.nowMs() - askedMs)
      isAudible ||= chunk.audio.length > 0
      yield chunk.words ? { ...chunk, words: chunk.words.map(written) } : chunk
    }
  }

  close(): void {
    this.#closed = true
    this.#speaking?.close()
    this.#speaking = null
  }

  #opened(): Speaking {
    if (this.#speaking) return this.#speaking
    const opened = this.#mouth.open({
      language: this.#language,
      voiceId: this.#options.voiceId,
      onSpoken: ({ mouth, characters }) => this.#options.figures.spoke(mouth, characters),
      onFailed: (error) => {
        this.#log.error({ mouth: this.#mouth.name, err: error }, 'mouth failed')
        if (this.#speaking === opened) this.#speaking = null
      },
    })
    this.#speaking = opened
    return opened
  }
}
