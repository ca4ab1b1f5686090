import { words } from '../words/index.ts'

const BLANK = /\[[^\]]+\]/g

/** Placeholders of built-in templates that must be filled in. Other brackets are the user's own. */
export function blanksIn(texts: readonly string[]): string[] {
  const ready = Object.values(words().templates.ready).flatMap(({ purpose, objectives }) => [purpose, ...objectives])
  const known = new Set(ready.join(' ').match(BLANK))
  const found = texts.join(' ').match(BLANK) ?? []
  return [...new Set(found.filter((blank) => known.has(blank)))]
}

/** The position of the first placeholder. */
export function firstBlank(text: string): readonly [from: number, until: number] | undefined {
  const from = text.search(BLANK)
  return from < 0 ? undefined : [from, text.indexOf(']', from) + 1]
}

/** Selects the first placeholder of a text area that was just filled and focused, so that typing replaces it. */
export function selectFirstBlank(text: string): void {
  const blank = firstBlank(text)
  // The focus moves in a later task; select after it.
  if (blank) setTimeout(() => selectInFocus(blank))
}

function selectInFocus(range: readonly [number, number]): void {
  const field = document.activeElement
  if (field instanceof HTMLTextAreaElement) field.setSelectionRange(...range)
}
