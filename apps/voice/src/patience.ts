import type { Mind, Mouth, SystemClock } from '@parley/voice-ports'

/**
 * Stops call time, where it runs faster than the wall clock, while mouth and mind work in real time: a fast call then
 * sees the same delays as a real one.
 */

export function patientMouth(mouth: Mouth, clock: SystemClock): Mouth {
  return { name: mouth.name, speak: (text, options) => waitedFor(clock, mouth.speak(text, options)) }
}

export function patientMind(mind: Mind, clock: SystemClock): Mind {
  return {
    name: mind.name,
    respond: (asked, signal) => waitedFor(clock, mind.respond(asked, signal)),
    conclude: (asked, signal) => mind.conclude(asked, signal),
  }
}

async function* waitedFor<T>(clock: SystemClock, items: AsyncIterable<T>): AsyncGenerator<T> {
  let release = clock.hold()
  try {
    for await (const item of items) {
      release()
      yield item
      release = clock.hold()
    }
  } finally {
    release()
  }
}
