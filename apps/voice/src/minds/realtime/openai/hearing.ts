import { type Clock, type EarEvent, type Frame, type Listening } from '@parley/voice-ports'
import { Gate } from '../gate.ts'
import type { Heard } from './wire.ts'

const BYTES_PER_MS = 8
/** The vendor takes nothing shorter. */
const COMMIT_MIN_MS = 100
/** A commit without an answer for so long: the session is dead. */
const DEAD_MS = 6000

interface Utterance {
  /** null until the vendor has told it. */
  id: string | null
  text: string
  isDone: boolean
}

export interface HearingEvents {
  append(audio: Uint8Array): void
  commit(): void
  setLanguage(language: string): void
  /** The vendor owes words and gives none. */
  dead(): void
  closed(): void
}

/** The ear of a session: sound goes in, words come out, in the order of finalize(). */
export class Hearing implements Listening {
  readonly #onEvent: (event: EarEvent) => void
  readonly #clock: Clock
  readonly #events: HearingEvents
  readonly #gate = new Gate()
  /** Those that are finalized, and behind them the one under way. */
  readonly #utterances: Utterance[] = []
  #current: Utterance = { id: null, text: '', isDone: false }
  #sentBytes = 0
  #isClosed = false
  #isReady = false

  constructor(clock: Clock, onEvent: (event: EarEvent) => void, events: HearingEvents) {
    this.#clock = clock
    this.#onEvent = onEvent
    this.#events = events
  }

  ready(): void {
    if (this.#isReady || this.#isClosed) return
    this.#isReady = true
    this.#onEvent({ type: 'ready' })
  }

  push(frame: Frame): void {
    if (this.#isClosed || !this.#isReady) return
    for (const { audio } of this.#gate.push(frame)) {
      this.#sentBytes += audio.length
      this.#events.append(audio)
    }
  }

  finalize(): void {
    if (this.#isClosed || !this.#isReady) return
    const utterance = this.#current
    const isLong = this.#sentBytes >= COMMIT_MIN_MS * BYTES_PER_MS
    utterance.isDone = !isLong
    this.#utterances.push(utterance)
    // What is too short to be committed stays in the vendor's buffer, before the next words.
    this.#current = { id: isLong ? null : utterance.id, text: '', isDone: false }
    if (isLong) {
      this.#sentBytes = 0
      this.#events.commit()
      this.#clock.after(DEAD_MS, () => {
        if (!this.#isClosed && !utterance.isDone) this.#events.dead()
      })
    }
    this.#settle()
  }

  setLanguage(language: string): void {
    if (!this.#isClosed) this.#events.setLanguage(language)
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#events.closed()
  }

  /** The session broke, or was given up. */
  fail(message: string, retryable: boolean, retryAfterMs: number | null): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#onEvent({ type: 'failed', message, retryable, retryAfterMs })
  }

  take(event: Heard): void {
    if (this.#isClosed) return
    if (event.type === 'input_audio_buffer.committed') return this.#committed(event.item_id)
    const utterance = this.#of(event.item_id)
    if (!utterance || utterance.isDone) return
    switch (event.type) {
      case 'conversation.item.input_audio_transcription.delta':
        utterance.text += event.delta
        return this.#tellPartial(utterance)
      case 'conversation.item.input_audio_transcription.completed':
        utterance.text = event.transcript
        utterance.isDone = true
        return this.#settle()
      case 'conversation.item.input_audio_transcription.failed':
        // What was understood so far is better than nothing.
        utterance.isDone = true
        return this.#settle()
    }
  }

  /** The vendor did not take the commit. */
  commitRefused(): void {
    const utterance = this.#utterances.find(({ id, isDone }) => id === null && !isDone)
    if (utterance) utterance.isDone = true
    this.#settle()
  }

  #committed(id: string): void {
    if (this.#utterances.some((each) => each.id === id)) return
    const utterance = this.#utterances.find((each) => each.id === null && !each.isDone)
    if (utterance) utterance.id = id
  }

  /** Words may come before their sound is committed: those of an unknown item are of what is being said. */
  #of(id: string): Utterance | null {
    const known = this.#utterances.find((each) => each.id === id)
    if (known) return known
    const unnamed = this.#utterances.find((each) => each.id === null && !each.isDone)
    const target = unnamed ?? this.#current
    if (target.id !== null && target.id !== id) return null
    target.id = id
    return target
  }

  #tellPartial(utterance: Utterance): void {
    const text = utterance.text.trim()
    // The words of the one before come first.
    if (text === '' || (this.#utterances[0] ?? this.#current) !== utterance) return
    this.#onEvent({ type: 'words', text, final: false, atMs: this.#clock.nowMs() })
  }

  #settle(): void {
    for (let first = this.#utterances[0]; first?.isDone; first = this.#utterances[0]) {
      this.#utterances.shift()
      const text = first.text.trim()
      if (text !== '') this.#onEvent({ type: 'words', text, final: true, atMs: this.#clock.nowMs() })
      this.#onEvent({ type: 'settled' })
      if (this.#isClosed) return
    }
    this.#tellPartial(this.#utterances[0] ?? this.#current)
  }
}
