/** A word as it is written, with its share of the time. */
export interface Word {
  readonly text: string
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

/** The words of a sentence, each with its share of the time the sentence takes. */
export function wordsOf(text: string): Word[] {
  const tokens = text.split(/\s+/).filter((token) => token !== '')
  return tokens.map((token) => ({ text: token, weight: weightOf(token), pauseWeight: pauseAfter(token) }))
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

/** Scripts that write no space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The words in a stretch without spaces: one in most languages, several in Chinese, Japanese or Thai. */
export function segmentWords(token: string): string[] {
  if (!UNSPACED.test(token)) return [token]
  return Array.from(segmenter.segment(token))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment)
}

export interface Span {
  readonly startMs: number
  readonly endMs: number
}

/** Where each word ends when the sentence fills this span: in proportion, the last one with the sound. */
export function wordEnds(words: readonly Word[], { startMs, endMs }: Span): { text: string; endMs: number }[] {
  const pauses = words.slice(0, -1).reduce((sum, word) => sum + word.pauseWeight, 0)
  const total = words.reduce((sum, word) => sum + word.weight, 0) + pauses
  let spoken = 0
  return words.map((word) => {
    spoken += word.weight
    const ended = total === 0 ? endMs : Math.min(endMs, startMs + (spoken / total) * (endMs - startMs))
    spoken += word.pauseWeight
    return { text: word.text, endMs: ended }
  })
}

/**
 * As wordEnds(), aligned with the pauses of the sound: where there are as many as commas, each clause fills its own
 * stretch.
 */
export function wordEndsBetween(
  words: readonly Word[],
  endMs: number,
  pauses: readonly Span[],
): { text: string; endMs: number }[] {
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

const PIECE_LETTERS_MAX = 240

/** Boundary between sentences. A point behind a title or an initial is none. */
const SENTENCE_BREAK = /(?<=[.!?…]["')\]]*)(?<!\b(?:mr|mrs|ms|dr|st|vs|sr|sra|\p{L})\.)\s+|(?<=[。！？])/iu

/** Splits a text into sentences, and overlong sentences between words; each piece is made and timed by itself. */
export function pieces(text: string): string[] {
  return text
    .trim()
    .split(SENTENCE_BREAK)
    .flatMap(shortened)
    .filter((piece) => piece !== '')
}

function shortened(sentence: string): string[] {
  if (sentence.length <= PIECE_LETTERS_MAX) return [sentence]
  const cut = sentence.lastIndexOf(' ', PIECE_LETTERS_MAX)
  const at = cut > 0 ? cut : PIECE_LETTERS_MAX
  return [sentence.slice(0, at), ...shortened(sentence.slice(at).trim())]
}
