import type { Clock } from '@parley/voice-ports'

/** A pause of a mind behind which a sentence that looks complete is one. */
const PAUSE_MS = 150

/** The items, and null once in each pause between them. */
export async function* afterPause<T>(items: AsyncIterable<T>, clock: Clock): AsyncGenerator<T | null> {
  const from: AsyncIterator<T, unknown> = items[Symbol.asyncIterator]()
  let isDone = false
  try {
    for (;;) {
      const next = from.next()
      const pause = paused(clock)
      const first = await Promise.race([next, pause.over]).finally(pause.cancel)
      if (first === null) yield null
      const item: IteratorResult<T, unknown> = first ?? (await next)
      if (item.done === true) {
        isDone = true
        return
      }
      yield item.value
    }
  } finally {
    // A reply that is left early lets go of its connection.
    if (!isDone) await from.return?.()
  }
}

function paused(clock: Clock) {
  const { promise, resolve } = Promise.withResolvers<null>()
  return { over: promise, cancel: clock.after(PAUSE_MS, () => resolve(null)) }
}
