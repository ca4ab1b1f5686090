import { describe, expect, test } from 'vitest'
import { anyOf, BESIDE_WORDS, plain } from './phrases.ts'

describe('what stands beside words', () => {
  const beside = new RegExp(`^[${BESIDE_WORDS}]$`, 'u')
  const ofWords = /^[\p{L}\p{N}]$/u

  test('is no letter and no number of any script', () => {
    const found = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((character) => ofWords.test(character) && beside.test(character))
    expect(found).toEqual([])
  })

  test('is all that plain() leaves but letters and numbers', () => {
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
      (character) => !/[\ud800-\udfff]/.test(character),
    )
    const left = new Set(all.flatMap((character) => Array.from(plain(`1${character}1 a${character}a`))))
    expect(Array.from(left).filter((character) => !ofWords.test(character) && !beside.test(character))).toEqual([])
    for (const character of "'%$€£:+.,/- ") expect(character).toMatch(beside)
  })

  test('is every other character of Latin text', () => {
    const latin = Array.from({ length: 0x250 }, (_, code) => String.fromCodePoint(code))
    const printed = latin.filter((character) => !/\p{Cc}|\p{Cf}/u.test(character))
    expect(printed.filter((character) => ofWords.test(character) === beside.test(character))).toEqual([])
  })
})

describe('anyOf', () => {
  const phrases = anyOf(['ja', 'on hold'])

  test.each(['ja', 'ja.', '¿ja?', '“ja”', 'na ja', 'please, on hold!', "'ja'", '好、ja'])(
    'finds a phrase in %s',
    (text) => {
      expect(text).toMatch(phrases)
    },
  )

  test.each(['jahr', 'maja', 'éja', 'ja2', '2ja', 'jaß', '好ja', 'on  hold', 'on holdé'])(
    'finds none in %s',
    (text) => {
      expect(text).not.toMatch(phrases)
    },
  )
})
