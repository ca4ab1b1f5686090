/** A simple email pattern, as in the sign-up: text, an at sign, a host with a dot. */
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export function isEmailAddress(text: string): boolean {
  return ADDRESS.test(text.trim())
}
