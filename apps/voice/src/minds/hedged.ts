import type { Asked, Clock, Mind, MindEvent } from '@parley/voice-ports'

export interface HedgeOptions {
  readonly clock: Clock
  /** Call time without a first word after which the second mind is asked as well. */
  readonly afterMs?: number
}

export interface HedgedMind extends Mind {
  readonly counts: { readonly asked: number; readonly hedged: number; readonly wonBySecond: number }
}

const AFTER_MS = 1200

/** A mind's reply up to its first word; then it is passed on. */
interface Racer {
  readonly abort: AbortController
  readonly events: AsyncIterator<MindEvent, unknown>
  readonly held: MindEvent[]
  /** Resolves with this racer once it speaks, acts or is complete; rejects where it fails before. */
  readonly spoke: Promise<Racer>
}

const PRELIMINARY: readonly MindEvent['type'][] = ['phase', 'outcome', 'language', 'usage', 'memory']

/** Asks the second mind where the first has no word in time or fails, and uses whoever speaks first. */
export function hedgedMind([first, second]: readonly [Mind, Mind], options: HedgeOptions): HedgedMind {
  const { clock, afterMs = AFTER_MS } = options
  const counts = { asked: 0, hedged: 0, wonBySecond: 0 }

  async function* respond(asked: Asked, signal: AbortSignal): AsyncGenerator<MindEvent> {
    if (signal.aborted) return
    counts.asked++
    const main = racer(first, asked, signal)
    const late = waiting(clock, afterMs, signal)
    const leading = await Promise.race([main.spoke, late.over]).catch(() => null)
    late.cancel()
    if (signal.aborted) return
    if (leading) {
      yield* rest(leading, signal)
      return
    }
    counts.hedged++
    const spare = racer(second, asked, signal)
    const winner = await Promise.any([main.spoke, spare.spoke]).catch((error: unknown) => {
      throw error instanceof AggregateError ? error.errors[0] : error
    })
    if (winner === spare) counts.wonBySecond++
    const loser = winner === spare ? main : spare
    loser.abort.abort()
    yield* rest(winner, signal)
  }

  return {
    name: `${first.name}, else ${second.name}`,
    counts,
    speaks: (language) => (first.speaks?.(language) ?? true) || (second.speaks?.(language) ?? true),
    respond,
    observe: (asked, signal) => first.observe?.(asked, signal) ?? second.observe?.(asked, signal) ?? none(),
    conclude: (ended, signal) =>
      first.conclude(ended, signal).catch((error: unknown) => {
        if (signal.aborted) throw error
        return second.conclude(ended, signal)
      }),
    heard(itemId, heardMs) {
      first.heard?.(itemId, heardMs)
      second.heard?.(itemId, heardMs)
    },
    dropped(itemId) {
      first.dropped?.(itemId)
      second.dropped?.(itemId)
    },
  }
}

function racer(mind: Mind, asked: Asked, signal: AbortSignal): Racer {
  const abort = new AbortController()
  const events = mind.respond(asked, AbortSignal.any([signal, abort.signal]))[Symbol.asyncIterator]()
  const held: MindEvent[] = []
  const race: Racer = { abort, events, held, spoke: firstWord().then(() => race) }
  // Also where nobody awaits it any more.
  race.spoke.catch(() => undefined)
  return race

  async function firstWord(): Promise<void> {
    for (;;) {
      const next = await events.next()
      if (next.done === true) {
        if (held.some(({ type }) => type === 'phase') || signal.aborted) return
        throw new Error('The reply was empty.')
      }
      const event = next.value
      held.push(event)
      if (!PRELIMINARY.includes(event.type) && !(event.type === 'say' && event.text.trim() === '')) return
    }
  }
}

async function* rest({ held, events }: Racer, signal: AbortSignal): AsyncGenerator<MindEvent> {
  try {
    for (const event of held) {
      if (signal.aborted) return
      yield event
    }
    for (let next = await events.next(); next.done !== true; next = await events.next()) yield next.value
  } finally {
    // A reply that is left early lets go of its connection.
    await events.return?.()
  }
}

function waiting(clock: Clock, ms: number, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<null>()
  const cancel = clock.after(ms, () => resolve(null))
  signal.addEventListener('abort', () => resolve(null), { once: true })
  return { over: promise, cancel }
}

async function* none(): AsyncGenerator<never> {}
