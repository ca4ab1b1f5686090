import { spokenLanguage } from '@parley/contract'
import { afterEach, expect, it, vi } from 'vitest'
import { duration, exactDate, percent, relativeTime } from './format/format.ts'
import { HttpError, sentenceOf } from './server/http.ts'
import { catalogue, locale, preferredLanguage, speak } from './language.ts'
import { phoneText } from './format/phone.ts'
import { words } from '../words/index.ts'

afterEach(async () => {
  vi.unstubAllGlobals()
  await speak('en')
})

function browserWith(languages: readonly string[], stored?: string) {
  vi.stubGlobal('navigator', { languages })
  vi.stubGlobal('localStorage', { getItem: () => stored ?? null })
}

it.each([
  [['es-MX', 'en'], 'es'],
  [['ES', 'en'], 'es'],
  [['de', 'es-419', 'en'], 'es'],
  [['de', 'fr'], 'en'],
  [['constructor', '__proto__', '', 'esperanto'], 'en'],
  [[], 'en'],
] as const)('of %j the language is %s', (tags, language) => expect(spokenLanguage(tags)).toBe(language))

it('prefers the stored language to the browser’s, and ignores an unknown one', () => {
  browserWith(['es'], 'en')
  expect(preferredLanguage()).toBe('en')
  browserWith(['es'], 'klingon')
  expect(preferredLanguage()).toBe('es')
})

it('formats dates, numbers, countries and durations in the user’s regional variant', async () => {
  browserWith(['fr', 'es-MX', 'en-GB'])
  expect(locale()).toBe('en-GB')
  await speak('es')
  expect(locale()).toBe('es-MX')
  expect(phoneText('+12025550100').country).toBe('Estados Unidos')
  expect(exactDate('2026-03-01T12:00:00Z')).toContain('mar')
  expect(relativeTime('2026-03-01T10:00:00Z', Date.parse('2026-03-01T12:00:00Z'))).toBe('hace 2 horas')
  expect(duration(64)).toBe('1\u{a0}min 4\u{a0}s')
  browserWith(['de'])
  expect(percent(66.6)).toBe('67\u{a0}%')
})

it('shows a refusal by its code; in English in the server’s words', async () => {
  const refused = new HttpError(
    401,
    'Unauthorized',
    JSON.stringify({ code: 'wrong_credentials', message: 'Wrong, sorry.' }),
  )
  const unknown = new HttpError(500, '', JSON.stringify({ code: 'from_tomorrow', message: 'Newer than this page.' }))
  expect(sentenceOf(refused, 'otherwise')).toBe('Wrong, sorry.')
  await speak('es')
  expect(sentenceOf(refused, 'otherwise')).toBe('El correo o la contraseña no son correctos.')
  expect(sentenceOf(unknown, 'otherwise')).toBe('Newer than this page.')
})

it('keeps its language when a catalogue cannot be loaded; the last choice wins over a pending one', async () => {
  const { promise, resolve } = Promise.withResolvers<{ hello: string }>()
  const texts = catalogue({ hello: 'Hello' }, { es: () => promise })
  const spanish = speak('es')
  await speak('en')
  resolve({ hello: 'Hola' })
  expect([await spanish, texts().hello, words().common.cancel]).toEqual([true, 'Hello', 'Cancel'])
  await speak('es')
  expect([texts().hello, words().common.cancel]).toEqual(['Hola', 'Cancelar'])
  await speak('en')

  let isOffline = true
  const es = async () => (isOffline ? Promise.reject(new Error('offline')) : { hello: 'Hola' })
  const unreachable = catalogue({ hello: 'Hello' }, { es })
  expect([await speak('es'), unreachable().hello, words().common.cancel]).toEqual([false, 'Hello', 'Cancel'])
  isOffline = false
  expect([await speak('es'), unreachable().hello, words().common.cancel]).toEqual([true, 'Hola', 'Cancelar'])
})
