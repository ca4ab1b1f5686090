import {
  type Clock,
  createChunker,
  createMarkupFilter,
  type MindEndReason,
  type MindEvent,
  type Piece,
  type SpokenChunk,
} from '@parley/voice-ports'
import type { Filled } from '@parley/offline-mind'
import { SETTLED_MS } from '../limits.ts'

/** Actions of a reply besides speech. */
export type Deed = Exclude<MindEvent, { type: 'say' | 'sound' | 'usage' | 'memory' }>
type Sound = Extract<MindEvent, { type: 'sound' }>

/** A sentence as it is shown; a private one is not recorded. */
interface Sayable extends Pick<Piece, 'text' | 'gap'> {
  readonly isPrivate: boolean
}

export interface ReplySink {
  sentence(sentence: Sayable): void
  sound(chunk: SpokenChunk): void
  sentenceDone(): void
  /** Sound of the mind's own follows, up to sentenceDone(). */
  item(itemId: string): void
  itemText(delta: string): void
  deed(deed: Deed): void
  memory(memory: unknown): void
  end(): void
}

interface ReplyEvents {
  /** The first sound is there, or it is complete without any. */
  ready(): void
  /** It ends the call: known before it is spoken. */
  closes(reason: MindEndReason): void
  /** Nothing usable came. */
  failed(cause: unknown): void
  /** It broke off after it had begun; what there was is used. */
  broken(cause: unknown): void
  /** Discarded before it was used: this sound of its own will not be heard. */
  dropped(itemId: string): void
}

export interface ReplyOptions {
  readonly ask: (signal: AbortSignal) => AsyncIterable<MindEvent>
  readonly speak: (text: string, language: string, signal: AbortSignal) => AsyncIterable<SpokenChunk>
  readonly language: string
  readonly clock: Clock
  readonly events: ReplyEvents
  /** Puts private values in the place of what stands for them. */
  readonly fill?: (text: string) => Filled
}

/** Made once: an error with its stack for each of many replies a call is 2 % of the time of a session. */
const DISCARDED = new DOMException('The reply was discarded.', 'AbortError')

type SinkCall = (sink: ReplySink) => void

/** What a mind may tell without having answered. */
const NO_ANSWER: readonly MindEvent['type'][] = ['outcome', 'language', 'usage', 'memory']

/** A reply in the making: synthesized at once and held back until it is used. Discarded, it leaves no trace. */
export class Reply {
  readonly #options: ReplyOptions
  readonly #abort = new AbortController()
  readonly #markup = createMarkupFilter()
  /** Speech begins with the first clause while the rest is still being made. */
  readonly #chunker = createChunker({ firstClause: true })
  readonly #heldBack: SinkCall[] = []
  readonly #items = new Set<string>()
  #language: string
  #sink: ReplySink | null = null
  #used = false
  #ready = false
  #answered = false
  /** It has words to say, and they became sound. */
  #wordy = false
  #audible = false
  #item: string | null = null
  #voice: Promise<void> = Promise.resolve()
  #pause: (() => void) | null = null

  constructor(options: ReplyOptions) {
    this.#options = options
    this.#language = options.language
    void this.#make()
  }

  use(sink: ReplySink): void {
    this.#sink = sink
    this.#used = true
    for (const call of this.#heldBack.splice(0)) call(sink)
  }

  discard(): void {
    if (this.#abort.signal.aborted) return
    this.#sink = null
    this.#pause?.()
    this.#abort.abort(DISCARDED)
    if (!this.#used) for (const itemId of this.#items) this.#options.events.dropped(itemId)
  }

  async #make(): Promise<void> {
    const { ask, events } = this.#options
    const { signal } = this.#abort
    try {
      for await (const event of ask(signal)) {
        if (signal.aborted) return
        this.#take(event)
      }
      this.#flush()
      await this.#voice
      if (signal.aborted) return
      if (!this.#answered || (this.#wordy && !this.#audible)) throw new Error('The reply was empty.')
    } catch (error) {
      if (signal.aborted) return
      // A sentence that broke off in its middle is not begun.
      this.#speakAll(this.#chunker.settled())
      await this.#voice.catch(() => undefined)
      if (signal.aborted) return
      if (!this.#ready) return events.failed(error)
      events.broken(error)
    } finally {
      this.#pause?.()
    }
    if (signal.aborted) return
    this.#endItem()
    this.#add((sink) => sink.end())
    this.#isReady()
  }

  // Deeds take effect as soon as the reply is used; only keys and a transfer wait for the sentences before them.
  #take(event: MindEvent): void {
    if (!NO_ANSWER.includes(event.type)) this.#answered = true
    switch (event.type) {
      case 'say':
        return event.isWhole === true ? this.#sayWhole(event.text) : this.#say(event.text)
      case 'sound':
        this.#flush()
        this.#items.add(event.itemId)
        return this.#then(() => this.#play(event))
      case 'press':
      case 'transfer':
        this.#flush()
        return this.#then(() => {
          this.#endItem()
          this.#add((sink) => sink.deed(event))
        })
      case 'hang_up':
        this.#flush()
        this.#add((sink) => sink.deed(event))
        return this.#options.events.closes(event.reason)
      case 'language':
        // Of the sentences that follow.
        this.#speakAll(this.#chunker.settled())
        this.#language = event.language
        return this.#add((sink) => sink.deed(event))
      case 'outcome':
      case 'phase':
      case 'ask_owner':
      case 'wait':
      case 'opted_out':
        // A tool may take its time: it does not hold back a sentence.
        this.#speakAll(this.#chunker.settled())
        return this.#add((sink) => sink.deed(event))
      case 'memory':
        return this.#add((sink) => sink.memory(event.memory))
      case 'usage':
        return undefined
    }
  }

  #say(delta: string): void {
    this.#wordy = true
    this.#speakAll(this.#chunker.push(this.#markup.push(delta)))
    this.#pause?.()
    this.#pause = this.#options.clock.after(SETTLED_MS, () => this.#speakAll(this.#chunker.settled()))
  }

  #sayWhole(text: string): void {
    this.#wordy = true
    this.#pause?.()
    this.#speakAll([...this.#chunker.push(this.#markup.push(text) + this.#markup.flush()), ...this.#chunker.end()])
  }

  #flush(): void {
    this.#pause?.()
    this.#speakAll([...this.#chunker.push(this.#markup.flush()), ...this.#chunker.flush()])
  }

  #speakAll(pieces: readonly Piece[]): void {
    const language = this.#language
    for (const piece of pieces) this.#then(() => this.#speak(piece, language))
  }

  /** Sentences, sounds and keys keep their order, while the mind goes on. */
  #then(task: () => Promise<void> | void): void {
    this.#voice = this.#voice.then(() => (this.#abort.signal.aborted ? undefined : task()))
    // #make() handles the failure where it awaits the chain.
    this.#voice.catch(() => undefined)
  }

  async #speak(piece: Piece, language: string): Promise<void> {
    this.#endItem()
    let spoken = false
    const filled = this.#options.fill?.(piece.text)
    const isPrivate = filled !== undefined && filled.names.length > 0
    const text = filled?.spoken ?? piece.text
    const shown: Sayable = { gap: piece.gap, text: filled?.shown ?? piece.text, isPrivate }
    for await (const chunk of this.#options.speak(text, language, this.#abort.signal)) {
      if (this.#abort.signal.aborted) return
      if (!spoken) this.#add((sink) => sink.sentence(shown))
      spoken = true
      this.#add((sink) => sink.sound(filled && isPrivate ? withShownWords(chunk, filled) : chunk))
      if (chunk.audio.length > 0) this.#isHeard()
    }
    if (spoken) this.#add((sink) => sink.sentenceDone())
  }

  #play({ itemId, audio, text }: Sound): void {
    if (this.#item !== itemId) {
      this.#endItem()
      this.#item = itemId
      this.#add((sink) => sink.item(itemId))
    }
    if (text !== undefined) this.#add((sink) => sink.itemText(text))
    this.#add((sink) => sink.sound({ audio }))
    if (audio.length > 0) this.#isHeard()
  }

  #endItem(): void {
    if (this.#item !== null) this.#add((sink) => sink.sentenceDone())
    this.#item = null
  }

  #add(call: SinkCall): void {
    if (this.#abort.signal.aborted) return
    if (this.#sink) call(this.#sink)
    else this.#heldBack.push(call)
  }

  #isHeard(): void {
    this.#audible = true
    this.#isReady()
  }

  #isReady(): void {
    if (this.#ready) return
    this.#ready = true
    this.#options.events.ready()
  }
}

/** The words of a private sentence, by their places in what is shown of it. */
function withShownWords({ audio, words }: SpokenChunk, filled: Filled): SpokenChunk {
  if (words === undefined) return { audio }
  const placed = words.map((word) => ({
    ...word,
    fromChar: filled.shownChar(word.fromChar),
    toChar: filled.shownChar(word.toChar),
  }))
  return { audio, words: placed }
}
