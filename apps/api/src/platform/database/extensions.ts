import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** Pauses and signs that phones dial after the number; not part of its notation. */
const DIALED_ON = /\d\s*(?:[,;pwx#*~]|ext\w*)[\s.:=,;]*\d[\d*#,;pw\s]*$/i
/** A whole number, a word of any language and more digits: "Durchwahl 5", "poste 12", "int. 5". */
const WORD_AND_DIGITS = /^\+(?:\D*\d){7,}[^\p{L}\d]*\p{L}[\p{L}\p{M}\s.:]*\d{1,7}\D*$/u

/** Whether a number has an extension: "+1 202 555 0100 ext. 5", ";ext=5", "x5", "#5", ",,5", "poste 5". */
export function hasExtension(typed: string): boolean {
  const text = typed
    .trim()
    .replace(/^tel:\s*/i, '')
    .replace(/^00(?=[1-9])/, '+')
  if (!text.startsWith('+')) return false
  return (
    parsePhoneNumberFromString(text, { extract: false })?.ext !== undefined ||
    DIALED_ON.test(text) ||
    WORD_AND_DIGITS.test(text)
  )
}
