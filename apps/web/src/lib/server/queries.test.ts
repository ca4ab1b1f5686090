import { accountsRoutes, callsRoutes } from '@parley/contract/page'
import { QueryObserver } from '@tanstack/react-query'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { HttpError, request } from './http.ts'
import { BEGUN_ONCE, createQueryClient, forgetBegun, readGrowing } from './queries.ts'
import { platform, setPlatform } from '../platform/index.ts'
import { sessionQuery } from './session.ts'

const WITHIN_MS = 15_000

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  setPlatform()
})

// screens.md: read-fresh-two-minutes
it('queries are fresh for 2 minutes, kept for 5 and never polled', () => {
  const { queries, mutations } = createQueryClient(() => undefined).getDefaultOptions()
  expect(queries).toMatchObject({ staleTime: 120_000, gcTime: 300_000, refetchOnWindowFocus: false })
  expect(queries).not.toHaveProperty('refetchInterval')
  expect(mutations).toMatchObject({ retry: false })
  expect(sessionQuery).toMatchObject({ staleTime: 300_000, refetchOnWindowFocus: 'always', retry: false })
})

// screens.md: session-asked-every-mount
it('the session is fetched on every mount, but not twice at the start', async () => {
  const client = createQueryClient(() => undefined)
  const fetched = vi.fn<() => Promise<null>>(async () => null)
  const mount = (ageMs: number) => {
    client.setQueryData(sessionQuery.queryKey, null, { updatedAt: Date.now() - ageMs })
    new QueryObserver(client, { ...sessionQuery, queryFn: fetched }).subscribe(() => undefined)()
  }
  mount(0)
  expect(fetched).not.toHaveBeenCalled()
  mount(60_000)
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(1), WITHIN_MS)
})

// screens.md: read-tried-three-times
it('a read is retried after 1 s and 2 s, and not after a 401', async () => {
  vi.useFakeTimers()
  const onSessionLost = vi.fn<() => void>()
  const client = createQueryClient(onSessionLost)
  const fetched: number[] = []
  const beganAt = Date.now()
  const read = (message: string) => {
    const queryFn = () => {
      fetched.push(Date.now() - beganAt)
      return Promise.reject(new Error(message))
    }
    return client.fetchQuery({
      queryKey: [message],
      queryFn,
      retry: client.getDefaultOptions().queries?.retry ?? false,
    })
  }
  const failing = read('503: not now').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await failing).toMatchObject({ message: '503: not now' })
  expect(fetched).toEqual([0, 1000, 3000])
  fetched.length = 0
  await expect(read('401: no session')).rejects.toThrow('401')
  expect(fetched).toHaveLength(1)
})

it('a mutation refused with 401 reports the lost session; other refusals do not', async () => {
  const onSessionLost = vi.fn<() => void>()
  const client = createQueryClient(onSessionLost)
  const change = async (status: number) =>
    client
      .getMutationCache()
      .build(client, { mutationFn: () => Promise.reject(new HttpError(status, '', '{}')) })
      .execute(undefined)
      .catch(() => undefined)
  await change(409)
  expect(onSessionLost).not.toHaveBeenCalled()
  await change(401)
  expect(onSessionLost).toHaveBeenCalledTimes(1)
})

// screens.md: read-gives-up-after
it('a read times out after 15 s; a mutation has no timeout', async () => {
  const server = createServer(({ method }, response) => {
    // Reads are never answered.
    if (method === 'POST') response.writeHead(201, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  setPlatform({ ...platform(), apiBase: `http://127.0.0.1:${port}` })
  const timeOut = AbortSignal.timeout.bind(AbortSignal)
  const bounds: number[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    bounds.push(ms)
    return timeOut(20)
  })
  await request(callsRoutes.place, { body: { callee: '+12025550100', purpose: 'Ask' } })
  expect(bounds).toEqual([])
  await expect(request(accountsRoutes.currentUser, {})).rejects.toThrow(/timeout/)
  expect(bounds[0]).toBe(15_000)
  server.closeAllConnections()
  server.close()
})

it('a query of BEGUN_ONCE ignores invalidation and runs again only on refetch', async () => {
  const client = createQueryClient(() => undefined)
  let times = 0
  const begin = async () => `secret ${++times}`
  const observer = new QueryObserver(client, { queryKey: ['begun'], queryFn: begin, ...BEGUN_ONCE })
  observer.subscribe(() => undefined)
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('secret 1'), WITHIN_MS)
  await client.invalidateQueries()
  expect(observer.getCurrentResult().data).toBe('secret 1')
  await observer.refetch()
  expect(observer.getCurrentResult().data).toBe('secret 2')
  forgetBegun(client, ['begun'])
  expect(observer.getCurrentResult().data).toBeUndefined()
  await observer.refetch()
  expect(observer.getCurrentResult().data).toBe('secret 3')
})

it('an infinite list requests the next page by the cursor of the last, until there is none', () => {
  const { getNextPageParam, select } = readGrowing(accountsRoutes.currentUser, {})
  const pages = [
    { items: ['a', 'b'], total: 3, nextCursor: 'after b' },
    { items: ['c'], total: 3, nextCursor: null },
  ]
  const list = { pages, pageParams: [undefined, 'after b'] }
  const next = (at: number) =>
    Reflect.apply(getNextPageParam, undefined, [pages[at], pages, undefined, list.pageParams]) as unknown
  expect([next(0), next(1)]).toEqual(['after b', null])
  expect(Reflect.apply(select ?? Object, undefined, [list])).toEqual({ items: ['a', 'b', 'c'], total: 3 })
})
