import { FRAME_MS } from '@parley/voice-ports'
import type { Round } from './children.ts'

const LATE_MS = 20

/** Frames that came more than 20 ms past due, by the most punctual frame of their stream. */
export class Lateness {
  frames = 0
  late = 0

  stream(): (atMs: number, mediaMs?: number) => void {
    let firstMs = Infinity
    let count = 0
    return (atMs, mediaMs = count * FRAME_MS) => {
      count++
      // An early frame shows that those before it were late.
      firstMs = Math.min(firstMs, atMs - mediaMs)
      this.frames++
      if (atMs - firstMs - mediaMs > LATE_MS) this.late++
    }
  }

  reset(): void {
    this.frames = 0
    this.late = 0
  }
}

const part = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

function shares(timesMs: number[]): readonly [number, number] {
  const sorted = timesMs.toSorted((a, b) => a - b)
  return [part(sorted, 0.5), part(sorted, 0.99)]
}

/** What one round sees at the socket and behind it. */
export class Meter {
  readonly lateness = new Lateness()
  #in: number[] = []
  #out: number[] = []
  #cpu = process.cpuUsage()
  #sinceMs = performance.now()

  arrived(delayMs: number): void {
    this.#in.push(delayMs)
  }

  left(delayMs: number): void {
    this.#out.push(delayMs)
  }

  begin(): void {
    this.#in = []
    this.#out = []
    this.lateness.reset()
    this.#cpu = process.cpuUsage()
    this.#sinceMs = performance.now()
  }

  end(): Round {
    const { user, system } = process.cpuUsage(this.#cpu)
    const cpu = (user + system) / 1000 / (performance.now() - this.#sinceMs)
    const { frames, late } = this.lateness
    return { cpu, frames, in: shares(this.#in), out: shares(this.#out), late: late / frames }
  }
}
