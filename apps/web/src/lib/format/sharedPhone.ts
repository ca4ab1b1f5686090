const TEL = /tel:([^\s"'<>?;]+)/i
/** A number as people write it: digits with separators, with or without a plus. */
const WRITTEN = /\+?\d(?:[\s().\-/\u00a0]*\d){6,14}/

/** The phone number in shared text: of a tel: link, else the first that looks like one. */
export function sharedPhone(texts: readonly (string | undefined)[]): string | undefined {
  const known = texts.filter((text) => text !== undefined)
  for (const pattern of [TEL, WRITTEN]) {
    for (const text of known) {
      const found = pattern.exec(decoded(text))
      if (found) return (found[1] ?? found[0]).replaceAll(/[^\d+]/g, '')
    }
  }
  return undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
