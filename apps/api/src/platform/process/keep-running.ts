import type { ChildProcess } from 'node:child_process'
import { CONFIG_EXIT_CODE } from '@parley/contract/environment'

/** How soon a process that died is started again, and when no more. */
export interface RestartPace {
  readonly firstPauseMs: number
  readonly longestPauseMs: number
  readonly deathsMax: number
  /** Deaths longer ago count no more. */
  readonly withinMs: number
}

const PACE: RestartPace = { firstPauseMs: 500, longestPauseMs: 10_000, deathsMax: 8, withinMs: 300_000 }

/** Of one process: the pause after each death doubles, and beyond `deathsMax` of them there is none. */
export class Restarts {
  readonly #pace: RestartPace
  #deaths: number[] = []

  constructor(pace: Partial<RestartPace> = {}) {
    this.#pace = { ...PACE, ...pace }
  }

  /** The pause before the next start; null when it has died too often. */
  died(nowMs: number): number | null {
    const { firstPauseMs, longestPauseMs, deathsMax, withinMs } = this.#pace
    this.#deaths = [...this.#deaths.filter((at) => nowMs - at < withinMs), nowMs]
    if (this.#deaths.length > deathsMax) return null
    return Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#deaths.length - 1))
  }

  toString(): string {
    return `${this.#deaths.length} times in ${Math.round(this.#pace.withinMs / 60_000)} minutes`
  }
}

export interface KeepOptions {
  /** As sentences begin with it: "The voice service". */
  readonly name: string
  /** Resolves when the new process does its work. */
  readonly start: () => Promise<ChildProcess>
  /** Hears of each death, and why. */
  readonly say: (line: string) => void
  /** It died too often, or cannot be started any more. */
  readonly giveUp: (sentence: string) => void
  readonly pace?: Partial<RestartPace>
}

export interface Kept {
  /** Starts it no more, and has `end` end the one that runs. */
  stop(end: (child: ChildProcess) => Promise<void>): Promise<void>
}

/** Keeps a process running: starts it again whenever it ends without being asked to. */
export function keepRunning(first: ChildProcess, { name, start, say, giveUp, pace }: KeepOptions): Kept {
  const restarts = new Restarts(pace)
  let child = first
  let stopping = false
  let wake: () => void = () => undefined
  let restarting = Promise.resolve()

  const again = async (why: string): Promise<void> => {
    for (let reason = why; !stopping;) {
      const pauseMs = restarts.died(performance.now())
      if (child.exitCode === CONFIG_EXIT_CODE)
        return giveUp(`${name} stopped because of its configuration (${reason}). It is not started again.`)
      if (pauseMs === null)
        return giveUp(
          `${name} stopped ${restarts.toString()}, the last time with ${reason.replace(/\.$/, '')}. It is not started again.`,
        )
      say(`${name} stopped (${reason}). Starting it again in ${pauseMs / 1000} s.`)
      await new Promise<void>((done) => {
        const timer = setTimeout(done, pauseMs)
        wake = () => (clearTimeout(timer), done())
      })
      if (stopping) return
      try {
        return watch(await start())
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error)
      }
    }
  }
  const watch = (next: ChildProcess): void => {
    child = next
    // Events of errors that nobody hears end the process that keeps it.
    for (const source of [next, next.stderr]) source?.on('error', (error: Error) => say(`${name}: ${error.message}`))
    const lastLine = lastLineOf(next)
    const died = () => {
      if (!stopping) restarting = again(reasonOf(next, lastLine()))
    }
    if (hasEnded(next)) died()
    else next.once('exit', died)
  }
  watch(first)
  return {
    async stop(end) {
      stopping = true
      wake()
      await restarting
      if (!hasEnded(child)) await end(child)
    },
  }
}

export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

function reasonOf({ exitCode, signalCode }: ChildProcess, lastLine: string): string {
  const how = signalCode === null ? `exit code ${exitCode}` : `signal ${signalCode}`
  return lastLine === '' ? how : `${how}: ${lastLine}`
}

const LINE_MAX = 500

/** What it wrote last to its standard error, where that is read here. */
function lastLineOf({ stderr }: ChildProcess): () => string {
  let tail = ''
  stderr?.on('data', (text: Buffer | string) => (tail = (tail + text.toString()).slice(-LINE_MAX)))
  return () => tail.trimEnd().split('\n').at(-1)?.trim() ?? ''
}
