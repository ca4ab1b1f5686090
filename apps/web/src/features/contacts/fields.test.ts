import { expect, test } from 'vitest'
import { tagsIn } from './fields.ts'

test('tags are split at commas, trimmed, without duplicates', () => {
  expect(tagsIn(' vip, Friend,,VIP , friend of a friend')).toEqual(['vip', 'Friend', 'friend of a friend'])
  expect(tagsIn(' ')).toEqual([])
})
