import { fileURLToPath } from 'node:url'
import type { Clock, Ear, EarEvent, Frame, Listening, ListenOptions } from '@parley/voice-ports'
import type { Logger } from 'pino'
import { Settling } from '../vendor/settling.ts'
import { baseOf } from '../vendor/text.ts'
import type { Answered } from './ear-messages.ts'
import { type EarModel, earModelsIn } from './ear-models.ts'
import { type Leg, type Recogniser, RecognisingProcess } from './recognising-process.ts'

export interface LocalEarOptions {
  readonly modelsDir: string
  readonly log: Logger
}

/** An ear with a process of its own. */
export interface LocalEar extends Ear {
  close(): Promise<void>
}

const SETTLES_WITHIN_MS = 1000
/** Sound that the process has not taken yet: 5 s behind is too late for a conversation. */
const BEHIND_MAX_FRAMES = 250

/** @throws ConfigError in one sentence when the folder lacks something or a model cannot be loaded */
export async function createLocalEar({ modelsDir, log }: LocalEarOptions): Promise<LocalEar> {
  const models = await earModelsIn(modelsDir)
  const recogniser = new RecognisingProcess(fileURLToPath(new URL('ear-process.ts', import.meta.url)), log)
  await recogniser.load(models)
  return { ...earOn(recogniser, models), close: () => recogniser.close() }
}

export function earOn(recogniser: Recogniser, models: readonly Pick<EarModel, 'language'>[]): Ear {
  return {
    name: 'sherpa-onnx',
    settlesWithinMs: SETTLES_WITHIN_MS,
    turns: false,
    listen: (options, clock, onEvent) => new LocalListening(recogniser, models, options, clock, onEvent),
  }
}

class LocalListening implements Listening, Leg {
  readonly #process: Recogniser
  readonly #models: readonly Pick<EarModel, 'language'>[]
  readonly #clock: Clock
  readonly #onEvent: (event: EarEvent) => void
  readonly #settling: Settling
  readonly #id: number
  #language: string | null
  #behind = 0
  /** Asked and answered. */
  #finalizes = 0
  #settledCount = 0
  #isOver = false

  constructor(
    process: Recogniser,
    models: readonly Pick<EarModel, 'language'>[],
    options: ListenOptions,
    clock: Clock,
    onEvent: (event: EarEvent) => void,
  ) {
    this.#process = process
    this.#models = models
    this.#clock = clock
    this.#onEvent = onEvent
    this.#id = process.open(this)
    this.#language = this.#modelFor(options.language)
    const settled = () => this.#tell({ type: 'settled' })
    this.#settling = new Settling(clock, SETTLES_WITHIN_MS, settled, () => undefined)
    options.signal.addEventListener('abort', () => this.close(), { once: true })
    clock.after(0, () => {
      if (!process.isAlive) this.onDied()
      else if (this.#language === null) this.#fail(`There is no model for ${options.language}.`, false)
      else this.#tell({ type: 'ready' })
    })
  }

  push({ audio }: Frame): void {
    if (this.#isOver || this.#language === null) return
    this.#process.post({ type: 'sound', id: this.#id, language: this.#language, audio })
    if (++this.#behind > BEHIND_MAX_FRAMES) this.#fail('This machine is too slow to recognise so many calls.', true)
  }

  finalize(): void {
    if (this.#isOver) return
    this.#settling.ask(++this.#finalizes)
    this.#process.post({ type: 'finalize', id: this.#id })
  }

  setLanguage(language: string): void {
    if (this.#isOver) return
    this.#language = this.#modelFor(language)
    if (this.#language === null) this.#fail(`There is no model for ${language}.`, false)
  }

  close(): void {
    this.#isOver = true
    this.#settling.close()
    this.#process.end(this.#id)
  }

  onAnswered(answered: Extract<Answered, { id: number }>): void {
    switch (answered.type) {
      case 'heard':
        return void this.#behind--
      case 'words': {
        const { text, final } = answered
        return this.#tell({ type: 'words', text, final, atMs: this.#clock.nowMs() })
      }
      case 'settled':
        return this.#settling.coveredUntil(++this.#settledCount)
    }
  }

  onDied(): void {
    this.#fail('The recognising process has ended.', false)
  }

  #modelFor(language: string): string | null {
    const languages = this.#models.map((model) => model.language)
    return (
      languages.find((each) => each === language) ?? languages.find((each) => baseOf(each) === baseOf(language)) ?? null
    )
  }

  #tell(event: EarEvent): void {
    if (!this.#isOver) this.#onEvent(event)
  }

  #fail(message: string, retryable: boolean): void {
    if (this.#isOver) return
    this.close()
    this.#onEvent({ type: 'failed', message: `sherpa-onnx: ${message}`, retryable, retryAfterMs: null })
  }
}
