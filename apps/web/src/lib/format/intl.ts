import { locale } from '../language.ts'

// Cached per language: creating an Intl object costs far more than using it.

const dates = new Map<string, Intl.DateTimeFormat>()
const regions = new Map<string, Intl.DisplayNames>()

export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept(dates, `${locale()} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(locale(), options))
}

export function regionNames(): Intl.DisplayNames {
  return kept(regions, String(locale()), () => new Intl.DisplayNames(locale(), { type: 'region' }))
}

function kept<T>(all: Map<string, T>, key: string, make: () => T): T {
  const known = all.get(key)
  if (known !== undefined) return known
  const made = make()
  all.set(key, made)
  return made
}
