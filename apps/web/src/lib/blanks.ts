import { words } from '../words/index.ts'

const BLANK = /\[[^\]]+\]/g

/** What must still be filled in: brackets of a ready order. Whoever types brackets of their own may mean them. */
export function blanksIn(texts: readonly string[]): string[] {
  const ready = Object.values(words().templates.ready).flatMap(({ purpose, objectives }) => [purpose, ...objectives])
  const known = new Set(ready.join(' ').match(BLANK))
  const found = texts.join(' ').match(BLANK) ?? []
  return [...new Set(found.filter((blank) => known.has(blank)))]
}

/** Where the first blank of a text stands. */
export function firstBlank(text: string): readonly [from: number, until: number] | undefined {
  const from = text.search(BLANK)
  return from < 0 ? undefined : [from, text.indexOf(']', from) + 1]
}

/**
 * Selects the first blank of a text area that was just given that text and the focus: what is typed next takes its
 * place.
 */
export function selectFirstBlank(text: string): void {
  const blank = firstBlank(text)
  // The focus comes in a turn of its own; what is selected, after it.
  if (blank) setTimeout(() => selectInFocus(blank))
}

function selectInFocus(range: readonly [number, number]): void {
  const field = document.activeElement
  if (field instanceof HTMLTextAreaElement) field.setSelectionRange(...range)
}
