import type { Keys } from '@parley/contract/keys'
import { describe, expect, test } from 'vitest'
import { areDigitsOf, digitsOf, idForDigits, isMark, isSealedWithFirst, mark, open, seal } from './keys.ts'

const withKey = (id: number | null, letter: string) => ({ id, secret: letter.repeat(32) })
/** A secret on its own, then the first key of a list, then taken off it. */
const ALONE: Keys = [withKey(null, 'a')]
const LISTED: Keys = [withKey(2, 'b'), withKey(1, 'a')]
const GONE: Keys = [withKey(2, 'b')]

describe('a mark', () => {
  test('names its key, and counts for its text until the key leaves the list', () => {
    const [before, after] = [mark(ALONE, 'a text'), mark(LISTED, 'a text')]
    expect([before.length, after.slice(0, 2)]).toEqual([43, '2.'])
    for (const shown of [before, after]) {
      expect(isMark(LISTED, 'a text', shown)).toBe(true)
      expect(isMark(LISTED, 'another text', shown)).toBe(false)
    }
    expect(isMark(GONE, 'a text', after)).toBe(true)
    expect(isMark(GONE, 'a text', before)).toBe(false)
  })

  test('counts under another name of the same secret, and not without its last letter', () => {
    expect(isMark(ALONE, 'a text', mark([withKey(1, 'a')], 'a text'))).toBe(true)
    expect(isMark(LISTED, 'a text', mark(LISTED, 'a text').slice(0, -1))).toBe(false)
    expect(isMark(LISTED, 'a text', '')).toBe(false)
  })
})

describe('digits', () => {
  const wanted = (id: string) => ({ use: 'a-code', id, count: 6 })

  test('are those of the key that their id names, and of no other, so that no more can be guessed', () => {
    const id = idForDigits(LISTED, 'one')
    expect(id).toBe('k2.one')
    const digits = digitsOf(LISTED, wanted(id))
    expect(digits).toMatch(/^\d{6}$/)
    // The same id, made by the older key.
    const older = digitsOf([withKey(2, 'a')], wanted(id))
    expect([areDigitsOf(LISTED, wanted(id), digits), areDigitsOf(LISTED, wanted(id), older)]).toEqual([true, false])
    expect(areDigitsOf(GONE, wanted(id), digits)).toBe(true)
  })

  test('of an id from before the first list are good until their key leaves it', () => {
    const digits = digitsOf(ALONE, wanted('one'))
    expect(areDigitsOf(LISTED, wanted('one'), digits)).toBe(true)
    expect(areDigitsOf(GONE, wanted('one'), digits)).toBe(false)
    expect(areDigitsOf(LISTED, wanted('one'), digits.slice(0, 1))).toBe(false)
    expect(areDigitsOf(LISTED, wanted('one'), '')).toBe(false)
  })
})

describe('a sealed text', () => {
  const about = { use: 'a use', about: 'a thing' }

  test('opens for its use and thing until its key leaves the list, and tells who sealed it', () => {
    const [before, after] = [seal(ALONE, about, 'hush'), seal(LISTED, about, 'hush')]
    for (const sealed of [before, after]) expect(open(LISTED, about, sealed)).toBe('hush')
    expect([isSealedWithFirst(LISTED, before), isSealedWithFirst(LISTED, after)]).toEqual([false, true])
    expect(open(GONE, about, after)).toBe('hush')
    expect(() => open(GONE, about, before)).toThrow(/unable to authenticate data/)
    expect(() => open(LISTED, { ...about, use: 'another' }, after)).toThrow(/unable to authenticate data/)
    expect(() => open(LISTED, { ...about, about: 'another' }, after)).toThrow(/unable to authenticate data/)
  })
})
