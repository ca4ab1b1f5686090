import { type Clock, createChunker, type MindEvent } from '@parley/voice-ports'

/** As long as a sentence that looks complete is waited behind; as the session does. */
const SETTLED_MS = 150

/** What another mind may still say otherwise. */
const PRELIMINARY: readonly MindEvent['type'][] = ['phase', 'outcome', 'language', 'usage', 'memory', 'opted_out']

/**
 * Holds a reply back until its first clause stands, which the session would not speak sooner either: until then it can
 * still be another mind's. `begins` is called before the first event is let out.
 */
export async function* fromFirstClause(
  reply: AsyncIterable<MindEvent>,
  clock: Clock,
  begins: () => void,
): AsyncGenerator<MindEvent> {
  const events = reply[Symbol.asyncIterator]()
  const chunker = createChunker({ firstClause: true })
  const held: MindEvent[] = []
  let next = events.next()
  try {
    for (let stands = false; !stands;) {
      const pause = held.at(-1)?.type === 'say' ? pauseOf(clock) : null
      const arrived = await Promise.race([next, ...(pause ? [pause.over] : [])])
      pause?.cancel()
      if (arrived === null) {
        stands = chunker.settled().length > 0
        if (!stands) await next
        continue
      }
      if (arrived.done === true) break
      const event = arrived.value
      held.push(event)
      next = events.next()
      // Whoever leaves early does not await it.
      next.catch(() => undefined)
      stands = event.type === 'say' ? chunker.push(event.text).length > 0 : !PRELIMINARY.includes(event.type)
    }
    begins()
    yield* held
    for (let rest = await next; rest.done !== true; rest = await events.next()) yield rest.value
  } finally {
    // A reply that is left early lets go of its connection.
    void events.return?.()
  }
}

function pauseOf(clock: Clock): { readonly over: Promise<null>; readonly cancel: () => void } {
  const { promise, resolve } = Promise.withResolvers<null>()
  return { over: promise, cancel: clock.after(SETTLED_MS, () => resolve(null)) }
}
