import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { fetchMore } from './fetchMore.ts'

/** A list of pages of two, each page answered when the test says so. */
function listOf(pages: number) {
  const client = new QueryClient()
  const waiting: (() => void)[] = []
  const observer = new InfiniteQueryObserver(client, {
    queryKey: ['list'],
    queryFn: async ({ pageParam }) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      return { items: [`${pageParam}a`, `${pageParam}b`], next: pageParam < pages ? pageParam + 1 : null }
    },
    initialPageParam: 1,
    getNextPageParam: ({ next }) => next,
    select: ({ pages: loaded }) => ({ items: loaded.flatMap(({ items }) => items) }),
  })
  observer.subscribe(() => undefined)
  const answer = async () => {
    while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 0))
    waiting.shift()?.()
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  return { client, observer, answer, items: () => observer.getCurrentResult().data?.items }
}

it('loads the next page although a refetch of the list cancels the first attempt', async () => {
  const { client, observer, answer, items } = listOf(3)
  await answer()
  const more = fetchMore(observer.getCurrentResult())
  void client.invalidateQueries()
  await answer()
  await answer()
  await answer()
  await more
  expect(items()).toEqual(['1a', '1b', '2a', '2b'])
})

it('loads one page a press, and none beyond the last', async () => {
  const { observer, answer, items } = listOf(2)
  await answer()
  const more = fetchMore(observer.getCurrentResult())
  await answer()
  await more
  expect(items()).toEqual(['1a', '1b', '2a', '2b'])
  await fetchMore(observer.getCurrentResult())
  expect(items()).toHaveLength(4)
})
