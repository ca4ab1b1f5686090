import {
  type Carrier,
  type Clock,
  encodeWav,
  FRAME_BYTES,
  FRAME_MS,
  levelDbm0,
  SILENCE_BYTE,
} from '@parley/voice-ports'

const BYTES_PER_MS = FRAME_BYTES / FRAME_MS
/** Frames that come this close to the last one's end belong to the same stretch of sound. */
const JITTER_MS = 2 * FRAME_MS
/** Level between speech and the noise of the leg, in dBm0. */
const SPEECH_DBM0 = -40
/** A shorter silence belongs to a word. */
const WORD_GAP_MS = 100

export interface Stretch {
  readonly startMs: number
  readonly endMs: number
}

/** Records both sides of a call from the answer on: the callee left, the agent right. */
export class Recorder {
  readonly #clock: Clock
  readonly #callee: Track = { parts: [], bytes: 0 }
  readonly #agent: Track = { parts: [], bytes: 0 }
  #answeredMs: number | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Wraps a carrier and records the audio of its next call. */
  record(carrier: Carrier): Carrier {
    return {
      ...carrier,
      dial: (options, clock, onEvent) => {
        const leg = carrier.dial(options, clock, (event) => {
          if (event.type === 'answered') this.#answeredMs = this.#clock.nowMs()
          // A frame arrives when its last sample has been said.
          if (event.type === 'frame') this.#keep(this.#callee, event.frame.audio, FRAME_MS)
          onEvent(event)
        })
        return {
          get capabilities() {
            return leg.capabilities
          },
          send: (frame) => {
            this.#keep(this.#agent, frame.audio, 0)
            leg.send(frame)
          },
          mark: (name) => leg.mark(name),
          clear: () => leg.clear(),
          sendDigits: (digits) => leg.sendDigits(digits),
          transfer: (to) => leg.transfer(to),
          hangUp: () => leg.hangUp(),
        }
      },
      close: () => carrier.close(),
    }
  }

  wav(): Uint8Array {
    return encodeWav([soundOf(this.#callee), soundOf(this.#agent)])
  }

  get speech(): { readonly callee: readonly Stretch[]; readonly agent: readonly Stretch[] } {
    return { callee: speechIn(this.#callee), agent: speechIn(this.#agent) }
  }

  #keep(track: Track, audio: Uint8Array, ageMs: number): void {
    if (this.#answeredMs === null) return
    const atByte = Math.max(0, Math.round((this.#clock.nowMs() - this.#answeredMs - ageMs) * BYTES_PER_MS))
    const isNext = Math.abs(atByte - track.bytes) <= JITTER_MS * BYTES_PER_MS
    const startByte = isNext ? track.bytes : Math.max(track.bytes, atByte)
    track.parts.push({ startByte, audio })
    track.bytes = startByte + audio.length
  }
}

interface Track {
  readonly parts: { readonly startByte: number; readonly audio: Uint8Array }[]
  bytes: number
}

function soundOf({ parts, bytes }: Track): Uint8Array {
  const sound = new Uint8Array(bytes).fill(SILENCE_BYTE)
  for (const { startByte, audio } of parts) sound.set(audio, startByte)
  return sound
}

function speechIn({ parts }: Track): Stretch[] {
  const stretches: { startMs: number; endMs: number }[] = []
  for (const { startByte, audio } of parts) {
    if (levelDbm0(audio) < SPEECH_DBM0) continue
    const startMs = startByte / BYTES_PER_MS
    const endMs = startMs + audio.length / BYTES_PER_MS
    const last = stretches.at(-1)
    if (last && startMs - last.endMs <= WORD_GAP_MS) last.endMs = endMs
    else stretches.push({ startMs, endMs })
  }
  return stretches
}

/** Where both speak at once. */
export function overlaps(one: readonly Stretch[], other: readonly Stretch[]): Stretch[] {
  return one.flatMap((a) =>
    other.flatMap((b) => {
      const both = { startMs: Math.max(a.startMs, b.startMs), endMs: Math.min(a.endMs, b.endMs) }
      return both.startMs < both.endMs ? [both] : []
    }),
  )
}
