import { decodeMulaw, encodeMulaw } from './mulaw.ts'
import workletsUrl from './worklets.ts?worker&url'

const SAMPLE_RATE_HZ = 8000

/** Plays the two sides of a call. Create it in a click handler, because browsers block audio otherwise. */
export class Speaker {
  readonly #context = new AudioContext({ sampleRate: SAMPLE_RATE_HZ, latencyHint: 'interactive' })
  readonly #players = new Map<number, AudioWorkletNode>()
  readonly ready: Promise<void>

  constructor(sides: readonly number[]) {
    this.ready = this.#start(sides)
  }

  play(side: number, audio: Uint8Array): void {
    const samples = decodeMulaw(audio)
    this.#players.get(side)?.port.postMessage(samples, [samples.buffer])
  }

  close(): void {
    void this.#context.close()
  }

  async #start(sides: readonly number[]): Promise<void> {
    await this.#context.resume()
    await this.#context.audioWorklet.addModule(workletsUrl)
    for (const side of sides) {
      const player = new AudioWorkletNode(this.#context, 'sound-player', { numberOfInputs: 0, outputChannelCount: [1] })
      player.connect(this.#context.destination)
      this.#players.set(side, player)
    }
  }
}

/** The microphone as mu-law frames of 20 ms. Rejects when there is none or it is denied. */
export async function openMicrophone(onFrame: (audio: Uint8Array<ArrayBuffer>) => void): Promise<() => void> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
  })
  const context = new AudioContext({ latencyHint: 'interactive' })
  const close = () => {
    for (const track of stream.getTracks()) track.stop()
    void context.close()
  }
  try {
    await context.audioWorklet.addModule(workletsUrl)
    const microphone = new AudioWorkletNode(context, 'sound-microphone', { numberOfOutputs: 1 })
    microphone.port.addEventListener('message', ({ data }: MessageEvent<Float32Array>) => onFrame(encodeMulaw(data)))
    microphone.port.start()
    context.createMediaStreamSource(stream).connect(microphone)
    // A node without an output does not run; this one is silent.
    microphone.connect(context.destination)
    return close
  } catch (error) {
    close()
    throw error
  }
}
