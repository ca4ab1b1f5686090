import type { CountryCode } from 'libphonenumber-js/core'
import plans from 'libphonenumber-js/metadata.min.json'
import { regionNames } from './intl.ts'
import { COUNTRY, FORMAT } from './phoneRows.ts'

// Numbering plans, reduced by the build to what is read here (build/phone-plans.ts). Still heavy: import this file
// from screens that show numbers, never from the shell or the landing page.

export interface PhoneText {
  /** In its national format: +1 202 555 0100. */
  readonly number: string
  /** The country's name, if the number tells it. */
  readonly country: string | undefined
}

type Row = readonly unknown[]

const CALLING_CODE_MAX_DIGITS = 3
const rows: Readonly<Record<string, Row>> = { ...(plans.nonGeographic as object), ...plans.countries }
const countriesOf: Readonly<Record<string, readonly CountryCode[]>> = plans.country_calling_codes

export function phoneText(phone: string): PhoneText {
  const digits = /^\+(\d{7,15})$/.exec(phone)?.[1]
  const code = digits && callingCodeOf(digits)
  if (!code) return { number: phone, country: undefined }
  const national = digits.slice(code.length)
  const country = countryOf(code, national)
  return {
    number: `+${code} ${written(code, country, national)}`,
    // Lazy: the first country name takes Intl long.
    get country() {
      return country && regionNames().of(country)
    },
  }
}

function callingCodeOf(digits: string): string | undefined {
  for (let length = 1; length <= CALLING_CODE_MAX_DIGITS; length++) {
    const code = digits.slice(0, length)
    if (code in countriesOf || code in rows) return code
  }
  return undefined
}

/** The country of a number. Of countries that share a code, the first one is the default. */
function countryOf(code: string, national: string): CountryCode | undefined {
  const countries = countriesOf[code] ?? []
  return countries.find((country) => claims(rows[country] ?? [], national)) ?? countries[0]
}

function claims(row: Row, national: string): boolean {
  const leading = row[COUNTRY.leadingDigits]
  if (isText(leading)) return new RegExp(`^(?:${leading})`).test(national)
  // The first two types are fixed line and mobile; the others are the same for all countries of a code.
  const types = listOf(row[COUNTRY.types]).slice(0, 2)
  return types.some((type) => isText(listOf(type)[0]) && matches(String(listOf(type)[0]), national))
}

function written(code: string, country: CountryCode | undefined, national: string): string {
  const [main] = countriesOf[code] ?? []
  const row = [country, main, code]
    .map((name) => (name === undefined ? undefined : rows[name]))
    .find((each) => each?.[COUNTRY.formats])
  for (const format of listOf(row?.[COUNTRY.formats]).map(listOf)) {
    const leading = listOf(format[FORMAT.leadingDigits]).at(-1)
    if (isText(leading) && !new RegExp(`^(?:${leading})`).test(national)) continue
    const pattern = String(format[FORMAT.pattern])
    if (!matches(pattern, national)) continue
    const international = format[FORMAT.international]
    const spaced = national.replace(
      new RegExp(pattern),
      String(isText(international) ? international : format[FORMAT.text]),
    )
    // Brackets and dashes are national; the international format uses spaces.
    return spaced.replaceAll(/\D+/g, ' ').trim()
  }
  return national
}

function matches(pattern: string, text: string): boolean {
  return pattern !== '' && new RegExp(`^(?:${pattern})$`).test(text)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function listOf(value: unknown): Row {
  return Array.isArray(value) ? value : []
}
