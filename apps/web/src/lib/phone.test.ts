import { expect, it } from 'vitest'
import { phoneText } from './phone.ts'

it.each([
  ['+12025550100', '+1 202 555 0100', 'United States'],
  ['+442079460018', '+44 20 7946 0018', 'United Kingdom'],
  ['+18765550100', '+1 876 555 0100', 'Jamaica'],
])('writes %s as its country does', (phone, number, country) => expect(phoneText(phone)).toEqual({ number, country }))

it('leaves alone what is no number', () => expect(phoneText('ask Ana')).toEqual({ number: 'ask Ana', country: undefined }))
