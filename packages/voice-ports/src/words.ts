import type { SpokenWord } from './mouth.ts'

/** A word as it is written, by its place in the text, with its share of the time. */
export interface Word {
  readonly text: string
  readonly fromChar: number
  readonly toChar: number
  /** How long it takes to say, in letters. */
  readonly weight: number
  /** Silence behind it, in letters. */
  readonly pauseWeight: number
}

/** A digit is read as a word; a character of a script without spaces is a syllable. */
const DIGIT_LETTERS = 4
const SYLLABLE_LETTERS = 3.5
/** What a word takes beyond its letters. */
const WORD_LETTERS = 1.5
const COMMA_LETTERS = 4
const STOP_LETTERS = 5

/** A letter at the pace of slow speech; English at 165 words a minute takes 52 ms (as measured for the sandbox's voice). */
export const SLOW_LETTER_MS = 60

/** Scripts that write no space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The words of a sentence, each with its share of the time the sentence takes. */
export function wordsOf(text: string): Word[] {
  return [...text.matchAll(/\S+/g)].flatMap(({ 0: token, index }) =>
    (UNSPACED.test(token) ? unspacedWords(token) : [token]).reduce<Word[]>((words, part) => {
      const fromChar = words.at(-1)?.toChar ?? index
      const measured = { weight: weightOf(part), pauseWeight: pauseAfter(part) }
      return [...words, { text: part, fromChar, toChar: fromChar + part.length, ...measured }]
    }, []),
  )
}

/** Words of a script without spaces; punctuation stays with the word before it. */
function unspacedWords(token: string): string[] {
  const words: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(token)) {
    const last = words.at(-1)
    if (last === undefined || (isWordLike && /[\p{L}\p{N}]/u.test(last))) words.push(segment)
    else words[words.length - 1] = last + segment
  }
  return words
}

function weightOf(token: string): number {
  let letters = 0
  for (const char of token) {
    if (/\p{N}/u.test(char)) letters += DIGIT_LETTERS
    else if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(char))
      letters += SYLLABLE_LETTERS
    else if (/\p{L}/u.test(char)) letters += 1
  }
  return letters === 0 ? 0 : letters + WORD_LETTERS
}

function pauseAfter(token: string): number {
  if (/[.!?…。！？]["')\]]*$/.test(token)) return STOP_LETTERS
  return /[,;:、，]["')\]]*$/.test(token) ? COMMA_LETTERS : 0
}

/** The words in a stretch without spaces: one in most languages, several in Chinese, Japanese or Thai. */
export function segmentWords(token: string): string[] {
  if (!UNSPACED.test(token)) return [token]
  return Array.from(segmenter.segment(token))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment)
}

/** A word with the time when it has been said. */
export interface TimedWord extends SpokenWord {
  readonly text: string
}

export interface Span {
  readonly startMs: number
  readonly endMs: number
}

/** Where each word ends when the sentence fills this span: in proportion, the last one with the sound. */
export function wordEnds(words: readonly Word[], { startMs, endMs }: Span): TimedWord[] {
  const pauses = words.slice(0, -1).reduce((sum, word) => sum + word.pauseWeight, 0)
  const total = words.reduce((sum, word) => sum + word.weight, 0) + pauses
  let spoken = 0
  return words.map((word) => {
    spoken += word.weight
    const ended = total === 0 ? endMs : Math.min(endMs, startMs + (spoken / total) * (endMs - startMs))
    spoken += word.pauseWeight
    return { text: word.text, fromChar: word.fromChar, toChar: word.toChar, endMs: ended }
  })
}

/**
 * As wordEnds(), aligned with the pauses of the sound: where there are as many as commas, each clause fills its own
 * stretch.
 */
export function wordEndsBetween(words: readonly Word[], endMs: number, pauses: readonly Span[]): TimedWord[] {
  const clauses: Word[][] = [[]]
  for (const [at, word] of words.entries()) {
    clauses.at(-1)?.push(word)
    if (word.pauseWeight > 0 && at + 1 < words.length) clauses.push([])
  }
  const longest = pauses.toSorted((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs)).slice(0, clauses.length - 1)
  if (longest.length < clauses.length - 1) return wordEnds(words, { startMs: 0, endMs })
  const between = longest.toSorted((a, b) => a.startMs - b.startMs)
  return clauses.flatMap((clause, at) =>
    wordEnds(clause, { startMs: between[at - 1]?.endMs ?? 0, endMs: between[at]?.startMs ?? endMs }),
  )
}
