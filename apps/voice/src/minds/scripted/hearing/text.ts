/** Lower case, without accents, curly quotes or punctuation: what the phrase lists are matched against. */
export function plain(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{N}'%$€£:+.,/-]+/gu, ' ')
    .replace(/[.,:/-]+(?=\s|$)|(?<=\s|^)[.,:/'-]+|'(?=\s|$)/g, ' ')
    .replace(/,(?!\d)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[’‘`´]/g, "'")
    .replace(/ß/g, 'ss')
    .replace(/œ/g, 'oe')
    .toLowerCase()
}

/** Parts of a sentence that may say different things: "not at seven, but eight is free". */
export function clausesOf(text: string, joiner: RegExp): string[] {
  return text
    .split(/[;!?]|[.,](?=\s|$)|\s[–—-]\s/)
    .flatMap((part) => part.split(joiner))
    .map((part) => part.trim())
    .filter(Boolean)
}

export function wordCount(text: string): number {
  return text.split(/\s+/).filter(Boolean).length
}

/** Sentences, where "Dr. Weber" does not end one. */
export function sentencesIn(text: string): string[] {
  return text
    .split(/(?<=[.!?])(?<!\b(?:Dr|Mr|Mrs|Ms|St|No|Prof|Sr|Sra|[A-Z])\.)\s+(?=[\p{Lu}¿¡"'\d])/u)
    .map((sentence) => sentence.trim())
    .filter(Boolean)
}

/** At most so many words, cut at a comma where one is near the end. */
export function shorten(text: string, maxWords: number): string {
  const words = text.split(/\s+/).filter(Boolean)
  if (words.length <= maxWords) return words.join(' ')
  const cut = words.slice(0, maxWords).join(' ')
  const comma = cut.lastIndexOf(',')
  const kept = comma > cut.length / 2 ? cut.slice(0, comma) : cut
  return kept
    .replace(/[\s,;:.-]+$/, '')
    .replace(/(\s(and|or|with|for|the|a|an|of|to|at|in|on|that|until|from|is|are|would|be|y|o|con|de|et|ou|avec|und|oder|mit))+$/i, '')
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function withoutFinalStop(text: string): string {
  return text.trim().replace(/[\s.!;,:]+$/, '')
}

/** One expression out of a list of phrases, which match as whole words. */
export function anyOf(phrases: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${phrases.join('|')})(?![\\p{L}\\p{N}])`, 'u')
}

export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole)
}
