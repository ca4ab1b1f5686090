import { lazy, type LazyExoticComponent } from 'react'
import { connection, doubtConnection, onConnectionBack } from './server/connection.ts'

// Components loaded on first use, or earlier when the page is idle so that they work offline. Loading waits for the
// network.

type Component = Awaited<ReturnType<Parameters<typeof lazy>[0]>>['default']

const TRIES_MAX = 5
const TRY_AGAIN_MS = 1000
/** After the start of the page and its first queries, in ms. */
const QUIET_MS = 8000
const ahead = new Set<() => Promise<unknown>>()

/** React's `lazy`, with retries and prefetching. */
export function lazyComponent<T extends Component>(
  load: () => Promise<{ readonly default: T }>,
): LazyExoticComponent<T> {
  return lazy(lazyModule(load))
}

/** The same for a library: call the returned function when it is needed. */
export function lazyModule<T>(load: () => Promise<T>): () => Promise<T> {
  ahead.add(load)
  return () => loadWithRetries(load)
}

/** Retries while offline; fails only if the server responds and the code still cannot be loaded. */
async function loadWithRetries<T>(load: () => Promise<T>, triesLeft = TRIES_MAX): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (triesLeft === 1) throw error
    doubtConnection()
    await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS))
    if (connection() !== 'online') await reconnected()
    return loadWithRetries(load, triesLeft - 1)
  }
}

function reconnected(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const leave = onConnectionBack(() => {
    leave()
    resolve()
  })
  return promise
}

/** Prefetches lazy code when the page is idle, unless the user saves data. Returns a function that stops it. */
export function fetchAhead(more: readonly (() => Promise<unknown>)[]): () => void {
  const { connection: network } = navigator as { readonly connection?: { readonly saveData?: boolean } }
  if (network?.saveData) return () => undefined
  let isLeft = false
  const timer = setTimeout(() => {
    void (async () => {
      for (const load of [...ahead, ...more]) {
        if (isLeft || connection() !== 'online') return
        // Code that fails to load now is loaded on first use.
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
