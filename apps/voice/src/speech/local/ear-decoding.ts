import { decodeMulaw, SAMPLE_RATE_HZ } from '@parley/voice-ports'

/** What is used of a recogniser of sherpa-onnx. */
export interface StreamingRecogniser<Stream extends Sound = Sound> {
  createStream(): Stream
  isReady(stream: Stream): boolean
  decode(stream: Stream): void
  reset(stream: Stream): void
  getResult(stream: Stream): { readonly text: string }
}
export interface Sound {
  acceptWaveform(sound: { readonly samples: Float32Array; readonly sampleRate: number }): void
}

const FULL_SCALE = 32_768
/** A model looks this far ahead: silence after the last word lets it out. */
const TAIL_SAMPLES = SAMPLE_RATE_HZ / 2
/** Steps of one push, which has 20 ms of sound; the tail takes a few more. */
const STEPS_MAX = 200

/** The words of one leg by one recogniser. */
export class Decoding<Stream extends Sound> {
  readonly #recogniser: StreamingRecogniser<Stream>
  readonly #stream: Stream
  readonly #onWords: (text: string, final: boolean) => void
  #told = ''

  constructor(recogniser: StreamingRecogniser<Stream>, onWords: (text: string, final: boolean) => void) {
    this.#recogniser = recogniser
    this.#stream = recogniser.createStream()
    this.#onWords = onWords
  }

  push(audio: Uint8Array): void {
    const text = this.#hear(Float32Array.from(decodeMulaw(audio), (value) => value / FULL_SCALE))
    if (text === '' || text === this.#told) return
    this.#told = text
    this.#onWords(text, false)
  }

  finalize(): void {
    const text = this.#hear(new Float32Array(TAIL_SAMPLES))
    this.#recogniser.reset(this.#stream)
    this.#told = ''
    if (text !== '') this.#onWords(text, true)
  }

  #hear(samples: Float32Array): string {
    this.#stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE_HZ })
    for (let steps = 0; steps < STEPS_MAX && this.#recogniser.isReady(this.#stream); steps++)
      this.#recogniser.decode(this.#stream)
    return written(this.#recogniser.getResult(this.#stream).text)
  }
}

/** Many models know capitals only. */
function written(text: string): string {
  const trimmed = text.trim()
  return trimmed === trimmed.toUpperCase() ? trimmed.toLowerCase() : trimmed
}
