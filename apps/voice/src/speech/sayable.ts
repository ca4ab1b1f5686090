/** Of "..." and the like a voice makes no sound, and some vendors no end either. */
export function isSayable(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}
