import { CALL_LANGUAGES, SETTINGS_LANGUAGES, TONES } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { hasSafeDeferral, safeSentence, type SafeSentence } from './sentences.ts'

const LANGUAGES = [...new Set([...CALL_LANGUAGES, ...SETTINGS_LANGUAGES])].filter((each) => each !== 'auto')
const KINDS = [
  'cannotAgree',
  'private',
  'who',
  'decline',
  'optedOut',
  'notUnderstood',
  'confirm',
] as const satisfies readonly SafeSentence[]
const order = { onBehalfOf: 'Ada Lovelace', tone: 'professional' } as const

describe.each(LANGUAGES.filter((language) => language !== 'en'))('safe sentences in %s', (language) => {
  it.each(KINDS)('has its own "%s", in every tone', (kind) => {
    for (const tone of TONES) {
      const own = safeSentence(kind, { ...order, tone }, language)
      expect(own).not.toBe('')
      expect(own).not.toMatch(/[{}]/)
      expect(TONES.map((each) => safeSentence(kind, { ...order, tone: each }, 'en'))).not.toContain(own)
      expect(own.includes('Ada Lovelace')).toBe(kind === 'who')
    }
  })
})

describe('safe sentences', () => {
  it('are all different, but in the two forms of Portuguese', () => {
    const all = LANGUAGES.filter((language) => language !== 'pt-BR').flatMap((language) =>
      KINDS.map((kind) => safeSentence(kind, order, language)),
    )
    expect(new Set(all).size).toBe(all.length)
  })

  it('are those of the base language in a region, and English in any other language', () => {
    expect(safeSentence('private', order, 'it-CH')).toBe(safeSentence('private', order, 'it'))
    expect(safeSentence('private', order, 'pt-br')).toBe(safeSentence('private', order, 'pt-BR'))
    expect(safeSentence('private', order, 'fi')).toBe(safeSentence('private', order, 'en'))
  })

  it('that leave an offer to the user are known again', () => {
    expect(hasSafeDeferral(`Grazie. ${safeSentence('cannotAgree', order, 'it')}`)).toBe(true)
    expect(hasSafeDeferral('Grazie. Va bene.')).toBe(false)
  })
})
