import { leavesOf, wordsOfName } from '@parley/contract'

export interface Known {
  /** In words: "party size". */
  readonly key: string
  readonly value: string
  /** Marked as private in the order. */
  readonly isMarked: boolean
  /** Marked as not private. */
  readonly isCleared: boolean
}

const ENTRIES_MAX = 200
const DEPTH_MAX = 7

/** The order's context as a flat list: nested keys are joined, lists are read out. */
export function knownFrom(context: Readonly<Record<string, unknown>>): Known[] {
  const found: (Known & { readonly isItem: boolean })[] = []
  for (const { path, value, isMarked, isCleared, isItem } of leavesOf(context)) {
    if (found.length >= ENTRIES_MAX || path.length > DEPTH_MAX) continue
    const key = path.map(wordsOfName).join(' ').trim()
    const said = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
    const last = found.at(-1)
    const isSameList =
      isItem && last?.isItem === true && last.key === key && last.isMarked === isMarked && last.isCleared === isCleared
    if (isSameList) found[found.length - 1] = { ...last, value: `${last.value}, ${said}` }
    else found.push({ key, value: said, isMarked, isCleared, isItem })
  }
  return found
}
