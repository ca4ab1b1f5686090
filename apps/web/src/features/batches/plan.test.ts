import { expect, test } from 'vitest'
import { consentOf, doneOf, fieldsOf, planOf } from './plan.ts'

const fields = fieldsOf(undefined, undefined)

test('the form begins with the usual order and makes a plan of what is typed', () => {
  expect(planOf({ ...fields, purpose: ' Remind {{name}} ', objectives: ['Confirm'], nextObjective: ' Ask why ' })).toMatchObject({
    purpose: 'Remind {{name}}',
    objectives: ['Confirm', 'Ask why'],
    tone: 'professional',
    maxDurationMinutes: 10,
    callsPerMinute: 60,
    liveCalls: null,
    retries: { attempts: 1, busy: 15 },
  })
})

test('numbers that are none are not sent', () => {
  const plan = planOf({ ...fields, minutes: '31', attempts: 'x', callsPerMinute: '0', liveCalls: '4' })
  expect(plan).not.toHaveProperty('maxDurationMinutes')
  expect(plan).not.toHaveProperty('retries')
  expect(plan).not.toHaveProperty('callsPerMinute')
  expect(plan.liveCalls).toBe(4)
})

test('what a draft had comes back into the form', () => {
  const consent = { marketing: true, permission: 'written', details: 'Form of May' } as const
  expect(consentOf(fieldsOf(undefined, consent))).toEqual(consent)
})

test('who is neither waiting nor being called is done; who was left out never counted', () => {
  expect(doneOf({ dropped: 5, waiting: 2, calling: 1, completed: 3, failed: 1, cancelled: 1 })).toBe(5)
})
