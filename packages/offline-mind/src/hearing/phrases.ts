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

/**
 * What stands beside words: blanks, punctuation, symbols and combining marks. The letters and numbers of Unicode
 * themselves (`\p{L}\p{N}`), twice in each of some 230 expressions, took 30 ms of each process's start.
 */
export const BESIDE_WORDS = String.raw`\s!-\/:-@\[-\x60\{-~\u00a1-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u0300-\u036f\u2000-\u206f\u20a0-\u20c0\u2190-\u245f\u2500-\u2775\u2794-\u2bff\u3000-\u3004\u3008-\u3020\u3030\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\u{1f300}-\u{1faff}`

/** One expression for a list of phrases, matched as whole words. */
export function anyOf(phrases: readonly string[]): RegExp {
  return new RegExp(`(?<![^${BESIDE_WORDS}])(?:${phrases.join('|')})(?![^${BESIDE_WORDS}])`, 'u')
}
