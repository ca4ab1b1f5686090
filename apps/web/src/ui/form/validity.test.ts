import { afterEach, expect, it } from 'vitest'
import { speak } from '../../lib/language.ts'
import { validationMessageOf } from './validity.ts'

afterEach(() => speak('en'))

const control = { type: 'text', min: '', max: '', validationMessage: 'Please fill out this field.' }

it.each([
  ['an empty field', { ...control, validity: { valueMissing: true } }, 'Please fill in all required fields.'],
  [
    'an invalid email address',
    { ...control, type: 'email', validity: { typeMismatch: true } },
    'Please enter a valid email address',
  ],
  [
    'a number too high',
    { ...control, type: 'number', min: '1', max: '30', validity: { rangeOverflow: true } },
    'Enter a number from 1 to 30.',
  ],
  ['a valid field', { ...control, validity: { valid: true } }, undefined],
])('%s shows the message of the catalogue or none', (_, given, said) => {
  expect(validationMessageOf(given)).toBe(said)
})

it('shows the message in the page’s language, not the browser’s', async () => {
  await speak('es')
  expect(validationMessageOf({ ...control, validity: { valueMissing: true } })).toBe(
    'Rellena todos los campos obligatorios.',
  )
})
