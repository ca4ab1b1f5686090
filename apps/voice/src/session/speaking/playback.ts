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

const BYTES_PER_MS = FRAME_BYTES / FRAME_MS

/** A point of an utterance: once the sound before it was played, `reached` runs. */
interface Stop {
  readonly atByte: number
  readonly word: string | null
  readonly reached: () => void
}

interface Sentence {
  readonly tokens: readonly string[]
  heardWords: number
  heard: boolean
}

interface Utterance {
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
  /** A frame of sound has left. */
  sent(audio: Uint8Array): void
  /** More of an utterance was heard; `text` is all of it so far. */
  heard(text: string, sinceMs: number): void
  /** All of the utterance was heard. */
  played(id: number): void
  /** The utterance's maker brings nothing more, and never said that it was done. */
  stalled(id: number): void
}

/**
 * Our voice, paced in real time, one utterance after the other, and what the callee has really heard of it:
 * a word counts when the carrier says that everything up to it was played.
 */
export class Playback {
  readonly #clock: Clock
  readonly #ticker: Ticker
  readonly #carriesText: boolean
  readonly #events: PlaybackEvents
  readonly #leg: Leg
  #queue: Utterance[] = []
  #marks: { readonly name: string; readonly utterance: Utterance; readonly stops: number }[] = []
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
  }

  begin(id: number): void {
    const empty = { bytes: 0, sentBytes: 0, sentStops: 0, heardStops: 0, finished: false, startedMs: null }
    this.#queue.push({ id, sounds: [], stops: [], sentences: [], ...empty })
  }

  /** The text of the sound that follows. */
  sentence(id: number, text: string): void {
    this.#find(id)?.sentences.push({ tokens: text.trim().split(/\s+/), heardWords: 0, heard: false })
  }

  sound(id: number, chunk: SpokenChunk): void {
    const utterance = this.#find(id)
    const sentence = utterance?.sentences.at(-1)
    if (!utterance || !sentence) return
    const startByte = utterance.bytes
    for (const { text, endMs } of chunk.words) {
      const atByte = startByte + Math.min(chunk.audio.length, Math.round(endMs * BYTES_PER_MS))
      const reached = () => {
        sentence.heardWords++
        this.#tell(utterance)
      }
      utterance.stops.push({ atByte, word: text, reached })
    }
    if (chunk.audio.length > 0) utterance.sounds.push({ startByte, audio: chunk.audio })
    utterance.bytes += chunk.audio.length
    this.#run()
  }

  sentenceDone(id: number): void {
    const sentence = this.#find(id)?.sentences.at(-1)
    if (!sentence) return
    this.whenHeard(id, () => {
      sentence.heard = true
      const utterance = this.#find(id)
      if (utterance) this.#tell(utterance)
    })
  }

  /** Runs the task when everything so far was heard. */
  whenHeard(id: number, task: () => void): void {
    const utterance = this.#find(id)
    if (!utterance) return
    utterance.stops.push({ atByte: utterance.bytes, word: null, reached: task })
    this.#run()
  }

  /** Nothing more comes. */
  finish(id: number): void {
    const utterance = this.#find(id)
    if (!utterance || utterance.finished) return
    utterance.finished = true
    utterance.stops.push({ atByte: utterance.bytes, word: null, reached: () => this.#complete(utterance) })
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
    for (const { utterance, stops } of this.#marks.splice(0, index + 1)) this.#reach(utterance, stops)
  }

  #find(id: number): Utterance | undefined {
    return this.#queue.find((utterance) => utterance.id === id)
  }

  #reach(utterance: Utterance, stops: number): void {
    while (utterance.heardStops < stops) utterance.stops[utterance.heardStops++]?.reached()
  }

  #tell(utterance: Utterance): void {
    this.#events.heard(heardText(utterance), utterance.startedMs ?? this.#clock.nowMs())
  }

  #complete(utterance: Utterance): void {
    this.#queue = this.#queue.filter((other) => other !== utterance)
    this.#events.played(utterance.id)
    this.#run()
  }

  #silence(): void {
    this.#leave?.()
    this.#leave = null
    this.#watch?.()
    this.#watch = null
    this.#leg.clear()
    this.#marks = []
    for (const utterance of this.#queue) {
      utterance.sentStops = utterance.heardStops
      utterance.sentBytes = utterance.stops[utterance.heardStops - 1]?.atByte ?? 0
    }
  }

  /** Keeps the beat while there is something to send. */
  #run(): void {
    if (this.#paused || this.#leave || !this.#queue.some(hasMore)) return
    this.#leave = this.#ticker.join(() => this.#tick())
  }

  #tick(): void {
    const utterance = this.#queue.find(hasMore)
    if (!utterance) {
      this.#leave?.()
      this.#leave = null
      this.#awaitMore()
      return
    }
    this.#watch?.()
    this.#watch = null
    this.#send(utterance)
  }

  #send(utterance: Utterance): void {
    const untilByte = Math.min(utterance.bytes, utterance.sentBytes + FRAME_BYTES)
    utterance.startedMs ??= this.#clock.nowMs()
    let words = ''
    const sentBefore = utterance.sentStops
    while (true) {
      const stop = utterance.stops[utterance.sentStops]
      if (!stop || stop.atByte > untilByte) break
      if (stop.word !== null) words = words === '' ? stop.word : `${words} ${stop.word}`
      utterance.sentStops++
    }
    if (untilByte > utterance.sentBytes) {
      const audio = cut(utterance, utterance.sentBytes, untilByte)
      this.#leg.send(this.#carriesText && words !== '' ? { audio, text: words } : { audio })
      this.#events.sent(audio)
      utterance.sentBytes = untilByte
    }
    if (utterance.sentStops > sentBefore) this.#mark(utterance)
  }

  #mark(utterance: Utterance): void {
    const name = `w${++this.#markNames}`
    this.#marks.push({ name, utterance, stops: utterance.sentStops })
    this.#leg.mark(name)
  }

  /** Everything is sent: either the last mark or more sound must come. */
  #awaitMore(): void {
    const utterance = this.#queue[0]
    if (!utterance || this.#watch) return
    const last = this.#marks.at(-1)
    this.#watch = this.#clock.after(utterance.finished ? MARK_LOST_MS : STALLED_MS, () => {
      this.#watch = null
      if (!utterance.finished) this.#events.stalled(utterance.id)
      else if (last && this.#marks.includes(last)) this.marked(last.name)
    })
  }
}

function hasMore(utterance: Utterance): boolean {
  return utterance.sentBytes < utterance.bytes || utterance.sentStops < utterance.stops.length
}

/**
 * 160 bytes from the sounds of the utterance, mostly from within one of them; what is missing to a whole frame is
 * silence.
 */
function cut(utterance: Utterance, fromByte: number, untilByte: number): Uint8Array {
  const around = utterance.sounds.findLast(({ startByte }) => startByte <= fromByte)
  if (around && untilByte - fromByte === FRAME_BYTES && untilByte <= around.startByte + around.audio.length)
    return around.audio.subarray(fromByte - around.startByte, untilByte - around.startByte)
  const frame = new Uint8Array(FRAME_BYTES).fill(SILENCE_BYTE)
  for (const { startByte, audio } of utterance.sounds) {
    if (startByte >= untilByte) break
    const from = Math.max(fromByte, startByte)
    const until = Math.min(untilByte, startByte + audio.length)
    if (from < until) frame.set(audio.subarray(from - startByte, until - startByte), from - fromByte)
  }
  return frame
}

/** Whole sentences as they were written; the last one cut at the last word heard. */
function heardText({ sentences }: Utterance): string {
  return sentences
    .map(({ tokens, heardWords, heard }) => (heard ? tokens : tokens.slice(0, heardWords)).join(' '))
    .filter((text) => text !== '')
    .join(' ')
}
