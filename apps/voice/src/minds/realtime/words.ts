/** Words in common, whatever their case and punctuation. */

function plainWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

export function isSame(one: string, other: string): boolean {
  return plainWords(one).join(' ') === plainWords(other).join(' ')
}

/** Whether the second begins with the first. */
export function isBeginning(part: string, whole: string): boolean {
  const words = plainWords(part)
  return words.length > 0 && plainWords(whole).slice(0, words.length).join(' ') === words.join(' ')
}

/** Whether at least half of the words of the first stand in the second. */
export function isMostlyIn(part: string, whole: string): boolean {
  const words = plainWords(part)
  const known = new Set(plainWords(whole))
  return words.length > 0 && words.filter((word) => known.has(word)).length * 2 >= words.length
}
