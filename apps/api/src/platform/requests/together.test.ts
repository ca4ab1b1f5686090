import { expect, test } from 'vitest'
import { createTogether } from './together.ts'

/** Groups as they ran; each waits until the test ends it. */
function recorder({ size = 16, atOnce = 1 } = {}) {
  const groups: { readonly items: readonly string[]; end(refused?: string): void }[] = []
  const take = createTogether<string, string>({
    size,
    atOnce,
    keyOf: (item) => item.slice(0, 1),
    run: (items) =>
      new Promise((resolve) => {
        const end = (refused?: string) =>
          resolve(
            items.map((item) =>
              item === refused
                ? { status: 'rejected', reason: new Error(`not ${item}`) }
                : { status: 'fulfilled', value: `${item} done` },
            ),
          )
        groups.push({ items, end })
      }),
  })
  return { groups, take, ran: () => groups.map(({ items }) => items.join(' ')) }
}

test('an item runs at once and alone while fewer groups run than may', () => {
  const { take, ran } = recorder({ atOnce: 2 })
  void take('a')
  void take('b')
  void take('c')
  expect(ran()).toEqual(['a', 'b'])
})

test('what came while a group ran is the next group, of a bounded size', async () => {
  const { groups, take, ran } = recorder({ size: 3 })
  const answers = Promise.all(['a', 'b', 'c', 'd', 'e'].map((item) => take(item)))
  groups[0]?.end()
  await expect.poll(ran).toEqual(['a', 'b c d'])
  groups[1]?.end()
  await expect.poll(ran).toEqual(['a', 'b c d', 'e'])
  groups[2]?.end()
  expect(await answers).toEqual(['a done', 'b done', 'c done', 'd done', 'e done'])
})

test('what waits is shared among the groups that may run', async () => {
  const { groups, take, ran } = recorder({ atOnce: 2 })
  for (const item of ['a', 'b', 'c', 'd', 'e', 'f']) void take(item)
  groups[0]?.end()
  await expect.poll(ran).toEqual(['a', 'b', 'c d'])
  groups[1]?.end()
  await expect.poll(ran).toEqual(['a', 'b', 'c d', 'e'])
  groups[2]?.end()
  await expect.poll(ran).toEqual(['a', 'b', 'c d', 'e', 'f'])
})

test('items with one key are in different groups, in their order', async () => {
  const { groups, take, ran } = recorder()
  for (const item of ['a', 'b1', 'b2', 'c']) void take(item)
  groups[0]?.end()
  await expect.poll(ran).toEqual(['a', 'b1 c'])
  groups[1]?.end()
  await expect.poll(ran).toEqual(['a', 'b1 c', 'b2'])
})

test('an item that is refused leaves the others of its group their answers', async () => {
  const { groups, take, ran } = recorder()
  const [first, second, third] = [take('a'), take('b'), take('c')]
  const answers = Promise.allSettled([first, second, third])
  groups[0]?.end()
  await expect.poll(ran).toEqual(['a', 'b c'])
  groups[1]?.end('b')
  expect(await answers).toEqual([
    { status: 'fulfilled', value: 'a done' },
    { status: 'rejected', reason: expect.objectContaining({ message: expect.stringContaining('not b') }) },
    { status: 'fulfilled', value: 'c done' },
  ])
})
