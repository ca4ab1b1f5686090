import { cutWords, isLittleWord, wordsOf } from './phrases.ts'

/** How the ear's newest words differ from those that were answered. */
export interface Revision {
  /** The words behind the answered ones. */
  readonly rest: string
  /** Among the answered words one that carries meaning is another now, or is new or gone. */
  readonly changed: boolean
  /** It is about the same utterance: at least half of the answered words are still there. */
  readonly similar: boolean
}

/** Punctuation, case and words like "the" make no difference. */
export function revisionOf(answered: string, text: string): Revision {
  const before = wordsOf(answered)
  const now = wordsOf(text)
  const pairs = commonWords(before, now)
  const last = pairs.at(-1)
  // A misheard last word has its place behind the last common one.
  const behind = last ? before.length - 1 - last[0] : before.length
  const end = Math.min(now.length, (last ? last[1] + 1 : 0) + behind)
  const isCommon = (side: 0 | 1, at: number) => pairs.some((pair) => pair[side] === at)
  const odd = [...before.filter((_, at) => !isCommon(0, at)), ...now.slice(0, end).filter((_, at) => !isCommon(1, at))]
  return {
    rest: cutWords(text, end),
    changed: odd.some((word) => !isLittleWord(word)),
    similar: pairs.length * 2 >= before.length,
  }
}

/** The longest common subsequence, as pairs of indexes. */
function commonWords(before: readonly string[], now: readonly string[]): [number, number][] {
  const width = now.length + 1
  const lengths = new Uint16Array((before.length + 1) * width)
  const length = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        before[i] === now[j] ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1))
  const pairs: [number, number][] = []
  for (let i = 0, j = 0; i < before.length && j < now.length;) {
    if (before[i] === now[j]) pairs.push([i++, j++])
    else if (length(i + 1, j) >= length(i, j + 1)) i++
    else j++
  }
  return pairs
}
