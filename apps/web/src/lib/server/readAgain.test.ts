import { QueryClient, QueryObserver, type QueryKey } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readAgain } from './readAgain.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A mounted query whose reads take readMs. Returns when reads started and which finished. */
function shown(client: QueryClient, queryKey: QueryKey, readMs: number) {
  const beganAt = Date.now()
  const began: number[] = []
  const ended: number[] = []
  const queryFn = async ({ signal }: { signal: AbortSignal }) => {
    const at = Date.now() - beganAt
    began.push(at)
    await new Promise((resolve) => setTimeout(resolve, readMs))
    signal.throwIfAborted()
    ended.push(at)
    return at
  }
  new QueryObserver(client, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => undefined)
  return { began, ended }
}

it('refetches at once, and once more for all messages within 1 s', async () => {
  const client = new QueryClient()
  const { began } = shown(client, ['calls', 'page'], 50)
  await vi.advanceTimersByTimeAsync(100)
  for (let message = 0; message < 10; message++) {
    readAgain(client, ['calls'])
    await vi.advanceTimersByTimeAsync(20)
  }
  expect(began).toEqual([0, 100])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(began).toEqual([0, 100, 1100])
  readAgain(client, ['calls'])
  expect(began).toHaveLength(4)
})

it('lets every fetch finish, however fast messages arrive', async () => {
  const client = new QueryClient()
  const { began, ended } = shown(client, ['calls', 'page'], 1500)
  await vi.advanceTimersByTimeAsync(2000)
  for (let message = 0; message < 100; message++) {
    readAgain(client, ['calls'])
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(began.length).toBeGreaterThan(5)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(ended).toEqual(began)
  // The last read started after the last message.
  expect(ended.at(-1)).toBeGreaterThanOrEqual(11_900)
})

it('refetches after a fetch that was running when the message arrived', async () => {
  const client = new QueryClient()
  const { began, ended } = shown(client, ['calls', 'page'], 2500)
  await vi.advanceTimersByTimeAsync(100)
  readAgain(client, ['calls'])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(began).toHaveLength(2)
  expect(ended).toEqual(began)
  expect(began[1]).toBeGreaterThanOrEqual(2500)
})

it('throttles each query family separately', async () => {
  const client = new QueryClient()
  const calls = shown(client, ['calls', 'page'], 10)
  const stats = shown(client, ['stats'], 10)
  await vi.advanceTimersByTimeAsync(100)
  readAgain(client, ['calls'])
  await vi.advanceTimersByTimeAsync(100)
  readAgain(client, ['calls'], ['stats'])
  await vi.advanceTimersByTimeAsync(5000)
  expect([calls.began, stats.began]).toEqual([
    [0, 100, 1100],
    [0, 200],
  ])
})
