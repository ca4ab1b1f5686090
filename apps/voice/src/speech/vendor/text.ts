const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}、。！？]/u

/** As it is written: no space between characters of a script without spaces. */
export function joined(parts: readonly string[]): string {
  return parts.reduce((before, part) => {
    const next = part.trim()
    if (before === '' || next === '') return before + next
    return UNSPACED.test(before.at(-1) ?? '') && UNSPACED.test(next[0] ?? '') ? before + next : `${before} ${next}`
  }, '')
}

/** 'pt' of 'pt-BR'. */
export function baseOf(language: string): string {
  return language.split('-', 1)[0]?.toLowerCase() ?? ''
}

/** The first terms whose letters fit. */
export function fitting(terms: readonly string[], lettersMax: number): string[] {
  let letters = 0
  return terms.filter((term) => (letters += term.length) <= lettersMax)
}
