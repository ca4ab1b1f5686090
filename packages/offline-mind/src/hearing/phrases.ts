/** Lower case, without accents, curly quotes or punctuation, for matching phrase lists. */
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

/** One expression for a list of phrases, matched as whole words. */
export function anyOf(phrases: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${phrases.join('|')})(?![\\p{L}\\p{N}])`, 'u')
}
