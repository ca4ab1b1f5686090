import { expect, it } from 'vitest'
import { namesDearNumber, numbersNamedIn } from './dear-numbers.ts'

it.each([
  'Our number is 0900 123 456.',
  'For that please dial 1-900-555-0123, three dollars a minute.',
  'Call plus one nine hundred five five five zero one two three.',
  'It is nine zero zero, five five five, oh one two three.',
  'Nine hundred, triple five, oh one two three.',
  'Unsere Nummer ist null neun null null, eins zwei drei vier fünf sechs.',
  'Llame al nueve cero cinco, uno dos tres, cuatro cinco seis.',
  '+49 900 1 123456',
  '(900) 555 0123',
])('finds a premium number in "%s"', (text) => expect(namesDearNumber(text)).toBe(true))

it.each([
  'You can reach them on 212 555 0177.',
  'The reference is 4815.',
  'We close at nine, table for two.',
  '+1 202 555 0110',
])('finds no premium number in "%s"', (text) => expect(namesDearNumber(text)).toBe(false))

it('numbersNamedIn finds numbers in digits and words', () =>
  expect(numbersNamedIn('On 212 555 0177, or two one two 555 0178')).toEqual(['2125550177', '2125550178']))
