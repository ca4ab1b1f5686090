import { Decoding, type Sound, type StreamingRecogniser } from './ear-decoding.ts'
import type { Answered, Asked } from './ear-messages.ts'
import type { RecogniserConfig } from './ear-models.ts'

type Tell = (answered: Answered) => Promise<void> | void

/** All legs of a voice service before the recognisers of their languages. */
export class Recognition {
  readonly #make: (config: RecogniserConfig) => StreamingRecogniser
  readonly #tell: Tell
  readonly #recognisers = new Map<string, StreamingRecogniser>()
  readonly #legs = new Map<number, { readonly language: string; readonly decoding: Decoding<Sound> }>()

  constructor(make: (config: RecogniserConfig) => StreamingRecogniser, tell: Tell) {
    this.#make = make
    this.#tell = tell
  }

  take(asked: Asked): void {
    switch (asked.type) {
      case 'load':
        return void this.load(asked.models)
      case 'sound':
        this.#decodingOf(asked.id, asked.language)?.push(asked.audio)
        return void this.#tell({ type: 'heard', id: asked.id })
      case 'finalize':
        this.#legs.get(asked.id)?.decoding.finalize()
        return void this.#tell({ type: 'settled', id: asked.id })
      case 'close':
        return void this.#legs.delete(asked.id)
    }
  }

  async load(models: Extract<Asked, { type: 'load' }>['models']): Promise<void> {
    for (const { language, folder, config } of models) {
      await this.#tell({ type: 'loading', folder })
      this.#recognisers.set(language, this.#make(config))
    }
    await this.#tell({ type: 'ready' })
  }

  /** What was said in the language before is final when the language changes. */
  #decodingOf(id: number, language: string): Decoding<Sound> | undefined {
    const known = this.#legs.get(id)
    if (known?.language === language) return known.decoding
    known?.decoding.finalize()
    const recogniser = this.#recognisers.get(language)
    if (!recogniser) return undefined
    const decoding = new Decoding(recogniser, (text, final) => void this.#tell({ type: 'words', id, text, final }))
    this.#legs.set(id, { language, decoding })
    return decoding
  }
}
