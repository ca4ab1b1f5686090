import { type Clock, FRAME_BYTES, FRAME_MS, type MediaTimeline, SILENCE_BYTE } from '@parley/voice-ports'

/** Receives the sound of a call frame by frame: what the callee says, and what they hear of us. */
export interface SoundTap {
  /** mediaMs: the carrier's time of the first sample. */
  callee(audio: Uint8Array, mediaMs: number): void
  /** playsMs: the call time of the first sample. A private frame tells a value that is not kept. */
  ours(audio: Uint8Array, playsMs: number, isPrivate?: boolean): void
  /** Of our sound nothing is played any more that was not yet. */
  dropped?(): void
}

/** Where a recording is written to: mu-law, two channels side by side, the callee left. */
export interface RecordingSink {
  write(block: Uint8Array): void
  /** Replaces what was written of a channel (0: the callee) by silence, from one sample until another. */
  silence(channel: 0 | 1, fromSample: number, untilSample: number): void
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
/** The callee's channel may bring our own sound back so much later. */
const ECHO_MS = 500
/** Written in blocks of a second, one second behind. */
const BLOCK_BYTES = 1000 * BYTES_PER_MS

interface HeldFrame {
  readonly side: 'callee' | 'ours'
  readonly audio: Uint8Array
  /** Media time of the callee's, call time of ours. */
  readonly atMs: number
  readonly dueMs: number
}

interface Silence {
  readonly channel: 0 | 1
  readonly fromByte: number
  untilByte: number
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
  readonly #silences: Silence[] = []
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

  ours(audio: Uint8Array, playsMs: number, isPrivate = false): void {
    if (!isPrivate) return this.#hold('ours', audio, playsMs)
    this.silence('callee', playsMs, playsMs + audio.length / BYTES_PER_MS + ECHO_MS)
    return this.#hold('ours', new Uint8Array(audio.length).fill(SILENCE_BYTE), playsMs)
  }

  /** Keeps silence in the place of one side between two call times, also where it was written already. */
  silence(side: HeldFrame['side'], fromMs: number, untilMs: number): void {
    const channel = side === 'callee' ? 0 : 1
    const [fromByte, untilByte] = [Math.max(0, this.#byteOf(fromMs)), this.#byteOf(untilMs)]
    if (untilByte <= fromByte) return
    const last = this.#silences.at(-1)
    if (last?.channel === channel && fromByte <= last.untilByte && fromByte >= last.fromByte)
      last.untilByte = Math.max(last.untilByte, untilByte)
    else this.#silences.push({ channel, fromByte, untilByte })
    if (fromByte < this.#windowByte)
      this.#options.sink.silence(channel, fromByte, Math.min(untilByte, this.#windowByte))
    const size = this.#window.length / 2
    for (let at = Math.max(0, fromByte - this.#windowByte); at < Math.min(size, untilByte - this.#windowByte); at++)
      this.#window[2 * at + channel] = SILENCE_BYTE
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
    const silences = this.#silences.filter((one) => one.channel === channel && one.untilByte > startByte)
    const isSilent = (byte: number) => silences.some((one) => byte >= one.fromByte && byte < one.untilByte)
    for (let at = Math.max(0, this.#windowByte - startByte); at < audio.length; at++) {
      const sample = isSilent(startByte + at) ? SILENCE_BYTE : (audio[at] ?? SILENCE_BYTE)
      this.#window[2 * (startByte + at - this.#windowByte) + channel] = sample
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
