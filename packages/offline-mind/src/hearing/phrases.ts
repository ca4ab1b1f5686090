import { remembered } from '@parley/voice-ports'

/** Lower case, without accents, curly quotes or punctuation, for matching phrase lists. */
export const plain = remembered((text) =>
  fold(text)
    .replace(/[^\p{L}\p{N}'%$€£:+.,/-]+/gu, ' ')
    .replace(/[.,:/-]+(?=\s|$)|(?<=\s|^)[.,:/'-]+|'(?=\s|$)/g, ' ')
    .replace(/,(?!\d)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim(),
)

export const fold = remembered((text) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[’‘`´]/g, "'")
    .replace(/ß/g, 'ss')
    .replace(/œ/g, 'oe')
    .toLowerCase(),
)

/** One expression for a list of phrases, matched as whole words. */
export function anyOf(phrases: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${phrases.join('|')})(?![\\p{L}\\p{N}])`, 'u')
}
