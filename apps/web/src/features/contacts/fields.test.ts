import { expect, test } from 'vitest'
import { tagsIn } from './fields.ts'

test('tags are what stands between commas, each once', () => {
  expect(tagsIn(' vip, Friend,,VIP , friend of a friend')).toEqual(['vip', 'Friend', 'friend of a friend'])
  expect(tagsIn(' ')).toEqual([])
})
