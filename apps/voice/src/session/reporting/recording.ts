import { type Clock, FRAME_BYTES, FRAME_MS, SILENCE_BYTE } from '@parley/voice-ports'

/** Receives the sound of a call frame by frame: what the callee says, and what they hear of us. */
export interface SoundTap {
  callee(audio: Uint8Array): void
  ours(audio: Uint8Array): void
}

/** Where a recording is written to: mu-law, two channels side by side, the callee left. */
export interface RecordingSink {
  write(block: Uint8Array): void
  /** Ends the recording; resolves when it was handed over or given up. */
  keep(): Promise<void>
  /** Deletes the recording. */
  discard(): Promise<void>
}

const BYTES_PER_MS = FRAME_BYTES / FRAME_MS
/** Jitter: a frame this close to the end of the last one follows it without a gap. */
const JITTER_BYTES = 2 * FRAME_BYTES
/** Written in blocks of a second, one second behind. */
const BLOCK_BYTES = 1000 * BYTES_PER_MS

/** Records both channels, aligned with the transcript: byte 0 is the answer. */
export class Recording implements SoundTap {
  readonly #clock: Clock
  readonly #answeredMs: number
  readonly #sink: RecordingSink
  /** Samples not written yet, channels interleaved. */
  readonly #window = new Uint8Array(4 * BLOCK_BYTES).fill(SILENCE_BYTE)
  #windowByte = 0
  readonly #untilByte = [0, 0]

  constructor(clock: Clock, answeredMs: number, sink: RecordingSink) {
    this.#clock = clock
    this.#answeredMs = answeredMs
    this.#sink = sink
  }

  /** A frame arrives when its last sample has been said. */
  callee(audio: Uint8Array): void {
    this.#put(0, audio, FRAME_MS)
  }

  ours(audio: Uint8Array): void {
    this.#put(1, audio, 0)
  }

  keep(): Promise<void> {
    while (Math.max(...this.#untilByte) > this.#windowByte + BLOCK_BYTES) this.#forward()
    this.#sink.write(this.#window.slice(0, 2 * Math.max(0, Math.max(...this.#untilByte) - this.#windowByte)))
    return this.#sink.keep()
  }

  discard(): Promise<void> {
    return this.#sink.discard()
  }

  #put(channel: 0 | 1, audio: Uint8Array, ageMs: number): void {
    const nowByte = Math.max(0, Math.round((this.#clock.nowMs() - this.#answeredMs - ageMs) * BYTES_PER_MS))
    const untilByte = this.#untilByte[channel] ?? 0
    const startByte = Math.abs(nowByte - untilByte) <= JITTER_BYTES ? untilByte : Math.max(untilByte, nowByte)
    while (startByte + audio.length > this.#windowByte + 2 * BLOCK_BYTES) this.#forward()
    for (let at = Math.max(0, this.#windowByte - startByte); at < audio.length; at++) {
      this.#window[2 * (startByte + at - this.#windowByte) + channel] = audio[at] ?? SILENCE_BYTE
    }
    this.#untilByte[channel] = startByte + audio.length
  }

  #forward(): void {
    this.#sink.write(this.#window.slice(0, 2 * BLOCK_BYTES))
    this.#window.copyWithin(0, 2 * BLOCK_BYTES)
    this.#window.fill(SILENCE_BYTE, 2 * BLOCK_BYTES)
    this.#windowByte += BLOCK_BYTES
  }
}
