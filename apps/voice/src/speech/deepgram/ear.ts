import type { Clock, Ear, EarEvent, Frame, Listening, ListenOptions } from '@parley/voice-ports'
import type { Failure } from '../vendor/failures.ts'
import { FluxLink } from './flux.ts'
import type { Link } from './link.ts'
import { keytermsFor, type Plan, planOf } from './models.ts'
import { NovaLink } from './nova.ts'

export interface DeepgramEarOptions {
  readonly apiKey: string
  readonly baseUrl: string
  /** A nova, or a flux, which tells the end of turns itself. */
  readonly model: string
}

/** The vendor's finals come in about 250 ms; what is later is not waited for. */
const SETTLES_WITHIN_MS = 800
/** Sound that waits for a connection in another language: 10 s. */
const QUEUE_FRAMES = 500

/** Silence after which nova ends an utterance by itself, should no Finalize come; and where words stop in noise. */
const ENDPOINTING_MS = 300
const UTTERANCE_END_MS = 1000
/** How sure flux is of an end of turn; eager ones start the mind. */
const EOT_THRESHOLD = 0.7
const EAGER_EOT_THRESHOLD = 0.5
const EOT_TIMEOUT_MS = 5000

export function createDeepgramEar(options: DeepgramEarOptions): Ear {
  return {
    name: `Deepgram ${options.model}`,
    settlesWithinMs: SETTLES_WITHIN_MS,
    turns: options.model.startsWith('flux-'),
    listen: (listenOptions, clock, onEvent) => new DeepgramListening(options, listenOptions, clock, onEvent),
  }
}

type Heard = Exclude<EarEvent, { type: 'ready' | 'failed' }>

/** The connection of a call, and the one before it while that has words to say. */
class DeepgramListening implements Listening {
  readonly #options: DeepgramEarOptions
  readonly #listening: ListenOptions
  readonly #clock: Clock
  readonly #onEvent: (event: EarEvent) => void
  #link: Link
  #isReady = false
  #wasReady = false
  #isOver = false
  /** For a connection that is being made. */
  #queue: (Frame | 'finalize')[] = []
  /** Says the end of what was heard in the language before; then what the new one has said meanwhile. */
  #before: Link | null = null
  #held: Heard[] = []

  constructor(options: DeepgramEarOptions, listening: ListenOptions, clock: Clock, onEvent: (event: EarEvent) => void) {
    this.#options = options
    this.#listening = listening
    this.#clock = clock
    this.#onEvent = onEvent
    this.#link = this.#connect(listening.language)
    listening.signal.addEventListener('abort', () => this.close(), { once: true })
    if (listening.signal.aborted) this.close()
  }

  push(frame: Frame): void {
    if (this.#isOver) return
    if (this.#isReady) return this.#link.push(frame)
    if (this.#queue.length < QUEUE_FRAMES) this.#queue.push(frame)
  }

  finalize(): void {
    if (this.#isOver) return
    if (this.#isReady) this.#link.finalize()
    else this.#queue.push('finalize')
  }

  setLanguage(language: string): void {
    if (this.#isOver || this.#link.setLanguage(language, this.#planOf(language))) return
    this.#before?.close()
    this.#release()
    this.#isReady = false
    this.#before = this.#link
    this.#link = this.#connect(language)
    this.#before.finish()
  }

  close(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#before?.close()
    this.#link.close()
  }

  #planOf(language: string): Plan {
    const { languageIsGuess = false } = this.#listening
    return planOf({ model: this.#options.model, language, languageIsGuess })
  }

  #connect(language: string): Link {
    const plan = this.#planOf(language)
    const { apiKey, baseUrl } = this.#options
    const Made = plan.kind === 'flux' ? FluxLink : NovaLink
    const link: Link = new Made({
      plan,
      language,
      url: `${baseUrl}/${plan.kind === 'flux' ? 'v2' : 'v1'}/listen?${this.#queryOf(plan)}`,
      apiKey,
      clock: this.#clock,
      settlesWithinMs: SETTLES_WITHIN_MS,
      onReady: () => this.#ready(link, plan),
      onEvent: (event) => this.#hear(link, event),
      onFailed: (failure) => this.#fail(link, failure),
      onFinished: () => {
        if (link === this.#before) this.#release()
      },
    })
    return link
  }

  #queryOf(plan: Plan): string {
    const common = [
      ['model', plan.model],
      ['encoding', 'mulaw'],
      ['sample_rate', '8000'],
      // Nobody asked the callee whether a model may be trained with the call.
      ['mip_opt_out', 'true'],
    ] as const
    const own =
      plan.kind === 'flux'
        ? ([
            ['eot_threshold', `${EOT_THRESHOLD}`],
            ['eager_eot_threshold', `${EAGER_EOT_THRESHOLD}`],
            ['eot_timeout_ms', `${EOT_TIMEOUT_MS}`],
          ] as const)
        : ([
            ['channels', '1'],
            ['interim_results', 'true'],
            ['punctuate', 'true'],
            ['smart_format', 'true'],
            ['endpointing', `${ENDPOINTING_MS}`],
            ['utterance_end_ms', `${UTTERANCE_END_MS}`],
            ['vad_events', 'true'],
          ] as const)
    const query = new URLSearchParams()
    const terms = keytermsFor(plan, this.#listening.keyterms)
    for (const [name, value] of [...common, ...own, ...plan.parameters, ...terms]) query.append(name, value)
    return query.toString()
  }

  #ready(link: Link, plan: Plan): void {
    if (link !== this.#link || this.#isOver) return
    this.#isReady = true
    const turns = plan.kind === 'flux'
    if (!this.#wasReady) {
      this.#wasReady = true
      const differs = turns !== this.#options.model.startsWith('flux-')
      this.#onEvent(differs ? { type: 'ready', turns } : { type: 'ready' })
    }
    for (const queued of this.#queue.splice(0)) {
      if (queued === 'finalize') link.finalize()
      else link.push(queued)
    }
  }

  #hear(link: Link, event: Heard): void {
    if (this.#isOver) return
    if (link === this.#link && this.#before) this.#held.push(event)
    else if (link === this.#link || link === this.#before) this.#onEvent(event)
  }

  #release(): void {
    this.#before = null
    for (const event of this.#held.splice(0)) this.#onEvent(event)
  }

  #fail(link: Link, failure: Failure): void {
    if (link === this.#before) return this.#release()
    if (link !== this.#link || this.#isOver) return
    this.close()
    this.#onEvent({ type: 'failed', ...failure })
  }
}
