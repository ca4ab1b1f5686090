import { constants, setPriority } from 'node:os'

/** Holds more and more calls in this process, and tells its parent of each number how punctual their frames were. */

export const LATE_MS = 10
const RAMP_MS = 1500
const SETTLE_MS = 3000
const MEASURE_MS = 6000
/** A voice without a frame for so long begins anew. */
export const PAUSE_MS = 150

export interface Rung {
  readonly calls: number
  readonly frames: number
  /** Share of the frames that came more than 10 ms behind their beat. */
  readonly late: number
  /** Of one core. */
  readonly cpu: number
  readonly bytesPerCall: number
}

/** Frames that fall due every so often: how far each was behind the most punctual one of its stream. */
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
        // One that comes before its time shows that the first was late.
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

/** What is really held: the heap after a collection, and what lies outside of it. */
function heldBytes(): number {
  gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Other programs on the machine are not what is measured. Without the right to go first, the numbers are noisier. */
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
  // The first call pays for what all share.
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
