import * as en from '../src/words/en/index.ts'

// The English catalogue, wrapped to record which messages were shown.

/** Rendered texts by message path; a message that returns no text counts as shown when used. */
const said = new Map<string, Set<string>>()
const shown = new Set<string>()

export const {
  accounts,
  batches,
  calls,
  common,
  contacts,
  credits,
  exampleCall,
  landing,
  reports,
  server,
  settings,
  shell,
  templates,
  time,
  titles,
} = watch(en, '') as typeof en

/** The path of every message in the catalogue. */
export const MESSAGES: readonly string[] = placesIn(en, '')

/** Marks as shown every used message whose text is on the page. */
export function lookForWords(): void {
  const texts = [
    ...document.querySelectorAll('[aria-label], [placeholder], [title], [alt], [aria-description]'),
  ].flatMap((element) =>
    ['aria-label', 'placeholder', 'title', 'alt', 'aria-description'].map((name) => element.getAttribute(name) ?? ''),
  )
  const page = plain([document.title, document.body.textContent, ...texts].join('\n'))
  for (const [place, sayings] of said) {
    if (!shown.has(place) && [...sayings].some((text) => page.includes(text))) shown.add(place)
  }
}

export function wordsShown(): readonly string[] {
  return [...shown].toSorted()
}

const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

function note(place: string, value: unknown): void {
  const texts = said.get(place) ?? new Set()
  said.set(place, texts)
  if (typeof value === 'string') texts.add(plain(value))
  else shown.add(place)
}

function watch(value: unknown, place: string): unknown {
  if (typeof value === 'function') {
    return (...args: unknown[]) => {
      const result: unknown = Reflect.apply(value, undefined, args)
      note(place, result)
      return result
    }
  }
  if (typeof value !== 'object' || value === null) return value
  const parts = new Map<string | symbol, unknown>()
  return new Proxy(value, {
    get(target, name) {
      const part: unknown = Reflect.get(target, name)
      if (typeof name === 'symbol' || !Object.hasOwn(target, name)) return part
      const at = place ? `${place}.${name}` : name
      if (typeof part === 'string') note(at, part)
      if (!parts.has(name)) parts.set(name, watch(part, at))
      return parts.get(name)
    },
  })
}

function placesIn(value: unknown, place: string): string[] {
  if (typeof value === 'string' || typeof value === 'function') return [place]
  // Other values are not messages.
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => placesIn(part, place ? `${place}.${name}` : name))
}
