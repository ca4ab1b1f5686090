import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'

export interface ProgramOptions {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Gets what it writes, over all its starts. */
  readonly log: string
  /** How long it may take to end when it is asked to; 20 s where nothing is given. */
  readonly stopMs?: number
}

const PAUSE_MS = 300
const STOP_MS = 20_000

/** A process that is started again whenever it ends, as an orchestrator does. */
export class Program {
  readonly name: string
  #options: ProgramOptions
  #child: ChildProcess | undefined
  #timer: NodeJS.Timeout | undefined
  #isOver = false
  #starts = 0

  constructor(options: ProgramOptions) {
    this.name = options.name
    this.#options = options
    process.once('exit', this.#leave)
    this.#start()
  }

  /** How often it was started. */
  get starts(): number {
    return this.#starts
  }

  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal)
  }

  /** Stops it as an orchestrator does, and has something else started in its place. */
  async replace(options: ProgramOptions): Promise<void> {
    const ended = this.#end()
    this.#options = options
    await ended
  }

  async close(): Promise<void> {
    this.#isOver = true
    clearTimeout(this.#timer)
    process.off('exit', this.#leave)
    await this.#end()
  }

  async #end(): Promise<void> {
    const { stopMs = STOP_MS } = this.#options
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise<void>((done) => child.once('exit', () => done()))
    child.kill('SIGCONT')
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), stopMs)
    await gone
    clearTimeout(timer)
  }

  /** None outlives this process. */
  readonly #leave = () => void this.#child?.kill('SIGKILL')

  #start(): void {
    const { command, args, environment, log } = this.#options
    this.#starts++
    const file = openSync(log, 'a')
    const child = spawn(command, args, { env: environment, stdio: ['ignore', file, file] })
    closeSync(file)
    this.#child = child
    const again = () => {
      if (!this.#isOver) this.#timer = setTimeout(() => this.#start(), PAUSE_MS)
    }
    child.once('exit', again).once('error', again)
  }
}
