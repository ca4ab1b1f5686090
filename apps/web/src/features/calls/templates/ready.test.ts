import { CAPABILITIES } from '@parley/contract'
import { expect, it } from 'vitest'
import { blanksIn, firstBlank } from '../../../lib/blanks.ts'
import { readyOrders } from './ready.ts'

it('there is a built-in template for each capability of the landing page', () => {
  const orders = readyOrders()
  expect(orders).toHaveLength(CAPABILITIES.length)
  expect(new Set(orders.map(({ name }) => name)).size).toBe(CAPABILITIES.length)
  for (const { purpose, objectives } of orders) {
    expect(objectives.length).toBeGreaterThan(1)
    expect(blanksIn([purpose])).not.toEqual([])
  }
})

it('placeholders are found once each, in text order', () => {
  expect(blanksIn(['On [day and time]', 'for [name], on [day and time], in [Paris]'])).toEqual([
    '[day and time]',
    '[name]',
  ])
  expect(firstBlank('On [day], for [name]')).toEqual([3, 8])
  expect(firstBlank('On Friday')).toBeUndefined()
})
