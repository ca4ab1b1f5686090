import { expect, it } from 'vitest'
import { anOrder } from '../testing/fakes.ts'
import { keytermsOf } from './keyterms.ts'

it('names of the order come first, then the capitalised words of purpose and objectives, each once', () => {
  const order = anOrder({
    onBehalfOf: 'Ann Smith',
    purpose: 'Book a table at the Market Street House. Ask for Maria, or for Dr. Lee.',
    objectives: ['Friday at seven', 'a word with Maria', 'the number of Jean-Luc O’Hara'],
    context: { companyName: 'Braun & Söhne', partySize: 2, note: 'Window seat' },
  })
  expect(keytermsOf(order)).toEqual([
    'Ann Smith',
    'Braun & Söhne',
    'Market Street House',
    'Maria',
    'Dr. Lee',
    'Jean-Luc O’Hara',
  ])
})

it('key terms are 50 at most, of 60 letters at most', () => {
  const names = Array.from({ length: 80 }, (_, at) => `and Name${at}`).join(' ')
  const order = anOrder({ onBehalfOf: 'x'.repeat(200), purpose: names })
  expect(keytermsOf(order)).toHaveLength(50)
  expect(keytermsOf(order)[0]).toBe('Name0')
})
