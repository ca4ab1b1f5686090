/** A simple address pattern, as the sign-up has it: something, an at sign, a host with a dot in it. */
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export function isEmailAddress(text: string): boolean {
  return ADDRESS.test(text.trim())
}
