import { BatchPlan } from '@parley/contract'
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

test('an outcome without a wait is final; a wait that is none stays as it usually is', () => {
  const { retries } = planOf({ ...fields, attempts: '3', waits: { busy: '5', no_answer: '', voicemail: '0', failed: 'soon' } })
  expect(retries).toEqual({ attempts: 3, busy: 5, no_answer: null, voicemail: 240, failed: 10 })
  const plan = BatchPlan.parse({ ...planOf(fields), retries })
  expect(planOf(fieldsOf(plan, undefined)).retries).toEqual(retries)
})

test('what a draft had comes back into the form', () => {
  const consent = { marketing: true, permission: 'written', details: 'Form of May' } as const
  expect(consentOf(fieldsOf(undefined, consent))).toEqual(consent)
})

test('who is neither waiting nor being called is done; who was left out never counted', () => {
  expect(doneOf({ dropped: 5, waiting: 2, calling: 1, completed: 3, failed: 1, cancelled: 1 })).toBe(5)
})
