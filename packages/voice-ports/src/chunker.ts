import { AFTER_ORDINAL, BEFORE_NUMBER, LEADING } from './abbreviations.ts'

/** A stretch of the input, as it is written, without the white space around it. */
export interface Piece {
  readonly text: string
  /** Where it begins in the whole input. */
  readonly fromChar: number
  /** What joins it to the piece before: a space, or nothing in scripts without. */
  readonly gap: '' | ' '
}

export interface Chunker {
  push(delta: string): Piece[]
  /** The input has paused: gives out a sentence that looks complete, although nothing shows yet that it is. */
  settled(): Piece[]
  /** What there is ends a piece: its giver has cut it. */
  end(): Piece[]
  /** The input is over, or something else than speech follows. */
  flush(): Piece[]
}

/** Longest piece, about 15 s of speech; longer sentences are cut at a clause or between words. */
const PIECE_LETTERS_MAX = 240
/** What a decision may need to see behind a cut. */
const LOOKAHEAD_LETTERS = 40
/** A first clause shorter than this sounds chopped off: "Well," goes with what follows. */
const CLAUSE_LETTERS_MIN = 10
const CLAUSE_LETTERS_MIN_UNSPACED = 4
/** Thai puts a space between clauses and sentences, and no point. */
const THAI_LETTERS_MIN = 25

const CLOSERS = '["\'”’»)\\]」』）】]*'
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}。！？、，；：]/u
/** A sentence ends behind these, if what follows agrees. */
const ENDS: RegExp = new RegExp(`[。！？]+${CLOSERS}|[.!?…؟।]+${CLOSERS}(?=\\s)|\\n`, 'gu')
const CLAUSE_ENDS: RegExp = new RegExp(`[、，；：]|[,;:]${CLOSERS}(?=\\s)|(?<=\\s)[–—](?=\\s)`, 'gu')
const THAI_GAP = /(?<=\p{Script=Thai}\p{M}?)\s+(?=\p{Script=Thai})/gu
const COMPLETE: RegExp = new RegExp(`[!?…؟।。！？.]${CLOSERS}$`, 'u')

type Verdict = 'ends' | 'goes on' | 'unknown'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * Cuts streamed text into sentences for the mouth, and its first clause at once where `firstClause` is set, so that
 * speech begins early. The pieces do not depend on how the input was cut, unless settled() is used.
 */
export function createChunker({ firstClause = false } = {}): Chunker {
  let pending = ''
  let pendingFrom = 0
  let given = 0
  let spaced = false

  function take(until: number): Piece[] {
    const raw = pending.slice(0, until)
    const text = raw.trim()
    const lead = raw.length - raw.trimStart().length
    const fromChar = pendingFrom + lead
    const gap = given > 0 && (spaced || lead > 0) ? ' ' : ''
    spaced = (text === '' && spaced) || raw.trimEnd().length < raw.length
    pending = pending.slice(until)
    pendingFrom += until
    if (text === '') return []
    given++
    return [{ text, fromChar, gap }]
  }

  function cut(over: boolean): Piece[] {
    const pieces: Piece[] = []
    for (;;) {
      const wantsClause = firstClause && given === 0
      const at = sentenceEnd(pending, over) ?? (wantsClause ? clauseEnd(pending) : null) ?? overlongCut(pending, over)
      if (at === null) return pieces
      pieces.push(...take(at))
    }
  }

  return {
    push(delta) {
      pending += delta
      return cut(false)
    },
    settled: () => (looksComplete(pending) ? take(pending.length) : []),
    end: () => take(pending.length),
    flush() {
      const rest = [...cut(true), ...take(pending.length)]
      spaced = true
      return rest
    },
  }
}

/** The sentences of a whole text. */
export function pieces(text: string): Piece[] {
  const chunker = createChunker()
  return [...chunker.push(text), ...chunker.flush()]
}

/** Behind the first sentence; null when there is none, or none for certain yet. */
function sentenceEnd(text: string, over: boolean): number | null {
  for (const { index, 0: mark } of text.matchAll(ENDS)) {
    const end = index + mark.length
    if (end > PIECE_LETTERS_MAX) break
    if (text.slice(0, index).trim() === '' && mark === '\n') continue
    const verdict = verdictOn(text.slice(0, index), mark, text.slice(end), over)
    if (verdict === 'ends') return withGap(text, end)
    if (verdict === 'unknown') return null
  }
  for (const { index } of text.matchAll(THAI_GAP))
    if (index >= THAI_LETTERS_MIN && index <= PIECE_LETTERS_MAX) return index
  return null
}

function verdictOn(before: string, mark: string, after: string, over: boolean): Verdict {
  if (mark === '\n') return 'ends'
  if (/^[。！？]/u.test(mark)) return after === '' && !over ? 'unknown' : 'ends'
  const next = /^\s+(\S)/u.exec(after)?.[1]
  if (next === undefined) return over ? 'ends' : 'unknown'
  const isQuoted = /["'”’»)\]]$/u.test(mark)
  if (/^[!?]/u.test(mark) && !mark.includes('…') && !isQuoted) return 'ends'
  if (/\p{Ll}/u.test(next)) return 'goes on'
  if (mark !== '.') return 'ends'
  return verdictOnPoint(before, after, over)
}

/** Whether the point behind a word ends the sentence, or belongs to an abbreviation, an initial or an ordinal. */
function verdictOnPoint(before: string, after: string, over: boolean): Verdict {
  const token = /[^\s("'“„«¿¡[]*$/u.exec(before)?.[0] ?? ''
  const word = token.toLowerCase()
  const isNumberNext = /^\s+[+(]?\d/u.test(after)
  if (/^\p{Lu}$/u.test(token) || LEADING.has(word) || LEADING.has(word.split('-').at(-1) ?? '')) return 'goes on'
  const takesNumber = BEFORE_NUMBER.has(word) || word.endsWith('str')
  if (takesNumber && isNumberNext) return 'goes on'
  if (takesNumber && !over && /^\s+[+(]$/u.test(after)) return 'unknown'
  if (/\p{Script=Thai}$/u.test(token)) return 'goes on'
  // "J.R. Smith", "U.S. Bank"; "7 p.m. Is that fine?" does end.
  if (/^(?:\p{Lu}\.)+\p{Lu}$/u.test(token) && !/^[AP]\.M$/u.test(token)) return 'goes on'
  if (!/^\d{1,2}$/u.test(token)) return 'ends'
  const following = /^\s+([\p{L}-]+)(.?)/su.exec(after)
  if (following === null) return 'ends'
  if (following[2] === '' && !over) return 'unknown'
  return AFTER_ORDINAL.has(following[1]?.toLowerCase() ?? '') ? 'goes on' : 'ends'
}

function clauseEnd(text: string): number | null {
  for (const { index, 0: mark } of text.matchAll(CLAUSE_ENDS)) {
    const end = index + mark.length
    const letters = text.slice(0, index).match(/[\p{L}\p{M}\p{N}]/gu)?.length ?? 0
    const least = UNSPACED.test(text.slice(0, index)) ? CLAUSE_LETTERS_MIN_UNSPACED : CLAUSE_LETTERS_MIN
    // An opening aside or quotation is not torn apart.
    if (letters >= least && !/["“„«(][^"”“»)]*$/u.test(text.slice(0, index))) return end
  }
  return null
}

/** Where a stretch without an end of sentence is cut: at the last clause, space or word within the limit. */
function overlongCut(text: string, over: boolean): number | null {
  if (text.length < PIECE_LETTERS_MAX + (over ? 1 : LOOKAHEAD_LETTERS)) return null
  const within = text.slice(0, PIECE_LETTERS_MAX)
  const clause = [...within.matchAll(CLAUSE_ENDS)].at(-1)
  if (clause && clause.index >= PIECE_LETTERS_MAX / 2) return clause.index + clause[0].length
  const space = /\s\S*$/u.exec(within)?.index ?? 0
  if (within.slice(0, space).trim() !== '') return space
  const seen = text.slice(0, PIECE_LETTERS_MAX + LOOKAHEAD_LETTERS)
  const starts = [...(UNSPACED.test(seen) ? words : graphemes).segment(seen)].map(({ index }) => index)
  return starts.findLast((index) => index > 0 && index <= PIECE_LETTERS_MAX) ?? PIECE_LETTERS_MAX
}

/** A point behind a number or an abbreviation may be followed by more. */
function looksComplete(text: string): boolean {
  const shown = text.trimEnd()
  if (!COMPLETE.test(shown)) return false
  const point = /(?<!\.)\.["'”’»)\]]*$/u.exec(shown)
  if (!point) return true
  const before = shown.slice(0, point.index)
  return !/\d$/u.test(before) && verdictOnPoint(before, ' 1', true) === 'ends' && !/\.\p{L}+$/u.test(before)
}

function withGap(text: string, end: number): number {
  return end + (/^\s+/u.exec(text.slice(end))?.[0].length ?? 0)
}
