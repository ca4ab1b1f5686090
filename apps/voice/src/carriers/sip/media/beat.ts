import { type Clock, frameTicker } from '@parley/voice-ports'

interface BeatTask {
  /** Every 20 ms, by the clock. */
  send(): void
  /** For each send(), once the packets that have come were read. `nowMs` is when it was due. */
  play(nowMs: number): void
}

export interface Beat {
  /** Returns a function that ends it. */
  join(task: BeatTask): () => void
}

const beats = new WeakMap<Clock, Beat>()

/** The one 20 ms beat of all legs of a clock, in four phases. */
export function beatOf(clock: Clock): Beat {
  const beat = beats.get(clock) ?? createBeat(clock)
  beats.set(clock, beat)
  return beat
}

function createBeat(clock: Clock): Beat {
  const ticker = frameTicker(clock)
  let due: { readonly task: BeatTask; readonly nowMs: number }[] = []
  let isPlanned = false

  function playAll(): void {
    isPlanned = false
    const now = due
    due = []
    for (const { task, nowMs } of now) task.play(nowMs)
  }

  return {
    join: (task) =>
      ticker.join(() => {
        task.send()
        // After a stall several ticks fall due at once; what came meanwhile is read before they are played.
        due.push({ task, nowMs: clock.nowMs() })
        if (!isPlanned) setImmediate(playAll)
        isPlanned = true
      }),
  }
}
