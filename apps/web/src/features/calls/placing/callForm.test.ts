import { describe, expect, it } from 'vitest'
import { builtInTemplates } from '../templates/ready.ts'
import { aCall } from '../testing.ts'
import {
  checkManner,
  checkNewCall,
  emptyFields,
  fieldsOf,
  NETWORK_NUMBER,
  newCallOf,
  withObjective,
  type CallFields,
} from './callForm.ts'

const filled: CallFields = { ...emptyFields('friendly'), callee: ' +1 202 555 0100 ', purpose: ' Book a table ' }

describe('call form fields', () => {
  it('start with the specified defaults', () => {
    expect(emptyFields('friendly')).toMatchObject({
      tone: 'friendly',
      maxDurationMinutes: '10',
      language: 'auto',
      objectives: [],
    })
  })

  // screens.md: make-order-trimmed
  it('give a trimmed new call', () => {
    expect(checkNewCall(filled)).toEqual({
      newCall: {
        callee: '+1 202 555 0100',
        purpose: 'Book a table',
        objectives: [],
        tone: 'friendly',
        maxDurationMinutes: 10,
        context: {},
        language: 'auto',
      },
    })
  })

  // screens.md: need-number-purpose
  it.each([
    [{ callee: ' ', purpose: '' }, ['callee', 'purpose']],
    [{ callee: '' }, ['callee']],
    [{ purpose: '  ' }, ['purpose']],
  ])('require a number and a purpose: %j', (change, fields) => {
    expect(checkNewCall({ ...filled, ...change })).toEqual({ problem: 'Please fill in all required fields.', fields })
  })

  // screens.md: refuse-context-json-object
  it.each(['{', 'name: Ana', '[1, 2]', '42', 'null', '"Ana"'])(
    'refuse a context that is not a JSON object: %s',
    (context) => {
      expect(checkNewCall({ ...filled, context })).toEqual({
        problem: 'Invalid JSON in context field. Please check the format.',
        fields: ['context'],
      })
    },
  )

  it.each([
    [{ purpose: 'Pay with 4111 1111 1111 1111' }, 'purpose', 'a payment card number', 'the purpose'],
    [{ nextObjective: 'Say that my PIN is 1234' }, 'objectives', 'a password or PIN', 'the objectives'],
    [
      { context: '{"guest": {"password": "hunter"}}' },
      'context',
      'a password or PIN',
      'the context (guest › password)',
    ],
  ])('refuse a card number and a password: %j', (change, field, what, where) => {
    const problem = `This looks like ${what}. Parley must not be given card numbers or passwords: remove it from ${where}.`
    expect(checkNewCall({ ...filled, ...change })).toEqual({ problem, fields: [field] })
    expect(checkManner({ ...filled, ...change })).toEqual({ problem, fields: [field] })
  })

  it('accept a JSON object as context', () => {
    expect(checkNewCall({ ...filled, context: ' {"party": 4} ' })).toMatchObject({ newCall: { context: { party: 4 } } })
  })

  // screens.md: refuse-duration-minutes
  it.each(['0', '31', '2.5', '', 'ten'])('refuse a duration of %j minutes', (maxDurationMinutes) => {
    expect(checkNewCall({ ...filled, maxDurationMinutes })).toEqual({
      problem: 'Enter a whole number from 1 to 30.',
      fields: ['maxDurationMinutes'],
    })
  })

  it('include an objective that was typed but not added', () => {
    const fields = { ...filled, objectives: ['Table at 7 pm'], nextObjective: ' Vegetarian menu ' }
    expect(checkNewCall(fields)).toMatchObject({ newCall: { objectives: ['Table at 7 pm', 'Vegetarian menu'] } })
  })
})

describe('objectives', () => {
  // screens.md: added-trimmed-without-duplicates
  it('are added trimmed and without duplicates', () => {
    expect(withObjective(['a'], ' b ')).toEqual(['a', 'b'])
    expect(withObjective(['a'], ' a ')).toEqual(['a'])
    expect(withObjective(['a'], '   ')).toEqual(['a'])
  })
})

it('a call gives the same new call again', () => {
  expect(newCallOf(aCall({ context: { party: 4 } }))).toEqual({
    callee: '+12025550100',
    purpose: 'Book a table for four',
    objectives: ['Table at 7 pm', 'Vegetarian menu'],
    tone: 'friendly',
    maxDurationMinutes: 5,
    context: { party: 4 },
    language: 'auto',
  })
})

describe('the number to call from', () => {
  const fields = { callee: '+1 202 555 0100', ...fieldsOf(newCallOf(aCall({}))) }

  it('is left out for the default, null for the phone network, and else the chosen one', () => {
    const fromOf = (from: string) => checkNewCall({ ...fields, from })
    expect(fromOf('')).not.toHaveProperty('newCall.from')
    expect(fromOf(NETWORK_NUMBER)).toHaveProperty('newCall.from', null)
    expect(fromOf('+12024560901')).toHaveProperty('newCall.from', '+12024560901')
  })
})

describe('call content of a template', () => {
  it('is unchanged after a round trip through the form fields', () => {
    const { callee: _, ...manner } = newCallOf(aCall({ context: { party: 4 }, tone: 'empathetic' }))
    expect(checkManner({ callee: '', from: '', ...fieldsOf(manner) })).toEqual({ manner })
    expect(fieldsOf({ ...manner, context: {} }).context).toBe('')
  })

  it('with unfilled placeholders can be saved but not called', () => {
    const table = builtInTemplates().at(-1)!
    const fields = { callee: '+1 202 555 0100', from: '', ...fieldsOf(table) }
    const problem = 'Fill in what is in brackets: [number of people], [day and time], [name]'
    expect(checkNewCall(fields)).toEqual({ problem, fields: ['purpose'] })
    expect(checkNewCall({ ...fields, purpose: 'Reserve a table' })).toEqual({
      problem: 'Fill in what is in brackets: [day and time]',
      fields: ['objectives'],
    })
    expect(checkManner(fields)).toMatchObject({ manner: { purpose: table.purpose } })
    // Other brackets are allowed.
    expect(checkNewCall({ ...fields, purpose: 'Ask for the [VIP] table', objectives: [] })).toHaveProperty('newCall')
  })
})
