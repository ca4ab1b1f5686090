import type { Mind, Mouth, SystemClock } from '@parley/voice-ports'

/**
 * Stops call time, where it runs faster than the wall clock, while mouth and mind work in real time: a fast call then
 * sees the same delays as a real one.
 */

export function patientMouth(mouth: Mouth, clock: SystemClock): Mouth {
  return {
    ...mouth,
    open(options) {
      const speaking = mouth.open(options)
      return {
        speak: (text, { signal }) => waitedFor(clock, speaking.speak(text, { signal })),
        setLanguage: (language) => speaking.setLanguage(language),
        close: () => speaking.close(),
      }
    },
  }
}

/** observe() runs beside the call and holds nothing up. */
export function patientMind(mind: Mind, clock: SystemClock): Mind {
  return {
    name: mind.name,
    ...(mind.speaks && { speaks: mind.speaks.bind(mind) }),
    respond: (asked, signal) => waitedFor(clock, mind.respond(asked, signal)),
    ...(mind.observe && { observe: mind.observe.bind(mind) }),
    conclude: (ended, signal) => mind.conclude(ended, signal),
    heard: (itemId, heardMs) => mind.heard?.(itemId, heardMs),
    dropped: (itemId) => mind.dropped?.(itemId),
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
