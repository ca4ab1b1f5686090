import {
  type CarrierCapabilities,
  type Clock,
  FRAME_BYTES,
  FRAME_MS,
  type Leg,
  SILENCE_BYTE,
  type SpokenChunk,
  type Ticker,
} from '@parley/voice-ports'
import { MARK_LOST_MS, STALLED_MS } from '../limits.ts'
import { Pacing } from './pacing.ts'

const BYTES_PER_MS = FRAME_BYTES / FRAME_MS

/** A point of an output: `reached` runs once the sound before it was played. */
interface Stop {
  readonly atByte: number
  readonly word: string | null
  /** Nothing behind it is sent before it is reached. */
  readonly holds?: true
  readonly reached: () => void
}

interface Sentence {
  readonly startByte: number
  readonly tokens: readonly string[]
  heardWords: number
  heard: boolean
}

interface Output {
  readonly id: number
  readonly sounds: { readonly startByte: number; readonly audio: Uint8Array }[]
  readonly stops: Stop[]
  readonly sentences: Sentence[]
  bytes: number
  sentBytes: number
  sentStops: number
  heardStops: number
  finished: boolean
  startedMs: number | null
}

export interface PlaybackEvents {
  /** A frame of sound has left, and is played at this call time. */
  sent(audio: Uint8Array, playsMs: number): void
  /** What was sent and not yet played never will be. */
  dropped?(): void
  /** More of an output was heard; `text` is all of it so far. */
  heard(text: string, sinceMs: number): void
  /** The whole output was heard. */
  played(id: number): void
  /** No more sound came, and finish() was not called. */
  stalled(id: number): void
}

/**
 * Sends the agent's voice in real time, one output after the other, and tracks what the callee heard: a word counts
 * when the carrier reports everything up to it as played.
 */
export class Playback {
  readonly #clock: Clock
  readonly #ticker: Ticker
  readonly #carriesText: boolean
  readonly #events: PlaybackEvents
  readonly #leg: Leg
  readonly #pacing: Pacing
  #queue: Output[] = []
  #marks: { readonly name: string; readonly output: Output; readonly stops: number }[] = []
  #markNames = 0
  #paused = false
  #leave: (() => void) | null = null
  #watch: (() => void) | null = null

  constructor(options: {
    clock: Clock
    ticker: Ticker
    leg: Leg
    capabilities: CarrierCapabilities
    events: PlaybackEvents
  }) {
    this.#clock = options.clock
    this.#ticker = options.ticker
    this.#leg = options.leg
    this.#carriesText = options.capabilities.text
    this.#events = options.events
    this.#pacing = new Pacing(options.clock, options.capabilities.playout)
  }

  /** Gaps within a sentence that the callee heard. */
  get underruns(): number {
    return this.#pacing.underruns
  }

  begin(id: number): void {
    const empty = { bytes: 0, sentBytes: 0, sentStops: 0, heardStops: 0, finished: false, startedMs: null }
    this.#queue.push({ id, sounds: [], stops: [], sentences: [], ...empty })
  }

  /** The text of the sound that follows. */
  sentence(id: number, text: string): void {
    const output = this.#find(id)
    const startByte = output?.bytes ?? 0
    output?.sentences.push({ startByte, tokens: text.trim().split(/\s+/), heardWords: 0, heard: false })
  }

  sound(id: number, chunk: SpokenChunk): void {
    const output = this.#find(id)
    const sentence = output?.sentences.at(-1)
    if (!output || !sentence) return
    const startByte = output.bytes
    for (const { text, endMs } of chunk.words) {
      const atByte = startByte + Math.min(chunk.audio.length, Math.round(endMs * BYTES_PER_MS))
      const reached = () => {
        sentence.heardWords++
        this.#tell(output)
      }
      output.stops.push({ atByte, word: text, reached })
    }
    if (chunk.audio.length > 0) output.sounds.push({ startByte, audio: chunk.audio })
    output.bytes += chunk.audio.length
    this.#run()
  }

  sentenceDone(id: number): void {
    const sentence = this.#find(id)?.sentences.at(-1)
    const output = this.#find(id)
    if (!sentence || !output) return
    const reached = () => {
      sentence.heard = true
      this.#tell(output)
    }
    output.stops.push({ atByte: output.bytes, word: null, reached })
    this.#run()
  }

  /** Runs the task when everything so far was heard, and before what follows is sent. */
  whenHeard(id: number, task: () => void): void {
    const output = this.#find(id)
    if (!output) return
    const reached = () => {
      task()
      this.#run()
    }
    output.stops.push({ atByte: output.bytes, word: null, holds: true, reached })
    this.#run()
  }

  /** No more sound follows. */
  finish(id: number): void {
    const output = this.#find(id)
    if (!output || output.finished) return
    output.finished = true
    output.stops.push({ atByte: output.bytes, word: null, reached: () => this.#complete(output) })
    this.#run()
  }

  /** Silent at once; resume() goes on with the first word that was not heard. */
  pause(): void {
    this.#silence()
    this.#paused = true
  }

  resume(): void {
    this.#paused = false
    this.#run()
  }

  /** Silent at once, for good. */
  drop(): void {
    this.#silence()
    this.#paused = false
    this.#queue = []
  }

  marked(name: string): void {
    const index = this.#marks.findIndex((mark) => mark.name === name)
    if (index < 0) return
    // Marks come in order: those before this one were played too, should the carrier have lost them.
    for (const { output, stops } of this.#marks.splice(0, index + 1)) this.#reach(output, stops)
  }

  #find(id: number): Output | undefined {
    return this.#queue.find((output) => output.id === id)
  }

  #reach(output: Output, stops: number): void {
    while (output.heardStops < stops) output.stops[output.heardStops++]?.reached()
  }

  #tell(output: Output): void {
    this.#events.heard(heardText(output), output.startedMs ?? this.#clock.nowMs())
  }

  #complete(output: Output): void {
    this.#queue = this.#queue.filter((other) => other !== output)
    this.#events.played(output.id)
    this.#run()
  }

  #silence(): void {
    this.#leave?.()
    this.#leave = null
    this.#watch?.()
    this.#watch = null
    this.#leg.clear()
    this.#events.dropped?.()
    this.#pacing.clear()
    this.#marks = []
    for (const output of this.#queue) {
      output.sentStops = output.heardStops
      output.sentBytes = output.stops[output.heardStops - 1]?.atByte ?? 0
    }
  }

  /** The output to send from. */
  #next(): Output | undefined {
    const output = this.#queue.find((one) => isHeld(one) || hasMore(one))
    return output && !isHeld(output) ? output : undefined
  }

  /** Keeps the beat while there is something to send. */
  #run(): void {
    if (this.#paused || this.#leave || !this.#next()) return
    this.#leave = this.#ticker.join(() => this.#tick())
  }

  #tick(): void {
    do {
      const output = this.#next()
      if (!output) {
        this.#leave?.()
        this.#leave = null
        this.#awaitMore()
        return
      }
      this.#watch?.()
      this.#watch = null
      // Stops without sound wait for no buffer.
      if (output.sentBytes === output.bytes || !this.#pacing.buffers || this.#pacing.isDue) this.#send(output)
    } while (this.#pacing.buffers && this.#pacing.isDue && this.#leave)
  }

  #send(output: Output): void {
    const untilByte = Math.min(output.bytes, output.sentBytes + FRAME_BYTES, holdByte(output))
    output.startedMs ??= this.#clock.nowMs()
    let words = ''
    const sentBefore = output.sentStops
    while (true) {
      const stop = output.stops[output.sentStops]
      if (!stop || stop.atByte > untilByte) break
      if (stop.word !== null) words = words === '' ? stop.word : `${words} ${stop.word}`
      output.sentStops++
      if (stop.holds) break
    }
    if (untilByte > output.sentBytes) {
      const audio = cut(output, output.sentBytes, untilByte)
      const playsMs = this.#pacing.send(!output.sentences.some(({ startByte }) => startByte === output.sentBytes))
      this.#leg.send(this.#carriesText && words !== '' ? { audio, text: words } : { audio })
      this.#events.sent(audio, playsMs)
      output.sentBytes = untilByte
    }
    if (output.sentStops > sentBefore) this.#mark(output)
  }

  #mark(output: Output): void {
    const name = `w${++this.#markNames}`
    this.#marks.push({ name, output, stops: output.sentStops })
    this.#leg.mark(name)
  }

  /** Everything is sent: waits for the last mark or for more sound. */
  #awaitMore(): void {
    const output = this.#queue[0]
    if (!output || this.#watch) return
    const last = this.#marks.at(-1)
    const awaitsMark = output.finished || isHeld(output)
    this.#watch = this.#clock.after(awaitsMark ? MARK_LOST_MS : STALLED_MS, () => {
      this.#watch = null
      if (!awaitsMark) this.#events.stalled(output.id)
      else if (last && this.#marks.includes(last)) this.marked(last.name)
    })
  }
}

function hasMore(output: Output): boolean {
  return output.sentBytes < output.bytes || output.sentStops < output.stops.length
}

/** Waits until the callee has heard what was sent. */
function isHeld({ stops, sentStops, heardStops }: Output): boolean {
  return sentStops > heardStops && stops[sentStops - 1]?.holds === true
}

/** The byte that the next stop holds. */
function holdByte({ stops, sentStops }: Output): number {
  for (let at = sentStops; at < stops.length; at++) if (stops[at]?.holds) return stops[at]?.atByte ?? Infinity
  return Infinity
}

/** 160 bytes of the output, mostly from within one of its sounds; padded to a whole frame with silence. */
function cut(output: Output, fromByte: number, untilByte: number): Uint8Array {
  const around = output.sounds.findLast(({ startByte }) => startByte <= fromByte)
  if (around && untilByte - fromByte === FRAME_BYTES && untilByte <= around.startByte + around.audio.length)
    return around.audio.subarray(fromByte - around.startByte, untilByte - around.startByte)
  const frame = new Uint8Array(FRAME_BYTES).fill(SILENCE_BYTE)
  for (const { startByte, audio } of output.sounds) {
    if (startByte >= untilByte) break
    const from = Math.max(fromByte, startByte)
    const until = Math.min(untilByte, startByte + audio.length)
    if (from < until) frame.set(audio.subarray(from - startByte, until - startByte), from - fromByte)
  }
  return frame
}

/** Heard sentences as they were written; the last one cut at the last word heard. */
function heardText({ sentences }: Output): string {
  return sentences
    .map(({ tokens, heardWords, heard }) => (heard ? tokens : tokens.slice(0, heardWords)).join(' '))
    .filter((text) => text !== '')
    .join(' ')
}
