import { constants, setPriority } from 'node:os'

/** Holds a growing number of calls in this process, and reports the punctuality of frames for each number. */

export const LATE_MS = 10
const RAMP_MS = 1500
const SETTLE_MS = 3000
const MEASURE_MS = 6000
/** After this many ms without a frame a new stream begins. */
export const PAUSE_MS = 150

export interface Rung {
  readonly calls: number
  readonly frames: number
  /** Share of frames more than 10 ms late. */
  readonly late: number
  /** Share of one core. */
  readonly cpu: number
  readonly bytesPerCall: number
}

/** The delay of periodic frames against the most punctual one of their stream. */
export class Punctuality {
  frames = 0
  late = 0

  stream(everyMs: number, pauseMs = Infinity): { came(atMs: number): void } {
    let firstMs = 0
    let count = 0
    let lastMs = -Infinity
    return {
      came: (atMs) => {
        if (count === 0 || atMs - lastMs > pauseMs) {
          firstMs = atMs
          count = 0
        }
        lastMs = atMs
        const dueMs = firstMs + count++ * everyMs
        // An early frame shows that the first was late.
        if (atMs < dueMs) firstMs -= dueMs - atMs
        this.frames++
        if (atMs - dueMs > LATE_MS) this.late++
      },
    }
  }

  reset(): void {
    this.frames = 0
    this.late = 0
  }
}

type Start = (index: number, punctuality: Punctuality) => (() => void) | Promise<() => void>

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Heap after a collection, and external memory. */
function heldBytes(): number {
  gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Raises the priority against other programs. Without the right to, the numbers are noisier. */
export function goFirst(): void {
  try {
    setPriority(constants.priority.PRIORITY_HIGHEST)
  } catch {
    console.log('(without the right to raise its priority: other programs disturb the times)')
  }
}

export async function runLadder(start: Start, rungs: readonly number[]): Promise<void> {
  goFirst()
  const punctuality = new Punctuality()
  const stops: (() => void)[] = []
  // The first call includes one-time costs.
  const stopFirst = await start(-1, punctuality)
  await wait(SETTLE_MS)
  stopFirst()
  await wait(500)
  const emptyBytes = heldBytes()
  for (const calls of rungs) {
    const missing = calls - stops.length
    for (let at = 0; at < missing; at++) {
      stops.push(await start(stops.length, punctuality))
      await wait(RAMP_MS / missing)
    }
    await wait(SETTLE_MS)
    const bytesPerCall = (heldBytes() - emptyBytes) / calls
    await wait(500)
    punctuality.reset()
    const before = process.cpuUsage()
    const startedAt = performance.now()
    await wait(MEASURE_MS)
    const { user, system } = process.cpuUsage(before)
    const cpu = (user + system) / 1000 / (performance.now() - startedAt)
    const { frames, late } = punctuality
    const rung: Rung = { calls, frames, late: late / frames, cpu, bytesPerCall }
    process.send?.(rung)
    if (!process.connected) console.log(JSON.stringify(rung))
  }
  for (const stop of stops) stop()
  await wait(200)
  process.exit(0)
}
