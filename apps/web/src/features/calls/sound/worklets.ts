/** Runs in the audio thread: converts between the device's sample rate and 8 kHz. */

// Globals of the audio thread.
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void
declare const sampleRate: number

const SAMPLE_RATE_HZ = 8000
/** Buffered before playing starts, to bridge network jitter. */
const CUSHION_SAMPLES = 0.08 * SAMPLE_RATE_HZ
/** Samples queued beyond this are dropped, to stay close to the conversation. */
const BEHIND_SAMPLES = 0.3 * SAMPLE_RATE_HZ
const FRAME_SAMPLES = 160

/** Plays the frames of one side, in a context of 8 kHz. */
class Player extends AudioWorkletProcessor {
  readonly #queue: Float32Array[] = []
  #queued = 0
  #offset = 0
  #playing = false

  constructor() {
    super()
    this.port.addEventListener('message', ({ data }: MessageEvent<Float32Array>) => this.#take(data))
    this.port.start()
  }

  process(_inputs: unknown, [output]: readonly (readonly Float32Array[])[]): boolean {
    const samples = output?.[0]
    if (!samples || !this.#playing) return true
    for (let at = 0; at < samples.length; at++) {
      const chunk = this.#queue[0]
      if (!chunk) break
      samples[at] = chunk[this.#offset++] ?? 0
      this.#queued--
      if (this.#offset >= chunk.length) this.#drop()
    }
    this.#playing = this.#queued > 0
    return true
  }

  #take(samples: Float32Array): void {
    this.#queue.push(samples)
    this.#queued += samples.length
    if (this.#queued >= CUSHION_SAMPLES) this.#playing = true
    if (this.#queued <= BEHIND_SAMPLES) return
    while (this.#queued > CUSHION_SAMPLES) {
      this.#queued -= (this.#queue[0]?.length ?? 0) - this.#offset
      this.#drop()
    }
  }

  #drop(): void {
    this.#queue.shift()
    this.#offset = 0
  }
}

/** Sends the microphone in frames of 20 ms. Averages samples as a low-pass filter for 8 kHz. */
class Microphone extends AudioWorkletProcessor {
  #frame = new Float32Array(FRAME_SAMPLES)
  #filled = 0
  #sum = 0
  #count = 0
  #position = 0

  process([input]: readonly (readonly Float32Array[])[]): boolean {
    for (const sample of input?.[0] ?? []) {
      this.#sum += sample
      this.#count++
      this.#position += SAMPLE_RATE_HZ
      if (this.#position < sampleRate) continue
      this.#position -= sampleRate
      this.#frame[this.#filled++] = this.#sum / this.#count
      this.#sum = 0
      this.#count = 0
      if (this.#filled < FRAME_SAMPLES) continue
      this.port.postMessage(this.#frame, [this.#frame.buffer])
      this.#frame = new Float32Array(FRAME_SAMPLES)
      this.#filled = 0
    }
    return true
  }
}

registerProcessor('sound-player', Player)
registerProcessor('sound-microphone', Microphone)
