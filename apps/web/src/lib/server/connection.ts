import { systemRoutes } from '@parley/contract/page'
import { useSyncExternalStore } from 'react'
import { apiUrl } from '../native/native.ts'

/** offline: this device has no network. away: it has one, but the server does not answer. */
export type Connection = 'online' | 'offline' | 'away'

const FIRST_DELAY_MS = 1000
const MAX_DELAY_MS = 10_000
const ANSWER_TIMEOUT_MS = 5000
/** What a gateway says for a server that is not there. */
const GATEWAY_STATUSES = new Set([502, 504])

let now: Connection = 'online'
let asking = false
let hurry: () => void = () => undefined
const watchers = new Set<() => void>()
const returns = new Set<() => void>()

export function connection(): Connection {
  return now
}

export function useConnection(): Connection {
  return useSyncExternalStore(watchConnection, connection, connection)
}

function watchConnection(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

/** Calls whenever the connection is there again: what was read before may be old. */
export function onConnectionBack(listener: () => void): () => void {
  returns.add(listener)
  return () => void returns.delete(listener)
}

/** A request found nobody: asks the server itself, and again until it answers. */
export function doubtConnection(): void {
  if (!asking && now !== 'offline') void askUntilAnswered()
}

/** Listens to what the browser knows of its network. Once, when the page starts. */
export function watchNetwork(): void {
  addEventListener('offline', () => change('offline'))
  addEventListener('online', () => {
    if (asking) hurry()
    else if (now === 'offline') void askUntilAnswered()
  })
  if (!navigator.onLine) change('offline')
}

async function askUntilAnswered(): Promise<void> {
  asking = true
  for (let attempt = 0; !(await answers()); attempt++) {
    change(navigator.onLine ? 'away' : 'offline')
    await pause(Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS))
  }
  asking = false
  change('online')
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

function change(next: Connection): void {
  if (next === now) return
  now = next
  for (const watcher of watchers) watcher()
  if (next === 'online') for (const listener of returns) listener()
}
