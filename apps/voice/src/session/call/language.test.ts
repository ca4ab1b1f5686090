import { CALL_LANGUAGES } from '@parley/contract'
import { createScriptedMind } from '@parley/offline-mind'
import { describe, expect, it } from 'vitest'
import { disclosure, disclosureLanguage } from '../speaking/disclosure.ts'
import { phraseLanguage, wordPhrase } from '../speaking/phrases.ts'
import { mindThat } from '../testing/fakes.ts'
import { firstLanguage } from './language.ts'

const everyLanguage = mindThat(() => [])
const scripted = createScriptedMind()
const SPOKEN = CALL_LANGUAGES.filter((language) => language !== 'auto')

describe('the language a call begins in', () => {
  it.each([
    ['+390669812345', 'it'],
    ['+5511987654321', 'pt-BR'],
    ['+351211234567', 'pt'],
    ['+302101234567', 'el'],
    ['+911123456789', 'hi'],
    ['+861012345678', 'zh'],
    ['+81312345678', 'ja'],
    ['+201001234567', 'ar'],
    ['+442079460000', 'en'],
  ])('of %s is %s with a mind that speaks every language', (callee, language) => {
    expect(firstLanguage({ callee, language: 'auto' }, everyLanguage)).toBe(language)
  })

  it('is English where the mind does not speak the other, and the one that was chosen otherwise', () => {
    expect(firstLanguage({ callee: '+390669812345', language: 'auto' }, scripted)).toBe('en')
    expect(firstLanguage({ callee: '+390669812345', language: 'ja' }, scripted)).toBe('en')
    expect(firstLanguage({ callee: '+390669812345', language: 'fr' }, scripted)).toBe('fr')
    expect(firstLanguage({ callee: '+390669812345', language: 'ja' }, everyLanguage)).toBe('ja')
  })
})

describe('what the server says', () => {
  it('has its own words in each language of the call forms', () => {
    const said = SPOKEN.map((language) => [disclosure(language, 'Ada', true), wordPhrase('opt_out', language)])
    expect(new Set(said.flat()).size).toBe(2 * SPOKEN.length)
    for (const [first] of said) expect(first).toContain('Ada')
    for (const language of SPOKEN)
      expect([disclosureLanguage(language), phraseLanguage(language)]).toEqual([language, language])
  })

  it('is English in any other language, and the base language of a regional one', () => {
    expect(disclosure('ko', 'Ada', false)).toBe(disclosure('en', 'Ada', false))
    expect([disclosureLanguage('ko'), disclosureLanguage('de-AT')]).toEqual(['en', 'de-AT'])
    expect(disclosure('de-AT', 'Ada', false)).toBe(disclosure('de', 'Ada', false))
  })
})
