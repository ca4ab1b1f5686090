import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min'

// The numbers' plans are heavy: import this file from screens that show numbers, never from the shell or the landing page.

export interface PhoneText {
  /** As it is written in its own country: +1 202 555 0100. */
  readonly number: string
  /** The country's name, where the number tells it. */
  readonly country: string | undefined
}

export function phoneText(phone: string): PhoneText {
  const parsed = parsePhoneNumberFromString(phone)
  if (!parsed) return { number: phone, country: undefined }
  return { number: parsed.formatInternational(), country: countryName(parsed.country ?? parsed.getPossibleCountries()[0]) }
}

function countryName(country: CountryCode | undefined): string | undefined {
  return country && new Intl.DisplayNames(undefined, { type: 'region' }).of(country)
}
