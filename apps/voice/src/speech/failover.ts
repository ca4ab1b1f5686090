import type { Clock, Mouth, MouthOptions, Speaking, SpokenChunk, SpokenWord } from '@parley/voice-ports'
import type { Logger } from 'pino'
import { Breaker } from './breaker.ts'
import { failureOf, SpeechFailure } from './failure.ts'
import { Progress } from './progress.ts'
import { isSayable } from './sayable.ts'

/** After this nobody begins to say the rest of a text any more. */
const TEXT_BUDGET_MS = 10_000
/** A broken connection is opened again once for a text, before the next mouth takes over. */
const TRIES_EACH_MAX = 2

export interface FailoverOptions {
  readonly clock: Clock
  readonly log: Logger
}

interface Vendor {
  readonly mouth: Mouth
  readonly breaker: Breaker
}

/**
 * Speaks by the first of several mouths, and by the next when it fails, also in mid-sentence: that goes on with the first
 * word that was not said to its end. A call stays with the voice that took over.
 */
export function failoverMouth(mouths: readonly Mouth[], options: FailoverOptions): Mouth {
  const vendors = mouths.map((mouth) => ({ mouth, breaker: new Breaker(options.clock) }))
  return {
    name: mouths.map(({ name }) => name).join(', then '),
    // Times that one mouth does not tell are estimated where another one tells its own.
    wordTimes: mouths.some(({ wordTimes }) => wordTimes),
    open: (opened) => new KeptVoice(vendors, opened, options),
  }
}

interface Current {
  readonly vendor: Vendor
  readonly speaking: Speaking
}

class KeptVoice implements Speaking {
  readonly #vendors: readonly Vendor[]
  readonly #opened: MouthOptions
  readonly #options: FailoverOptions
  readonly #wordTimes: boolean
  readonly #closed = new AbortController()
  #language: string
  #current: Current | null = null

  constructor(vendors: readonly Vendor[], opened: MouthOptions, options: FailoverOptions) {
    this.#vendors = vendors
    this.#opened = opened
    this.#options = options
    this.#wordTimes = vendors.some(({ mouth }) => mouth.wordTimes)
    this.#language = opened.language
    this.#choose(vendors)
  }

  async *speak(text: string, { signal }: { readonly signal: AbortSignal }): AsyncGenerator<SpokenChunk> {
    const ended = AbortSignal.any([signal, this.#closed.signal])
    const attempts = new Attempts(this.#vendors)
    const untilMs = this.#options.clock.nowMs() + TEXT_BUDGET_MS
    let fromChar = 0
    let fromMs = 0
    while (!ended.aborted) {
      const current = this.#choose(attempts.left) ?? this.#openAny(attempts.left)
      if (!current) throw new SpeechFailure('broken', 'No mouth is left.')
      const part = text.slice(fromChar)
      const progress = new Progress(part, current.vendor.mouth.wordTimes)
      const place = placing(fromChar, fromMs, this.#wordTimes)
      try {
        yield* this.#say(part, current, progress, place, ended)
        return
      } catch (error) {
        if (ended.aborted) return
        const failure = failureOf(error)
        this.#fail(current, failure)
        attempts.failed(current.vendor, failure)
        yield* place(new Uint8Array(0), progress.breakOff())
        if (progress.restFrom === null) return
        fromChar += progress.restFrom
        fromMs += progress.soundMs
        if (this.#options.clock.nowMs() >= untilMs || attempts.left.length === 0) throw error
      }
    }
  }

  setLanguage(language: string): void {
    this.#language = language
    this.#current?.speaking.setLanguage(language)
  }

  close(): void {
    this.#closed.abort()
    this.#current?.speaking.close()
    this.#current = null
  }

  async *#say(
    part: string,
    { vendor, speaking }: Current,
    progress: Progress,
    place: Place,
    signal: AbortSignal,
  ): AsyncGenerator<SpokenChunk> {
    for await (const chunk of speaking.speak(part, { signal })) {
      yield* place(chunk.audio, progress.take(chunk))
      if (signal.aborted) return
    }
    if (signal.aborted) return
    if (progress.soundMs === 0 && isSayable(part)) throw new SpeechFailure('broken', 'It made no sound.')
    vendor.breaker.worked()
    yield* place(new Uint8Array(0), progress.finish())
  }

  /** The voice in use, or the first that may be used, opened. */
  #choose(left: readonly Vendor[]): Current | null {
    if (this.#closed.signal.aborted) return null
    for (const vendor of this.#current ? [] : left) {
      if (!vendor.breaker.admits()) continue
      this.#current = this.#open(vendor)
      if (this.#current) break
    }
    return this.#current
  }

  /** Where all rest, one that failed lately is better than silence. */
  #openAny(left: readonly Vendor[]): Current | null {
    for (const vendor of this.#closed.signal.aborted ? [] : left) {
      this.#current = this.#open(vendor)
      if (this.#current) break
    }
    return this.#current
  }

  #open(vendor: Vendor): Current | null {
    const { voiceId, onSpoken } = this.#opened
    let current: Current | null = null
    const onFailed = (error: Error) => {
      if (current && this.#current === current) this.#replace(current, error)
    }
    const opened = { language: this.#language, voiceId, onFailed, ...(onSpoken && { onSpoken }) }
    try {
      current = { vendor, speaking: vendor.mouth.open(opened) }
    } catch (error) {
      this.#note(vendor, failureOf(error))
    }
    return current
  }

  /** It broke while nothing was said: the next one is opened before it is needed. */
  #replace(current: Current, error: Error): void {
    this.#fail(current, failureOf(error))
    this.#choose(this.#vendors)
  }

  /** Its connection is opened again for the next try, if it is the next. */
  #fail(current: Current, failure: SpeechFailure): void {
    this.#note(current.vendor, failure)
    if (this.#current !== current) return
    current.speaking.close()
    this.#current = null
  }

  #note({ mouth, breaker }: Vendor, failure: SpeechFailure): void {
    breaker.failed(failure)
    this.#options.log.warn({ mouth: mouth.name, kind: failure.kind, why: failure.message }, 'mouth failed')
  }
}

/** Which mouths may still try to say a text. */
class Attempts {
  readonly #vendors: readonly Vendor[]
  readonly #tries = new Map<Vendor, number>()

  constructor(vendors: readonly Vendor[]) {
    this.#vendors = vendors
  }

  get left(): readonly Vendor[] {
    return this.#vendors.filter((vendor) => (this.#tries.get(vendor) ?? 0) < TRIES_EACH_MAX)
  }

  failed(vendor: Vendor, { kind }: SpeechFailure): void {
    // Who was late would be late again: there is no time for it, unless it is the only one.
    const isSpent = kind === 'refused' || kind === 'unable' || (kind !== 'broken' && this.#vendors.length > 1)
    this.#tries.set(vendor, isSpent ? TRIES_EACH_MAX : (this.#tries.get(vendor) ?? 0) + 1)
  }
}

type Place = (audio: Uint8Array, words: readonly SpokenWord[]) => Generator<SpokenChunk>

/** Puts sound and words of a part in their place in the whole text. */
function placing(fromChar: number, fromMs: number, wordTimes: boolean): Place {
  return function* place(audio, words) {
    if (audio.length === 0 && (words.length === 0 || !wordTimes)) return
    if (!wordTimes || words.length === 0) {
      yield { audio }
      return
    }
    const placed = words.map((word) => ({
      ...word,
      fromChar: fromChar + word.fromChar,
      toChar: fromChar + word.toChar,
      endMs: fromMs + word.endMs,
    }))
    yield { audio, words: placed }
  }
}
