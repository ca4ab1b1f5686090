import { describe, expect, test } from 'vitest'
import type { Spoken } from '../memory.ts'
import { extract, sameValue, sayValue, type Expecting } from './extract.ts'
import { withDigits } from './numerals.ts'

const NUMBERS: readonly (readonly [Spoken, string, string])[] = [
  ['en', 'seven thirty', '7 30'],
  ['en', 'twenty five', '25'],
  ['en', 'twenty-five', '25'],
  ['en', 'one hundred and fifty', '150'],
  ['en', 'a hundred and twenty five', 'a 125'],
  ['en', 'two thousand', '2000'],
  ['en', 'the fifteenth', 'the 15th'],
  ['en', 'the twenty first', 'the 21th'],
  ['en', 'five five five oh one', '5 5 5 0 1'],
  ['en', 'seven oh five', '7 0 5'],
  ['en', 'salt and pepper', 'salt and pepper'],
  ['en', 'two and three', '2 and 3'],
  ['es', 'treinta y cinco', '35'],
  ['es', 'veintidós', '22'],
  ['es', 'ciento veinte', '120'],
  ['fr', 'vingt-deux', '22'],
  ['fr', 'soixante-douze', '72'],
  ['fr', 'quatre-vingt', '80'],
  ['de', 'einundzwanzig', '21'],
  ['de', 'fünfunddreißig', '35'],
  ['de', 'hundert', '100'],
]

describe('withDigits', () => {
  test.each(NUMBERS)('%s: %s', (language, text, digits) => {
    expect(withDigits(text, language)).toBe(digits)
  })
})

/** [text, values as they are said, expected kind] */
const FOUND: readonly (readonly [string, readonly string[], Expecting?])[] = [
  // Times
  ['at 7 pm', ['7 pm']],
  ['at 7pm sharp', ['7 pm']],
  ['19:30', ['7:30 pm']],
  ['7.30 p.m.', ['7:30 pm']],
  ['seven thirty', ['7:30']],
  ['half past six', ['6:30']],
  ['half six', ['6:30']],
  ['a quarter to eight', ['7:45']],
  ['quarter past five in the afternoon', ['5:15 pm']],
  ["eight o'clock", ['8']],
  ['ten to nine', ['8:50']],
  ['twenty past three', ['3:20']],
  ['seven in the evening', ['7 pm']],
  ['nine in the morning until eight in the evening', ['9 am', '8 pm']],
  ['from nine to five', ['9', '5']],
  ['noon', ['noon']],
  ['midnight', ['12 am']],
  ['eight is free', ['8'], 'time'],
  ['eight is free', []],
  ['seven oh five', ['7:05']],
  ['at 25 o clock', []],
  ['twelve thirty pm', ['12:30 pm']],
  // Dates
  ['on Friday', ['Friday']],
  ['next Tuesday at ten', ['next Tuesday', '10']],
  ['tomorrow', ['tomorrow']],
  ['the fifteenth of March', ['15 March']],
  ['March 15th', ['15 March']],
  ['on the 3rd', ['the 3rd']],
  ['2026-12-24', ['24 December']],
  ['May 5 at 6 pm', ['5 May', '6 pm']],
  ['you may come at 5', ['5']],
  ['Saturday the twenty first', ['Saturday', 'the 21st']],
  // Money
  ['$150', ['150 dollars']],
  ['150 euros a night', ['150 euros']],
  ['one hundred and twenty dollars', ['120 dollars']],
  ['eighty bucks', ['80 dollars']],
  ['1,250.50 dollars', ['1250.5 dollars']],
  ['the best I can do is 140', ['140'], 'money'],
  ['fifty pounds', ['50 pounds']],
  // Percentages and counts
  ['ten percent', ['10%']],
  ['12.5 %', ['12.5%']],
  ['four people', ['4']],
  ['a table for four', ['4']],
  ['a table for four at seven', ['4', '7']],
  ['three nights', ['3 nights']],
  ['about twenty minutes', ['20 minutes']],
  ['eight out of ten', ['8', '10'], 'count'],
  // Numbers that are read out
  ['five five five, one two three four', ['5551234']],
  ['+1 415 555 0123', ['+14155550123']],
  // Names
  ['My name is Sam Taylor.', ['Sam Taylor']],
  ['This is Maria speaking', ['Maria']],
  ['S-A-M', ['Sam']],
  ["I'm Afraid not", []],
  ['nothing here', []],
  ['a big brown one', [], 'time'],
  ['the one at eight', ['8'], 'time'],
  ['a table at one', ['1'], 'time'],
]

describe('extract in English', () => {
  const rows = FOUND.map(([text, values, expecting]) => ({ text, values, expecting: expecting ?? null }))
  test.each(rows)('$text', ({ text, values, expecting }) => {
    expect(extract(text, 'en', expecting).map((value) => sayValue(value, 'en'))).toEqual(values)
  })
})

const FOREIGN: readonly (readonly [Spoken, string, readonly string[]])[] = [
  ['es', 'a las siete y media de la tarde', ['19:30']],
  ['es', 'a las ocho', ['8:00']],
  ['es', 'el viernes a las 20:00', ['Viernes', '20:00']],
  ['es', 'son ochenta euros', ['80 euros']],
  ['es', 'a las nueve de la mañana', ['9:00']],
  ['fr', 'à dix-neuf heures', ['19 h']],
  ['fr', 'à 20 h 30', ['20:30']],
  ['fr', 'vendredi à huit heures et demie', ['Vendredi', '8:30']],
  ['fr', 'quatre-vingts euros', ['80 euros']],
  ['fr', 'quatre-vingt-dix-neuf euros', ['99 euros']],
  ['de', 'um neunzehn Uhr', ['19 Uhr']],
  ['de', 'halb acht', ['7:30']],
  ['de', 'am Freitag um 20 Uhr', ['Freitag', '20 Uhr']],
  ['de', 'Viertel nach sechs', ['6:15']],
  ['de', 'fünfzig Euro', ['50 Euro']],
]

describe('extract in other languages', () => {
  test.each(FOREIGN)('%s: %s', (language, text, values) => {
    expect(extract(text, language).map((value) => sayValue(value, language))).toEqual(values)
  })
})

test('sameValue matches a time without am or pm with both', () => {
  const [eight, evening, morning] = ['at 8', '8 pm', '8 am'].map((text) => extract(text, 'en')[0])
  if (!eight || !evening || !morning) throw new Error('no time found')
  expect([sameValue(eight, evening), sameValue(eight, morning), sameValue(evening, morning)]).toEqual([
    true,
    true,
    false,
  ])
})
