import { CAPABILITIES } from '@parley/contract'
import { expect, it } from 'vitest'
import { blanksIn, firstBlank } from '../../../lib/blanks.ts'
import { builtInTemplates } from './ready.ts'

it('there is a built-in template for each capability of the landing page', () => {
  const templates = builtInTemplates()
  expect(templates).toHaveLength(CAPABILITIES.length)
  expect(new Set(templates.map(({ name }) => name)).size).toBe(CAPABILITIES.length)
  for (const { purpose, objectives } of templates) {
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
