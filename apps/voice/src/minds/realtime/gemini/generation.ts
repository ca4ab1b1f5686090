import { createResampler, encodeMulaw, type Resampler, SAMPLE_RATE_HZ } from '@parley/voice-ports'
import type { LineEvent, Output } from '../line.ts'
import { EventQueue } from '../queue.ts'

const BYTES_PER_SAMPLE = 2

/** One turn of the model: from what started it to its end. The vendor names none, but makes one after the other. */
export class Generation {
  readonly events = new EventQueue<LineEvent>()
  readonly #itemId: string
  readonly #output: Output
  #resampler: Resampler | null = null
  #rateHz = 0
  /** Whose reply it is; null until one is asked for. */
  replyId: string | null = null
  /** What was said before it was anybody's reply. */
  text = ''
  isCancelled = false
  isOver = false

  constructor(itemId: string, output: Output) {
    this.#itemId = itemId
    this.#output = output
  }

  said(text: string): void {
    this.text += text
    if (this.#output === 'text') this.events.push({ type: 'text', delta: text })
    else this.events.push({ type: 'sound', itemId: this.#itemId, audio: new Uint8Array(0), text })
  }

  sound(mimeType: string, data: string): void {
    if (this.#output === 'text') return
    const rateHz = Number(/rate=(\d+)/.exec(mimeType)?.[1] ?? 24_000)
    if (!this.#resampler || rateHz !== this.#rateHz) this.#resampler = createResampler(rateHz, SAMPLE_RATE_HZ)
    this.#rateHz = rateHz
    this.#push(this.#resampler.push(samplesOf(data)))
  }

  tool(name: string, given: unknown): void {
    this.events.push({ type: 'tool', name, given })
  }

  end(error: Error | null = null): void {
    if (this.isOver) return
    this.isOver = true
    if (this.#resampler) this.#push(this.#resampler.flush())
    this.events.end(error)
  }

  #push(samples: Int16Array): void {
    const audio = encodeMulaw(samples)
    if (audio.length > 0) this.events.push({ type: 'sound', itemId: this.#itemId, audio })
  }
}

function samplesOf(data: string): Int16Array {
  const bytes = Buffer.from(data, 'base64')
  return Int16Array.from({ length: Math.floor(bytes.length / BYTES_PER_SAMPLE) }, (_, at) =>
    bytes.readInt16LE(at * BYTES_PER_SAMPLE),
  )
}
