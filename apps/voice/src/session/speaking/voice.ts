import type { Logger } from 'pino'
import { forSpeech, type Mouth, type Speaking, type SpokenChunk } from '@parley/voice-ports'

/** The agent's voice in one call: opened once, in the language of each text, and opened again where it broke. */
export class Voice {
  readonly #mouth: Mouth
  readonly #voiceId: string
  readonly #log: Logger
  #speaking: Speaking | null = null
  #language: string
  #closed = false
  /** Given to vendors in this call. */
  readonly #characters = new Map<string, number>()

  constructor(mouth: Mouth, voiceId: string, language: string, log: Logger) {
    this.#mouth = mouth
    this.#voiceId = voiceId
    this.#language = language
    this.#log = log
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
    // Figures are said in words, and the transcript keeps how they are written.
    const { spoken, written } = forSpeech(text, language)
    for await (const chunk of speaking.speak(spoken, { signal }))
      yield chunk.words ? { ...chunk, words: chunk.words.map(written) } : chunk
  }

  close(): void {
    this.#closed = true
    for (const [mouth, characters] of this.#characters) this.#log.info({ mouth, characters }, 'characters spoken')
    this.#characters.clear()
    this.#speaking?.close()
    this.#speaking = null
  }

  #opened(): Speaking {
    if (this.#speaking) return this.#speaking
    const opened = this.#mouth.open({
      language: this.#language,
      voiceId: this.#voiceId,
      onSpoken: ({ mouth, characters }) =>
        void this.#characters.set(mouth, (this.#characters.get(mouth) ?? 0) + characters),
      onFailed: (error) => {
        this.#log.error({ mouth: this.#mouth.name, err: error }, 'mouth failed')
        if (this.#speaking === opened) this.#speaking = null
      },
    })
    this.#speaking = opened
    return opened
  }
}
