import { expect, test } from 'vitest'
import { inTurns } from './in-turns.ts'

test('a group whose work never ends takes its share of the places, and the others are done', async () => {
  const stuck = Promise.withResolvers<void>()
  const done: string[] = []
  let most = 0
  let underWay = 0
  const items = [...Array.from({ length: 50 }, (_, at) => `dead ${at}`), 'one 1', 'one 2', 'two 1', 'two 2', 'two 3']
  const working = inTurns({
    items,
    groupOf: (item) => item.split(' ', 1)[0] ?? '',
    atOnce: 6,
    work: async (item) => {
      most = Math.max(most, ++underWay)
      await (item.startsWith('dead') ? stuck.promise : undefined)
      underWay--
      done.push(item)
    },
  })
  await expect.poll(() => done.toSorted()).toEqual(['one 1', 'one 2', 'two 1', 'two 2', 'two 3'])
  expect(done.filter((item) => item.startsWith('two'))).toEqual(['two 1', 'two 2', 'two 3'])
  stuck.resolve()
  await working
  expect(done).toHaveLength(items.length)
  expect(most).toBe(6)
})
