import { type Clock, FRAME_BYTES, FRAME_MS, type Leg, type SpokenChunk, type Ticker } from '@parley/voice-ports'
import { MARK_LOST_MS, STALLED_MS } from '../limits.ts'
import {
  cut,
  hasMore,
  isHeld,
  isPlain,
  isPrivateAt,
  lookAhead,
  type Output,
  reachSentence,
  untilHold,
} from './output.ts'
import { Pacing } from './pacing.ts'
import { heardTextOf, type NextWord, Sentence, type SentenceOptions, type Stop } from './sentence.ts'

const NO_AUDIO = new Uint8Array()
const BYTES_PER_MS = FRAME_BYTES / FRAME_MS
/** How finely it is known how much of a sound item was heard. */
const ITEM_STEP_MS = 100

export interface Outgoing {
  /** A frame of sound has left, and is played at this call time; a private one is not recorded. */
  sent(audio: Uint8Array, playsMs: number, isPrivate: boolean): void
}

export interface PlaybackEvents {
  /** What was sent and not yet played never will be. */
  dropped?(): void
  /** More of an output was heard; `text` is all of it so far, its end possibly estimated. */
  heard(text: string, sinceMs: number, estimated: boolean): void
  /** A sound item was heard out or cut short: so much of it was heard. */
  itemHeard(itemId: string, heardMs: number): void
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
  readonly #events: PlaybackEvents
  readonly #outgoing: Outgoing | null
  readonly #leg: Leg
  readonly #pacing: Pacing
  #queue: Output[] = []
  #marks: { readonly name: string; readonly output: Output; readonly stops: number }[] = []
  #markNames = 0
  #paused = false
  #leave: (() => void) | null = null
  #watch: (() => void) | null = null

  constructor(options: { clock: Clock; ticker: Ticker; leg: Leg; events: PlaybackEvents; outgoing?: Outgoing }) {
    this.#clock = options.clock
    this.#ticker = options.ticker
    this.#leg = options.leg
    this.#events = options.events
    this.#outgoing = options.outgoing ?? null
    this.#pacing = new Pacing(options.clock, options.leg)
  }

  /** Gaps within a sentence that the callee heard. */
  get underruns(): number {
    return this.#pacing.underruns
  }

  begin(id: number): void {
    const empty = {
      bytes: 0,
      sentBytes: 0,
      sentSounds: 0,
      sentSentences: 0,
      sentenceUntilByte: 0,
      sentenceIsPrivate: false,
      plainUntilByte: 0,
      plainStartByte: 0,
      plainAudio: NO_AUDIO,
      sentStops: 0,
      heardStops: 0,
      finished: false,
      startedMs: null,
    }
    this.#queue.push({ id, sounds: [], stops: [], sentences: [], ...empty })
  }

  /** The text of the sound that follows; `timed`: its words come with it. */
  sentence(id: number, sentence: Pick<SentenceOptions, 'text' | 'gap' | 'isPrivate'>, timed: boolean): void {
    this.#begin(id, { ...sentence, timed, itemId: null })
  }

  /** A sound item of the mind follows; its words come by itemText(). */
  item(id: number, itemId: string): void {
    this.#begin(id, { text: '', gap: ' ', timed: false, itemId })
  }

  itemText(id: number, delta: string): void {
    const sentence = this.#find(id)?.sentences.at(-1)
    if (sentence && sentence.itemId !== null) sentence.text += delta
  }

  /** Sound of the sentence, words of it, or both. */
  sound(id: number, chunk: SpokenChunk): void {
    const output = this.#find(id)
    const sentence = output?.sentences.at(-1)
    if (!output || !sentence) return
    if (chunk.audio.length > 0) output.sounds.push({ startByte: output.bytes, audio: chunk.audio })
    const beforeMs = this.#soundMs(output, sentence)
    output.bytes += chunk.audio.length
    const soundMs = this.#soundMs(output, sentence)
    if (sentence.itemId !== null) this.#placeSteps(output, sentence, beforeMs, soundMs)
    const words = sentence.timed ? sentence.timedWords(chunk.words ?? []) : sentence.estimatedWords(soundMs, false)
    for (const word of words) this.#placeWord(output, sentence, word)
    this.#run()
  }

  sentenceDone(id: number): void {
    const output = this.#find(id)
    const sentence = output?.sentences.at(-1)
    if (!output || !sentence) return
    const soundMs = this.#soundMs(output, sentence)
    for (const word of sentence.estimatedWords(soundMs, true)) this.#placeWord(output, sentence, word)
    // Words whose time lies behind the sound end with it.
    for (const stop of output.stops.slice(output.sentStops)) stop.atByte = Math.min(stop.atByte, output.bytes)
    const rest = sentence.text.slice(sentence.placedChars).trim()
    const reached = () => {
      sentence.heard = true
      this.#tell(output)
      if (sentence.itemId !== null) this.#events.itemHeard(sentence.itemId, soundMs)
    }
    this.#place(output, { atByte: output.bytes, word: /[\p{L}\p{N}]/u.test(rest) ? rest : null, reached })
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
    this.#place(output, { atByte: output.bytes, word: null, holds: true, reached })
    this.#run()
  }

  /** No more sound follows. */
  finish(id: number): void {
    const output = this.#find(id)
    if (!output || output.finished) return
    output.finished = true
    this.#place(output, { atByte: output.bytes, word: null, reached: () => this.#complete(output) })
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
    const cut = this.#queue
    this.#queue = []
    for (const output of cut) this.#tellCutItems(output)
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

  #begin(id: number, options: Omit<SentenceOptions, 'startByte'>): void {
    const output = this.#find(id)
    if (!output) return
    output.sentences.push(new Sentence({ ...options, startByte: output.bytes }))
    output.sentenceUntilByte = Math.min(output.sentenceUntilByte, output.bytes)
  }

  #soundMs(output: Output, { startByte }: Sentence): number {
    return (output.bytes - startByte) / BYTES_PER_MS
  }

  /** In the order of the sound, and behind what has been sent: words may follow their audio. */
  #place(output: Output, stop: Stop): void {
    const { stops, sentStops } = output
    output.plainUntilByte = 0
    stop.atByte = Math.max(stop.atByte, stops[sentStops - 1]?.atByte ?? 0)
    let at = stops.length
    while (at > sentStops && (stops[at - 1]?.atByte ?? 0) > stop.atByte) at--
    stops.splice(at, 0, stop)
  }

  #placeWord(output: Output, sentence: Sentence, { toChar, endMs }: NextWord): void {
    const atByte = sentence.startByte + Math.max(0, Math.round(endMs * BYTES_PER_MS))
    const last = sentence.lastWord
    // "7pm" is spoken as three words of one range: it was heard with the last of them.
    if (toChar === sentence.placedChars && last && output.stops.indexOf(last) >= output.sentStops) {
      output.stops.splice(output.stops.indexOf(last), 1)
      last.atByte = atByte
      return this.#place(output, last)
    }
    if (toChar <= sentence.placedChars) return undefined
    const word = sentence.text.slice(sentence.placedChars, toChar).trim()
    const reached = () => {
      sentence.heardChars = toChar
      this.#tell(output)
    }
    const stop: Stop = { atByte, word: word === '' ? null : word, reached }
    sentence.placedChars = toChar
    sentence.lastWord = stop
    return this.#place(output, stop)
  }

  #placeSteps(output: Output, sentence: Sentence, fromMs: number, untilMs: number): void {
    for (let step = Math.floor(fromMs / ITEM_STEP_MS) + 1; step * ITEM_STEP_MS <= untilMs; step++) {
      const atMs = step * ITEM_STEP_MS
      const reached = () => void (sentence.heardMs = atMs)
      this.#place(output, { atByte: sentence.startByte + atMs * BYTES_PER_MS, word: null, reached })
    }
  }

  #reach(output: Output, stops: number): void {
    while (output.heardStops < stops) output.stops[output.heardStops++]?.reached()
  }

  #tell(output: Output): void {
    const { sentences, startedMs } = output
    const estimated = sentences.some(({ isEstimated }) => isEstimated)
    this.#events.heard(heardTextOf(sentences), startedMs ?? this.#clock.nowMs(), estimated)
  }

  #tellCutItems({ sentences }: Output): void {
    for (const { itemId, heard, heardMs } of sentences)
      if (itemId !== null && !heard) this.#events.itemHeard(itemId, heardMs)
  }

  #complete(output: Output): void {
    this.#queue = this.#queue.filter((other) => other !== output)
    this.#tellCutItems(output)
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
      output.sentSounds = 0
      output.sentSentences = 0
      output.sentenceUntilByte = 0
      output.plainUntilByte = 0
    }
  }

  /** The output to send from. */
  #next(): Output | undefined {
    for (const output of this.#queue) {
      if (isHeld(output)) return undefined
      if (hasMore(output)) return output
    }
    return undefined
  }

  /** Keeps the beat while there is something to send. */
  #run(): void {
    if (this.#paused || this.#leave || !this.#next()) return
    this.#leave = this.#ticker.join(() => this.#tick())
  }

  #tick(): void {
    const { buffers } = this.#pacing
    const first = this.#queue[0]
    if (first && !buffers && isPlain(first)) return this.#sendPlain(first)
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
      if (!buffers || output.sentBytes === output.bytes || this.#pacing.isDue()) this.#send(output)
    } while (buffers && this.#pacing.isDue() && this.#leave)
  }

  /** What #send() does of a frame that is nothing but sound. */
  #sendPlain(output: Output): void {
    const { sentBytes, plainStartByte, plainAudio, sentenceIsPrivate } = output
    const from = sentBytes - plainStartByte
    const audio = plainAudio.subarray(from, from + FRAME_BYTES)
    const playsMs = this.#pacing.send(true)
    this.#leg.send({ audio })
    this.#outgoing?.sent(audio, playsMs, sentenceIsPrivate)
    output.sentBytes = sentBytes + FRAME_BYTES
  }

  #send(output: Output): void {
    const untilByte = untilHold(output, Math.min(output.bytes, output.sentBytes + FRAME_BYTES))
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
      const beginsSentence = reachSentence(output)
      const playsMs = this.#pacing.send(!beginsSentence)
      this.#leg.send(this.#leg.capabilities.text && words !== '' ? { audio, text: words } : { audio })
      this.#outgoing?.sent(audio, playsMs, isPrivateAt(output, untilByte))
      output.sentBytes = untilByte
    }
    if (output.sentStops > sentBefore) this.#mark(output)
    lookAhead(output)
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
