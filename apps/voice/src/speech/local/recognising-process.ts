import { type ChildProcess, fork } from 'node:child_process'
import { ConfigError } from '@parley/contract/environment'
import type { Logger } from 'pino'
import type { Answered, Asked } from './ear-messages.ts'
import type { EarModel } from './ear-models.ts'

/** Models of some hundred MB each are read from a disk. */
const READY_WITHIN_MS = 60_000

/** A call that is heard. */
export interface Leg {
  onAnswered(answered: Extract<Answered, { id: number }>): void
  onDied(): void
}

export interface Recogniser {
  readonly isAlive: boolean
  open(leg: Leg): number
  end(id: number): void
  post(asked: Asked): void
}

/** The process that recognises, and the calls that it hears. */
export class RecognisingProcess implements Recogniser {
  readonly #child: ChildProcess
  readonly #legs = new Map<number, Leg>()
  readonly #exited: Promise<void>
  #ids = 0
  #isClosing = false

  constructor(program: string, log: Logger) {
    // It needs no secrets, and gets none.
    this.#child = fork(program, [], {
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#exited = new Promise((resolve) => this.#child.once('exit', () => resolve()))
    this.#child.on('error', () => undefined)
    void this.#exited.then(() => {
      if (!this.#isClosing) log.error('the recognising process has ended: EAR=local hears nothing until a restart')
      for (const leg of this.#legs.values()) leg.onDied()
    })
  }

  get isAlive(): boolean {
    return this.#child.connected
  }

  async load(models: readonly EarModel[]): Promise<void> {
    let folder = models[0]?.folder ?? ''
    const deadline = AbortSignal.timeout(READY_WITHIN_MS)
    const isReady = await new Promise<boolean>((resolve) => {
      this.#child.on('message', (answered: Answered) => {
        if (answered.type === 'loading') folder = answered.folder
        else if (answered.type === 'ready') resolve(true)
        else this.#legs.get(answered.id)?.onAnswered(answered)
      })
      deadline.addEventListener('abort', () => resolve(false), { once: true })
      void this.#exited.then(() => resolve(false))
      this.post({ type: 'load', models })
    })
    if (isReady) {
      // It ends with this process, and does not keep it.
      this.#child.unref()
      this.#child.channel?.unref()
      return
    }
    await this.close()
    throw new ConfigError(
      `EAR=local cannot load the model in ${folder}: put a streaming model of sherpa-onnx 1.13 there, or take the folder away.`,
    )
  }

  open(leg: Leg): number {
    const id = ++this.#ids
    this.#legs.set(id, leg)
    return id
  }

  end(id: number): void {
    if (this.#legs.delete(id)) this.post({ type: 'close', id })
  }

  post(asked: Asked): void {
    if (this.#child.connected) this.#child.send(asked, () => undefined)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#child.kill('SIGKILL')
    await this.#exited
  }
}
