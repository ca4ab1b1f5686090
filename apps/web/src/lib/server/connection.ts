import { systemRoutes } from '@parley/contract/page'
import { create } from 'zustand'
import { apiUrl } from '../platform/index.ts'

/** offline: this device has no network. away: it has one, but the server does not answer. */
export type Connection = 'online' | 'offline' | 'away'

const FIRST_DELAY_MS = 1000
const MAX_DELAY_MS = 10_000
const ANSWER_TIMEOUT_MS = 5000
/** What a gateway says for a server that is not there. */
const GATEWAY_STATUSES = new Set([502, 504])

const useConnectionState = create<Connection>()(() => 'online')
let asking = false
let hurry: () => void = () => undefined

export function connection(): Connection {
  return useConnectionState.getState()
}

export function useConnection(): Connection {
  return useConnectionState()
}

/** Calls whenever the connection is there again: what was read before may be old. */
export function onConnectionBack(listener: () => void): () => void {
  return useConnectionState.subscribe((now) => now === 'online' && listener())
}

/** A request found nobody: asks the server itself, and again until it answers. */
export function doubtConnection(): void {
  if (!asking && connection() !== 'offline') void askUntilAnswered()
}

/** Listens to what the browser knows of its network. Once, when the page starts. */
export function watchNetwork(): void {
  addEventListener('offline', () => useConnectionState.setState('offline'))
  addEventListener('online', () => {
    if (asking) hurry()
    else if (connection() === 'offline') void askUntilAnswered()
  })
  if (!navigator.onLine) useConnectionState.setState('offline')
}

async function askUntilAnswered(): Promise<void> {
  asking = true
  for (let attempt = 0; !(await answers()); attempt++) {
    useConnectionState.setState(navigator.onLine ? 'away' : 'offline')
    await pause(Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS))
  }
  asking = false
  useConnectionState.setState('online')
}

/** Ends before its time when the browser says that the network is back. */
async function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, ms)
  hurry = () => resolve(undefined)
  await promise
  clearTimeout(timer)
}

/** Health may be bad and the server yet there: any answer of its own will do. */
async function answers(): Promise<boolean> {
  try {
    const { status } = await fetch(apiUrl(systemRoutes.health.path), {
      cache: 'no-store',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    })
    return !GATEWAY_STATUSES.has(status)
  } catch {
    return false
  }
}
