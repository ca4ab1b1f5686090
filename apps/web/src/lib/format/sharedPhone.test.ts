import { expect, test } from 'vitest'
import { sharedPhone } from './sharedPhone.ts'

test.each([
  [['tel:+12025550100'], '+12025550100'],
  [['tel:%2B1-202-555-0100'], '+12025550100'],
  [['Trattoria', 'Call us: +1 (202) 555-0100, or write.', 'https://trattoria.example/3'], '+12025550100'],
  [['2 for 1 on Fridays', '+44 20 7946 0018'], '+442079460018'],
  [['+1 202 555 0199', 'tel:+442079460018'], '+442079460018'],
  [[undefined, '100 % beef'], undefined],
  [[], undefined],
])('in %j the phone number is %s', (texts, phone) => expect(sharedPhone(texts)).toBe(phone))
