import { foldText } from '@parley/contract'

/** Small letters without accents, with straight apostrophes and single spaces. */
export function folded(text: string): string {
  return foldText(text.replace(/[\p{Cf}\u00ad]/gu, ''))
    .replace(/[’‘`´]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
}
