import type { EndReason } from '@parley/contract'
import type { MindEvent, SpokenChunk } from '@parley/voice-ports'

/** Actions of a reply besides speech. */
export type Deed = Exclude<MindEvent, { type: 'say' | 'memory' }>

export interface ReplySink {
  sentence(text: string): void
  sound(chunk: SpokenChunk): void
  sentenceDone(): void
  deed(deed: Deed): void
  memory(memory: unknown): void
  end(): void
}

export interface ReplyEvents {
  /** The first sound is there, or it is complete without any. */
  ready(): void
  /** It ends the call: known before it is spoken. */
  closes(reason: EndReason): void
  /** Nothing usable came. */
  failed(cause: unknown): void
  /** It broke off after it had begun; what there was is used. */
  broken(cause: unknown): void
}

type SinkCall = (sink: ReplySink) => void

/** A reply in the making: synthesized at once and held back until it is used. Discarded, it leaves no trace. */
export class Reply {
  readonly #abort = new AbortController()
  readonly #events: ReplyEvents
  readonly #speak: (text: string, signal: AbortSignal) => AsyncIterable<SpokenChunk>
  readonly #heldBack: SinkCall[] = []
  #sink: ReplySink | null = null
  #ready = false
  #empty = true
  #voice: Promise<void> = Promise.resolve()

  constructor(
    ask: (signal: AbortSignal) => AsyncIterable<MindEvent>,
    speak: (text: string, signal: AbortSignal) => AsyncIterable<SpokenChunk>,
    events: ReplyEvents,
  ) {
    this.#events = events
    this.#speak = speak
    void this.#make(ask)
  }

  use(sink: ReplySink): void {
    this.#sink = sink
    for (const call of this.#heldBack.splice(0)) call(sink)
  }

  discard(): void {
    this.#sink = null
    this.#abort.abort()
  }

  // Deeds take effect as soon as the reply is used; only keys wait for the sentences before them.
  async #make(ask: (signal: AbortSignal) => AsyncIterable<MindEvent>): Promise<void> {
    const { signal } = this.#abort
    try {
      for await (const event of ask(signal)) {
        if (signal.aborted) return
        if (event.type === 'memory') this.#add((sink) => sink.memory(event.memory), { counts: false })
        else if (event.type === 'say' || event.type === 'press') this.#voice = this.#after(event)
        else this.#add((sink) => sink.deed(event))
        if (event.type === 'hang_up') this.#events.closes(event.reason)
      }
      await this.#voice
      if (signal.aborted) return
      if (this.#empty) throw new Error('The reply was empty.')
    } catch (error) {
      if (signal.aborted) return
      await this.#voice.catch(() => undefined)
      if (!this.#ready) return this.#events.failed(error)
      this.#events.broken(error)
    }
    if (signal.aborted) return
    this.#add((sink) => sink.end())
    this.#isReady()
  }

  /** Sentences and keys keep their order, while the mind goes on. */
  #after(event: Extract<MindEvent, { type: 'say' | 'press' }>): Promise<void> {
    const next = this.#voice.then(() =>
      event.type === 'say' ? this.#say(event.text) : this.#add((sink) => sink.deed(event)),
    )
    // #make() handles the failure where it awaits the chain.
    next.catch(() => undefined)
    return next
  }

  async #say(text: string): Promise<void> {
    for (const sentence of sentencesOf(text)) {
      if (this.#abort.signal.aborted) return
      let spoken = false
      for await (const chunk of this.#speak(sentence, this.#abort.signal)) {
        if (this.#abort.signal.aborted) return
        if (!spoken) this.#add((sink) => sink.sentence(sentence))
        spoken = true
        this.#add((sink) => sink.sound(chunk))
        this.#isReady()
      }
      if (spoken) this.#add((sink) => sink.sentenceDone())
    }
  }

  #add(call: SinkCall, { counts = true } = {}): void {
    if (this.#abort.signal.aborted) return
    if (counts) this.#empty = false
    if (this.#sink) call(this.#sink)
    else this.#heldBack.push(call)
  }

  #isReady(): void {
    if (this.#ready) return
    this.#ready = true
    this.#events.ready()
  }
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** Speech begins with the first sentence while the rest is still being made. */
function sentencesOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment.trim()).filter((sentence) => sentence !== '')
}
