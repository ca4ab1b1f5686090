import { lazy, type LazyExoticComponent } from 'react'
import { connection, doubtConnection, onConnectionBack } from './connection.ts'

// Parts of the page whose code comes later: when they are first shown, or in a quiet moment before that, so that they
// are there when the network is not. Whoever asks for one without a network gets it when the network is back.

type Component = Awaited<ReturnType<Parameters<typeof lazy>[0]>>['default']

const TRIES_MAX = 5
const TRY_AGAIN_MS = 1000
/** After the page has begun, and with what it reads first. */
const QUIET_MS = 8000
const ahead = new Set<() => Promise<unknown>>()

/** As React's `lazy`, for code that is wanted with or without a network. */
export function part<T extends Component>(load: () => Promise<{ readonly default: T }>): LazyExoticComponent<T> {
  return lazy(later(load))
}

/** The same for a library: call what is returned when it is needed. */
export function later<T>(load: () => Promise<T>): () => Promise<T> {
  ahead.add(load)
  return () => insist(load)
}

/** A part that does not come although the server answers is an error of the page. */
async function insist<T>(load: () => Promise<T>, triesLeft = TRIES_MAX): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (triesLeft === 1) throw error
    doubtConnection()
    await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS))
    if (connection() !== 'online') await back()
    return insist(load, triesLeft - 1)
  }
}

function back(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const leave = onConnectionBack(() => {
    leave()
    resolve()
  })
  return promise
}

/**
 * Fetches what may be wanted next, once nothing else is to be done; not for whoever saves data. Returns how to leave
 * it.
 */
export function fetchAhead(more: readonly (() => Promise<unknown>)[]): () => void {
  const { connection: network } = navigator as { readonly connection?: { readonly saveData?: boolean } }
  if (network?.saveData) return () => undefined
  let isLeft = false
  const timer = setTimeout(() => {
    void (async () => {
      for (const load of [...ahead, ...more]) {
        if (isLeft || connection() !== 'online') return
        // One that does not come now is asked for when it is wanted.
        const came = await load().then(
          () => true,
          () => false,
        )
        if (came) ahead.delete(load)
      }
    })()
  }, QUIET_MS)
  return () => {
    isLeft = true
    clearTimeout(timer)
  }
}
