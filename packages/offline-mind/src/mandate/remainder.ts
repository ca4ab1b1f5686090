/** A stretch of a text, and whether it is kept from the callee. */
interface Stretch {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly cut: boolean
}

/** The text without the clauses that are cut. */
export function without(text: string, clauses: readonly Stretch[]): string {
  const kept = clauses.filter(({ cut }) => !cut)
  if (kept.length === clauses.length && kept.every(({ end, start, text: own }) => end - start >= own.length))
    return text
  const segments = kept.map(({ start, end }, at) => {
    const last = kept[at - 1]
    return `${last === undefined ? '' : gapBetween(text, last.end, start)}${text.slice(start, end)}`
  })
  return segments
    .join('')
    .replace(/[\s,;(–—-]+$/, '')
    .trim()
}

function gapBetween(text: string, end: number, start: number): string {
  const gap = text.slice(end, start)
  return gap.trim() === '' || gap.length > 4
    ? /[.!?]$/.test(text.slice(0, end))
      ? ' '
      : gap.length > 4
        ? ', '
        : gap
    : gap
}
