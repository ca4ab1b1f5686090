import { type Clock, type Ear, type EarEvent, type Frame, FRAME_MS, type Listening } from '@parley/voice-ports'
import type { Logger } from 'pino'
import * as limits from '../limits.ts'
import { wordsOf } from '../turns/phrases.ts'
import { Replay } from './replay.ts'

type Words = Extract<EarEvent, { type: 'words' }>
type Failed = Extract<EarEvent, { type: 'failed' }>
export type Heard =
  | Exclude<EarEvent, { type: 'failed' | 'ready' | 'settled' }>
  /** isBehind: a new connection has yet to say what it was given of the time before it. */
  | { readonly type: 'settled'; readonly isBehind: boolean }

export interface KeptEarOptions {
  readonly callId?: string
  /** The first is used until it is given up, then the next one. */
  readonly ears: readonly Ear[]
  readonly clock: Clock
  readonly log: Logger
  readonly after: (delayMs: number, task: () => void) => void
  /** BCP 47, read at each opening. */
  readonly language: () => string
  /** Whether the callee may speak another language. */
  readonly languageIsGuess?: boolean
  readonly keyterms: readonly string[]
  /** `settled` comes when every finalize() so far was answered. */
  readonly onEvent: (event: Heard) => void
  /** This ear hears from here on. */
  readonly onReady: (ear: Pick<Ear, 'name' | 'settlesWithinMs' | 'turns'>) => void
  /** So much sound was given to this ear. */
  readonly onFed: (ear: Ear, ms: number) => void
  /** The ear has failed and is being replaced. */
  readonly onBroken: () => void
  /** No ear is left: the last one failed too often without a word in between, or for good. */
  readonly onLost: () => void
}

interface Connection {
  readonly ear: Ear
  readonly abort: AbortController
  readonly openedMs: number
  language: string
  listening: Listening | null
  ready: boolean
  /** Whether the vendor ends the turns. */
  turns: boolean
  /** Sound that it was given and onFed() was not told of. */
  untoldMs: number
}

const REPLAY_FRAMES = limits.EAR_REPLAY_MS / FRAME_MS
const QUIET_FRAMES = limits.EAR_REPLAY_QUIET_MS / FRAME_MS
/** The same for all calls: each frame looks at it. */
const NONE: readonly number[] = []
/** Each frame of each call would touch what counts it. */
const FED_TOLD_MS = 1000

/**
 * Keeps an ear open during a call: reopens a failed one with growing waits and within a budget, then turns to the next.
 * A new connection hears again what the broken one had not made final, so that no word is lost.
 */
export class KeptEar {
  readonly #options: KeptEarOptions
  #earIndex = 0
  #connection: Connection | null = null
  #failures = 0
  #closed = false
  /** Frames without a final. */
  readonly #frames = new Replay(REPLAY_FRAMES)
  /** Frames that were pushed before each finalize() that is not answered yet. */
  #unsettled = NONE
  /** Frames that were pushed before the connection was ready. */
  #missed = 0
  #partial: Words | null = null
  /** Partials of a new connection are withheld until they have caught up with this one. */
  #partialBeforeBreak: Words | null = null
  #isTruncated = false

  constructor(options: KeptEarOptions) {
    this.#options = options
  }

  /** Does nothing while the ear is open, waits to be reopened or is given up. */
  open(): void {
    if (this.#failures === 0 && this.#earIndex === 0) this.#connect()
  }

  /** `level` is in dBm0. */
  push(frame: Frame, isSpeaking: boolean, level: number): void {
    if (this.#frames.length === REPLAY_FRAMES) this.#isTruncated = true
    // Most of a call is silence: not to copy it spares the memory of many calls.
    if (level < limits.EAR_REPLAY_FAINTEST_DBM0 && frame.text === undefined) this.#frames.pushSilence()
    else this.#frames.push(frame)
    const isQuiet = !isSpeaking && !this.#partial && !this.#partialBeforeBreak && this.#unsettled === NONE
    if (isQuiet) this.#frames.keep(QUIET_FRAMES)
    const connection = this.#connection
    if (connection?.ready && connection.listening) this.#feed(connection, connection.listening, frame)
  }

  #feed(connection: Connection, listening: Listening, frame: Frame): void {
    listening.push(frame)
    connection.untoldMs += FRAME_MS
    if (connection.untoldMs >= FED_TOLD_MS) this.#tellFed(connection)
  }

  #tellFed(connection: Connection): void {
    const { ear, untoldMs } = connection
    connection.untoldMs = 0
    if (untoldMs > 0) this.#options.onFed(ear, untoldMs)
  }

  finalize(): void {
    this.#unsettled = [...this.#unsettled, this.#frames.before + this.#frames.length]
    this.#ready?.finalize()
  }

  setLanguage(language: string): void {
    if (!this.#connection || !this.#ready) return
    this.#connection.language = language
    this.#ready.setLanguage(language)
  }

  close(): void {
    this.#closed = true
    this.#frames.keep(0)
    this.#disconnect()
  }

  get #ready(): Listening | null {
    return this.#connection?.ready ? this.#connection.listening : null
  }

  #connect(): void {
    const { callId, ears, clock, after, language, languageIsGuess = false, keyterms } = this.#options
    const ear = ears[this.#earIndex]
    if (!ear || this.#closed || this.#connection) return
    const abort = new AbortController()
    const connection: Connection = {
      ear,
      abort,
      openedMs: clock.nowMs(),
      language: language(),
      listening: null,
      ready: false,
      turns: ear.turns,
      untoldMs: 0,
    }
    this.#connection = connection
    // Events of a connection that has failed or was replaced do not count; one may fail before listen() has returned.
    const options = {
      ...(callId !== undefined && { callId }),
      language: connection.language,
      languageIsGuess,
      keyterms,
      signal: abort.signal,
    }
    const listening = ear.listen(options, clock, (event) => {
      if (this.#connection === connection) this.#take(connection, event)
    })
    if (this.#connection !== connection) return listening.close()
    connection.listening = listening
    if (connection.ready) return this.#replay(connection, listening)
    after(limits.EAR_READY_MS, () => {
      if (this.#connection !== connection || connection.ready) return
      this.#fail(connection, {
        type: 'failed',
        message: 'It was not ready in time.',
        retryable: true,
        retryAfterMs: null,
      })
    })
  }

  #disconnect(): void {
    const connection = this.#connection
    this.#connection = null
    if (!connection) return
    this.#tellFed(connection)
    connection.abort.abort()
    connection.listening?.close()
  }

  #take(connection: Connection, event: EarEvent): void {
    switch (event.type) {
      case 'ready':
        if (connection.ready) return undefined
        connection.ready = true
        connection.turns = event.turns ?? connection.ear.turns
        return connection.listening ? this.#replay(connection, connection.listening) : undefined
      case 'words':
        this.#failures = 0
        return this.#hear(event)
      case 'settled':
        return this.#settle()
      case 'failed':
        return this.#fail(connection, event)
      case 'turn':
      case 'language':
        return this.#options.onEvent(event)
    }
  }

  /** Repeats frames and finalize() in their order. */
  #replay(connection: Connection, listening: Listening): void {
    const { name, settlesWithinMs } = connection.ear
    this.#options.onReady({ name, settlesWithinMs, turns: connection.turns })
    const language = this.#options.language()
    if (language !== connection.language) this.setLanguage(language)
    const cuts = [...this.#unsettled]
    const { before } = this.#frames
    this.#missed = before + this.#frames.length
    for (const [index, frame] of this.#frames.all().entries()) {
      while (cuts[0] !== undefined && cuts[0] <= before + index) this.#finalizeAgain(cuts, listening)
      this.#feed(connection, listening, frame)
      if (this.#connection !== connection) return
    }
    while (cuts.length > 0) this.#finalizeAgain(cuts, listening)
  }

  #finalizeAgain(cuts: number[], listening: Listening): void {
    cuts.shift()
    listening.finalize()
  }

  #hear(event: Words): void {
    const caughtUpWith = this.#partialBeforeBreak
    if (event.final) this.#forgetUntil(this.#unsettled[0] ?? Infinity)
    else if (caughtUpWith && wordsOf(event.text).length < wordsOf(caughtUpWith.text).length) return
    this.#partialBeforeBreak = null
    this.#partial = event.final ? null : event
    this.#options.onEvent(event)
  }

  #settle(): void {
    const [cut, ...others] = this.#unsettled
    if (cut === undefined) return
    this.#unsettled = others.length === 0 ? NONE : others
    this.#forgetUntil(cut)
    if (this.#unsettled === NONE) this.#options.onEvent({ type: 'settled', isBehind: cut < this.#missed })
  }

  /** These frames are final. */
  #forgetUntil(count: number): void {
    this.#frames.dropUntil(count)
    this.#isTruncated = false
  }

  #fail(connection: Connection, { message, retryable, retryAfterMs }: Failed): void {
    const { log, clock, after } = this.#options
    log.error({ ear: connection.ear.name, why: message, retryable, retryAfterMs }, 'ear failed')
    this.#disconnect()
    this.#options.onBroken()
    this.#keepWords()
    if (clock.nowMs() - connection.openedMs >= limits.EAR_RECOVERED_MS) this.#failures = 0
    this.#failures++
    const hasNext = this.#earIndex + 1 < this.#options.ears.length
    const failuresMax = hasNext ? limits.EAR_FAILURES_BEFORE_NEXT : limits.EAR_FAILURES_MAX
    const isTooLate = (retryAfterMs ?? 0) > limits.EAR_RETRY_AFTER_MAX_MS
    if (!retryable || isTooLate || this.#failures >= failuresMax) return this.#giveUp(hasNext)
    const backOffMs = Math.min(limits.EAR_REOPEN_MAX_MS, limits.EAR_REOPEN_MS * 2 ** (this.#failures - 1))
    after(Math.max(backOffMs, retryAfterMs ?? 0), () => this.#connect())
  }

  #giveUp(hasNext: boolean): void {
    if (!hasNext) return this.#options.onLost()
    this.#earIndex++
    this.#failures = 0
    this.#connect()
  }

  /** Words whose sound is no longer kept become final as they are. */
  #keepWords(): void {
    const partial = this.#partial
    if (!partial) return
    if (!this.#isTruncated) {
      this.#partialBeforeBreak = partial
      return
    }
    this.#partial = null
    const sinceMs = Math.max(0, this.#options.clock.nowMs() - partial.atMs)
    this.#forgetUntil(this.#frames.before + this.#frames.length - Math.ceil(sinceMs / FRAME_MS))
    this.#options.onEvent({ ...partial, final: true })
  }
}
