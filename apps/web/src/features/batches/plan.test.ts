import { BatchPlan } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { AS_WRITTEN } from '../../lib/mandate/mandateFields.ts'
import { changeOf, consentOf, doneOf, fieldsOf, limitProblem, planOf, unsavedOf, wrongNumbers } from './plan.ts'

const fields = fieldsOf(undefined, undefined)

test('the form starts with the defaults and makes a plan of the typed values', () => {
  expect(
    planOf({ ...fields, purpose: ' Remind {{name}} ', objectives: ['Confirm'], nextObjective: ' Ask why ' }),
  ).toMatchObject({
    purpose: 'Remind {{name}}',
    objectives: ['Confirm', 'Ask why'],
    tone: 'professional',
    maxDurationMinutes: 10,
    callsPerMinute: 60,
    liveCalls: null,
    retries: { attempts: 1, busy: 15 },
  })
})

test('numbers out of range are reported with their maximum and left out of the plan', () => {
  const wrong = { ...fields, minutes: '31', attempts: 'x', callsPerMinute: '0', liveCalls: '-4' }
  expect(wrongNumbers(wrong).map(({ name, most }) => [name, most])).toEqual([
    ['minutes', 30],
    ['attempts', 5],
    ['callsPerMinute', 600],
    ['liveCalls', 50],
  ])
  expect(Object.keys(planOf({ ...fields, purpose: 'Ask', liveCalls: '51' }))).toEqual([
    'purpose',
    'objectives',
    'mandates',
    'tone',
    'language',
  ])
  for (const text of ['', ' ', '1.5', '1e1', '+1', '٣'])
    expect(wrongNumbers({ ...fields, minutes: text })).toHaveLength(1)
  expect(wrongNumbers({ ...fields, liveCalls: ' ' })).toEqual([])
  expect(planOf({ ...fields, liveCalls: '4' }).liveCalls).toBe(4)
})

test('an empty retry delay means no retry; an invalid one is reported only when shown', () => {
  const { retries } = planOf({
    ...fields,
    attempts: '3',
    waits: { busy: '5', no_answer: '', voicemail: '10080', failed: '1' },
  })
  expect(retries).toEqual({ attempts: 3, busy: 5, no_answer: null, voicemail: 10_080, failed: 1 })
  const plan = BatchPlan.parse({ ...planOf(fields), retries })
  expect(planOf(fieldsOf(plan, undefined)).retries).toEqual(retries)
  const wrong = { ...fields, waits: { busy: '5', no_answer: '', voicemail: '0', failed: 'soon' } }
  expect(wrongNumbers({ ...wrong, attempts: '2' }).map(({ name }) => name)).toEqual(['waits.voicemail', 'waits.failed'])
  expect(planOf({ ...wrong, attempts: '2' })).not.toHaveProperty('retries')
  expect(planOf({ ...wrong, attempts: '1' }).retries).toEqual({
    attempts: 1,
    busy: 5,
    no_answer: null,
    voicemail: 240,
    failed: 10,
  })
})

test('the consent of a draft returns to the form', () => {
  const consent = { marketing: true, permission: 'written', details: 'Form of May' } as const
  expect(consentOf(fieldsOf(undefined, consent))).toEqual(consent)
})

test('an unanswered permission is neither saved nor sent', () => {
  const unanswered = fieldsOf(undefined, undefined)
  expect(unanswered.permission).toBe('')
  expect(consentOf(unanswered)).toBe(undefined)
  const plan = BatchPlan.parse(planOf(unanswered))
  expect(changeOf({ ...unanswered, details: 'Somehow', tone: 'formal' }, { plan, consent: null })).toEqual({
    plan: { tone: 'formal' },
  })
})

test('done counts every contact but the waiting, calling and dropped ones', () => {
  expect(doneOf({ dropped: 5, waiting: 2, calling: 1, completed: 3, failed: 1, cancelled: 1 })).toBe(5)
})

describe('typed values', () => {
  const plan = BatchPlan.parse(planOf({ ...fields, purpose: 'Ask about lunch' }))
  const saved = fieldsOf(plan, undefined)
  const draft = { plan, consent: null }

  test('keep only those that differ from the draft, including fields that drafts lack', () => {
    expect(unsavedOf(saved, draft)).toEqual({})
    const typed = { purpose: 'Ask about dinner', minutes: '31', when: 'later', dropIncomplete: true } as const
    expect(unsavedOf({ ...saved, ...typed }, draft)).toEqual(typed)
  })

  test('are saved only where changed; consent is saved when it differs', () => {
    expect(changeOf(saved, draft)).toBe(undefined)
    expect(changeOf({ ...saved, tone: 'formal' }, draft)).toEqual({ plan: { tone: 'formal' } })
    const spoken = { marketing: false, permission: 'spoken', details: 'At the desk' } as const
    expect(changeOf({ ...saved, ...spoken }, draft)).toEqual({ plan: {}, consent: spoken })
    const evidence = { ...spoken, givenBy: 'Ada', givenAt: '2026-01-01T00:00:00.000Z' }
    expect(changeOf({ ...saved, ...spoken }, { plan, consent: evidence })).toBe(undefined)
    expect(changeOf({ ...saved, permission: 'none' }, { plan, consent: evidence })).toEqual({
      plan: {},
      consent: { marketing: false, permission: 'none', details: '' },
    })
  })

  test('marketing without a permission is not saved', () => {
    expect(changeOf({ ...saved, marketing: true }, draft)).toBe(undefined)
    expect(changeOf({ ...saved, marketing: true, permission: 'written' }, draft)).toBe(undefined)
    const written = { marketing: true, permission: 'written', details: 'Form of May' } as const
    expect(changeOf({ ...saved, ...written }, draft)).toEqual({ plan: {}, consent: written })
  })
})

test('limits that cannot be used are left out of the plan and reported; a draft without any is not changed', () => {
  const objectives = ['Table at 7 pm', 'Vegetarian menu']
  const limits = { ...AS_WRITTEN, rule: 'within_limits' as const }
  const typed = {
    ...fields,
    purpose: 'Book',
    objectives,
    mandates: { 'Table at 7 pm': { ...limits, timeTo: '20:00' } },
  }
  expect(planOf(typed).mandates).toEqual([{ rule: 'within_limits', limits: { timeTo: '20:00' } }, null])
  expect(limitProblem(typed)).toBeUndefined()
  const wrong = { ...typed, mandates: { 'Vegetarian menu': limits } }
  expect(planOf(wrong)).not.toHaveProperty('mandates')
  expect(limitProblem(wrong)).toContain('Vegetarian menu')
  const plan = BatchPlan.parse({ ...planOf({ ...fields, purpose: 'Book', objectives }), mandates: [null, null] })
  expect(changeOf(fieldsOf(plan, null), { plan, consent: null })).toBeUndefined()
})
