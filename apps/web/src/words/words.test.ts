import { PACKAGES, type SecretFound } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import * as en from './en/index.ts'
import * as englishLegal from './en/legal.ts'
import * as es from './es/index.ts'
import * as spanishLegal from './es/legal.ts'

/** Arguments for the catalogue's functions; those that translate server messages get a text. */
const SAMPLES = [0, 1, 2, 21] as const

/** Arguments for messages about a found secret. */
const FOUND: Readonly<Record<string, SecretFound>> = {
  'templates.secret': { kind: 'card', field: 'context', path: ['payment', 'number'] },
}

type Sentence = (...args: never[]) => unknown

/** Every message by its path; a function gives one for each sample. */
function sentencesIn(node: unknown, path = ''): [path: string, sentence: string][] {
  if (typeof node === 'string') return [[path, node]]
  if (typeof node === 'function') {
    const sampleOf = (sample: number) => FOUND[path] ?? (path.startsWith('server.') ? `${sample}` : sample)
    return SAMPLES.map((sample) => [`${path}(${sample})`, said(node as Sentence, sampleOf(sample))])
  }
  if (typeof node !== 'object' || node === null) return []
  // A legal section's id is its anchor, the same in every language.
  const parts = Object.entries(node).filter(([key]) => key !== 'id')
  return parts.flatMap(([key, value]) => sentencesIn(value, path ? `${path}.${key}` : key))
}

function said(sentence: Sentence, sample: number | string | SecretFound): string {
  const text = sentence(...(Array.from({ length: Math.max(1, sentence.length) }, () => sample) as never[]))
  expect(typeof text).toBe('string')
  return String(text)
}

/** Texts that are the same in both languages: names and messages made of arguments only. */
const ALIKE = new Set([
  'Error',
  'Total',
  'Formal',
  'Hindi',
  'JSON',
  'CVC',
  'https://',
  'Parley',
  '1234 1234 1234 1234',
  '+1 202 555 0100',
  '+1 202 555 0110',
  ...PACKAGES.map(({ name }) => name),
])
const COMPOSED =
  /^(batches\.file\.droppedReason|calls\.live\.clock\(|reports\.analytics\.byHour\.cell|shell\.documentTitle|batches\.form\.minutesText\(21)/

describe.each([
  ['the screens', en, es],
  ['the legal texts', englishLegal, spanishLegal],
])('%s in Spanish', (_, english, spanish) => {
  const inEnglish = new Map(sentencesIn(english))
  const inSpanish = new Map(sentencesIn(spanish))
  // English has no translations of server messages; a translated legal text says which text is binding.
  const added = (path: string) => path.startsWith('server.') || path.endsWith('.binding')

  it('has every sentence of English and no more', () => {
    expect([...inSpanish.keys()].filter((path) => !added(path)).toSorted()).toEqual([...inEnglish.keys()].toSorted())
    expect(inEnglish.size).toBeGreaterThan(50)
  })

  it('has no empty, undefined or unfinished sentence', () => {
    const wrong = [...inSpanish].filter(
      ([, sentence]) => sentence.trim() === '' || /undefined|NaN|\[object|TODO/.test(sentence),
    )
    expect(wrong).toEqual([])
  })

  it('has no sentence left in English', () => {
    const left = [...inSpanish].filter(
      ([path, text]) => inEnglish.get(path) === text && !ALIKE.has(text) && !COMPOSED.test(path),
    )
    expect(left).toEqual([])
  })

  it('addresses the reader as tú', () => {
    expect([...inSpanish].filter(([, text]) => /\b(usted|ustedes|vuestr[oa]s?|vosotr[oa]s)\b/i.test(text))).toEqual([])
  })
})

const NOUNS = 'credit|minute|call|contact|row|day|second|key|objective|number|list|entry'
const MANY_AS_ONE = new RegExp(
  `(?<![\\d.,$])(?:0|2|21) (?:${NOUNS})\\b(?=[.,;:!?]|$| (?:added|left|was|were|of|to|in|is|are)\\b)`,
)

it('pluralizes nouns after numbers', () => {
  expect(sentencesIn(en).filter(([, sentence]) => MANY_AS_ONE.test(sentence))).toEqual([])
})
