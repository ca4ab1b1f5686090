export { anyOf, fold, plain } from './phrases.ts'

/** Clauses of a sentence that may say different things: "not at seven, but eight is free". */
export function clausesOf(text: string, joiner: RegExp): string[] {
  return text
    .split(/[;!?]|[.,](?=\s|$)|\s[–—-]\s/)
    .flatMap((clause) => clause.split(joiner))
    .map((clause) => clause.trim())
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

/** At most `maxWords` words, cut at a comma near the end if there is one. */
export function shorten(text: string, maxWords: number): string {
  const words = text.split(/\s+/).filter(Boolean)
  if (words.length <= maxWords) return words.join(' ')
  const cut = words.slice(0, maxWords).join(' ')
  const comma = cut.lastIndexOf(',')
  const kept = comma > cut.length / 2 ? cut.slice(0, comma) : cut
  return kept
    .replace(/[\s,;:.-]+$/, '')
    .replace(
      /(\s(and|or|with|for|the|a|an|of|to|at|in|on|that|until|from|is|are|would|be|y|o|con|de|et|ou|avec|und|oder|mit))+$/i,
      '',
    )
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function withoutFinalStop(text: string): string {
  return text.trim().replace(/[\s.!;,:]+$/, '')
}

export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole)
}
