import { expect, it } from 'vitest'
import { changedOf } from './form.ts'

it('returns only the changed values', () => {
  const values = { recordCalls: true, retentionDays: 30, webhookUrl: '' }
  expect(changedOf(values, { retentionDays: true, webhookUrl: true })).toEqual({ retentionDays: 30, webhookUrl: '' })
  expect(changedOf(values, { recordCalls: false })).toEqual({})
})
