import { type Clock, FRAME_BYTES, FRAME_MS, type MediaTimeline, SILENCE_BYTE } from '@parley/voice-ports'

/** Receives the sound of a call frame by frame: what the callee says, and what they hear of us. */
export interface SoundTap {
  /** mediaMs: the carrier's time of the first sample. */
  callee(audio: Uint8Array, mediaMs: number): void
  /** playsMs: the call time of the first sample. */
  ours(audio: Uint8Array, playsMs: number): void
  /** Of our sound nothing is played any more that was not yet. */
  dropped?(): void
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
/** A frame of ours this close to the end of the last one follows it without a gap; the callee's time shifts by more. */
const JITTER_BYTES = 2 * FRAME_BYTES
/** Frames wait so long before they are placed: the timeline is better known by then, and a dropped frame is not kept. */
const HELD_MS = 400
/** Written in blocks of a second, one second behind. */
const BLOCK_BYTES = 1000 * BYTES_PER_MS

interface HeldFrame {
  readonly side: 'callee' | 'ours'
  readonly audio: Uint8Array
  /** Media time of the callee's, call time of ours. */
  readonly atMs: number
  readonly dueMs: number
}

export interface RecordingOptions {
  readonly clock: Clock
  readonly timeline: MediaTimeline
  readonly answeredMs: number
  readonly sink: RecordingSink
}

/** Records both channels, aligned with the transcript: byte 0 is the answer. */
export class Recording implements SoundTap {
  readonly #options: RecordingOptions
  /** Samples not written yet, channels interleaved. */
  readonly #window = new Uint8Array(4 * BLOCK_BYTES).fill(SILENCE_BYTE)
  #held: HeldFrame[] = []
  #windowByte = 0
  #untilByte = 0
  #oursUntilByte = 0
  /** The byte of media time 0. */
  #calleeByte: number | null = null

  constructor(options: RecordingOptions) {
    this.#options = options
  }

  callee(audio: Uint8Array, mediaMs: number): void {
    this.#hold('callee', audio, mediaMs)
  }

  ours(audio: Uint8Array, playsMs: number): void {
    this.#hold('ours', audio, playsMs)
  }

  dropped(): void {
    const nowMs = this.#options.clock.nowMs()
    this.#held = this.#held.filter(({ side, atMs }) => side === 'callee' || atMs <= nowMs)
  }

  keep(): Promise<void> {
    this.#place(Infinity)
    while (this.#untilByte > this.#windowByte + BLOCK_BYTES) this.#forward()
    this.#options.sink.write(this.#window.slice(0, 2 * Math.max(0, this.#untilByte - this.#windowByte)))
    return this.#options.sink.keep()
  }

  discard(): Promise<void> {
    return this.#options.sink.discard()
  }

  #hold(side: HeldFrame['side'], audio: Uint8Array, atMs: number): void {
    const nowMs = this.#options.clock.nowMs()
    this.#held.push({ side, audio, atMs, dueMs: nowMs + HELD_MS })
    this.#place(nowMs)
  }

  #place(nowMs: number): void {
    const due = this.#held.findIndex(({ dueMs }) => dueMs > nowMs)
    for (const { side, audio, atMs } of this.#held.splice(0, due < 0 ? this.#held.length : due)) {
      if (side === 'callee') this.#put(0, audio, this.#calleeStartByte(atMs))
      else this.#oursUntilByte = this.#put(1, audio, this.#oursStartByte(atMs))
    }
  }

  #calleeStartByte(mediaMs: number): number {
    const byte = this.#byteOf(this.#options.timeline.callMs(0))
    if (this.#calleeByte === null || Math.abs(byte - this.#calleeByte) > JITTER_BYTES) this.#calleeByte = byte
    return this.#calleeByte + mediaMs * BYTES_PER_MS
  }

  #oursStartByte(playsMs: number): number {
    const byte = this.#byteOf(playsMs)
    return Math.abs(byte - this.#oursUntilByte) <= JITTER_BYTES
      ? this.#oursUntilByte
      : Math.max(this.#oursUntilByte, byte)
  }

  #byteOf(callMs: number): number {
    return Math.round((callMs - this.#options.answeredMs) * BYTES_PER_MS)
  }

  /** Returns the byte behind the frame. What would lie before the answer, or is written already, is left out. */
  #put(channel: 0 | 1, audio: Uint8Array, startByte: number): number {
    const untilByte = startByte + audio.length
    while (untilByte > this.#windowByte + 2 * BLOCK_BYTES) this.#forward()
    for (let at = Math.max(0, this.#windowByte - startByte); at < audio.length; at++) {
      this.#window[2 * (startByte + at - this.#windowByte) + channel] = audio[at] ?? SILENCE_BYTE
    }
    this.#untilByte = Math.max(this.#untilByte, untilByte)
    return untilByte
  }

  #forward(): void {
    this.#options.sink.write(this.#window.slice(0, 2 * BLOCK_BYTES))
    this.#window.copyWithin(0, 2 * BLOCK_BYTES)
    this.#window.fill(SILENCE_BYTE, 2 * BLOCK_BYTES)
    this.#windowByte += BLOCK_BYTES
  }
}
