import type { SpokenWord } from '../mouth.ts'
import { foreignRules } from './foreign.ts'
import { type Rule, rulesOf } from './rules.ts'
import { SPEECH, type SpokenLanguage } from './speech-of.ts'

/** A text as a voice shall say it, and the way back to how it is written. */
export interface SpokenForm {
  readonly spoken: string
  /** The place of a spoken word in the written text. */
  readonly written: (word: SpokenWord) => SpokenWord
}

/** A stretch that is said unlike it is written; both ends in both texts. */
interface Replaced {
  readonly from: number
  readonly to: number
  readonly spokenFrom: number
  readonly spokenTo: number
}

const rulesByTag = new Map<string, readonly Rule[]>()
const TAGS_MAX = 100

function rulesFor(language: string): readonly Rule[] {
  const known = rulesByTag.get(language)
  if (known) return known
  const base = language.split('-')[0]?.toLowerCase() ?? ''
  const rules = isWrittenOut(base) ? rulesOf(base, language) : foreignRules(language)
  if (rulesByTag.size < TAGS_MAX) rulesByTag.set(language, rules)
  return rules
}

const isWrittenOut = (language: string): language is SpokenLanguage => Object.hasOwn(SPEECH, language)

/** Writes out what a voice may misread: numbers, money, times, dates, telephone numbers and references. */
export function forSpeech(text: string, language: string): SpokenForm {
  if (!/\d/.test(text)) return { spoken: text, written: (word) => word }
  const found = findings(text, rulesFor(language))
  let spoken = ''
  let at = 0
  const replaced: Replaced[] = []
  for (const { from, to, said } of found) {
    spoken += text.slice(at, from)
    replaced.push({ from, to, spokenFrom: spoken.length, spokenTo: spoken.length + said.length })
    spoken += said
    at = to
  }
  spoken += text.slice(at)
  return { spoken, written: (word) => writtenWord(word, replaced, text.length) }
}

interface Finding {
  readonly from: number
  readonly to: number
  readonly said: string
}

function findings(text: string, rules: readonly Rule[]): Finding[] {
  const found: Finding[] = []
  for (const { pattern, say } of rules) {
    for (const match of text.matchAll(pattern)) {
      const { index, 0: written, groups = {} } = match
      const to = index + written.length
      if (written === '' || found.some((other) => index < other.to && to > other.from)) continue
      const lead = /(\p{L}+)[^\p{L}\p{N}]*$/u.exec(text.slice(0, index))?.[1] ?? ''
      const said = say({ groups, text: written, lead, after: text.slice(to) })
      if (said !== null) found.push({ from: index, to, said })
    }
  }
  return found.toSorted((a, b) => a.from - b.from)
}

function writtenWord(word: SpokenWord, replaced: readonly Replaced[], length: number): SpokenWord {
  const fromChar = place(word.fromChar, replaced, 'from')
  const toChar = Math.min(length, Math.max(fromChar + 1, place(word.toChar, replaced, 'to')))
  return { ...word, fromChar: Math.min(fromChar, toChar - 1), toChar }
}

/** Within what is said otherwise, a word stands for all of it. */
function place(char: number, replaced: readonly Replaced[], end: 'from' | 'to'): number {
  let shift = 0
  for (const { from, to, spokenFrom, spokenTo } of replaced) {
    const isBefore = end === 'from' ? char < spokenFrom : char <= spokenFrom
    if (isBefore) break
    const isWithin = end === 'from' ? char < spokenTo : char <= spokenTo
    if (isWithin) return end === 'from' ? from : to
    shift = to - spokenTo
  }
  return char + shift
}
