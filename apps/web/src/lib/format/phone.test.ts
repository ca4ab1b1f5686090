import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import plans from 'libphonenumber-js/metadata.min.json'
import examples from 'libphonenumber-js/mobile/examples'
import { describe, expect, it, vi } from 'vitest'
import { slim } from '../../../build/phone-plans.ts'
import { phoneText } from './phone.ts'

const landlines = [
  '+442079460018',
  '+498912345678',
  '+390612345678',
  '+33142685300',
  '+5491123456789',
  '+61291234567',
  '+14165550123',
]
const free = ['+18005550199', '+448001111', '+80012345678', '+870773111632']
const all = [
  ...Object.entries(examples).flatMap(([country, example]) => mobileOf(country, example)),
  ...landlines,
  ...free,
]

function mobileOf(country: string, example: string): string[] {
  const number = parsePhoneNumberFromString(example, country as never)?.number
  return number ? [number] : []
}

it.each([
  ['+12025550100', '+1 202 555 0100', 'United States'],
  ['+442079460018', '+44 20 7946 0018', 'United Kingdom'],
  ['+18765550100', '+1 876 555 0100', 'Jamaica'],
])('formats %s as its country does', (phone, number, country) => expect(phoneText(phone)).toEqual({ number, country }))

it.each(['ask Ana', '+99912345678', '+1', ''])('leaves text that is not a number unchanged: %s', (text) => {
  expect(phoneText(text)).toEqual({ number: text, country: undefined })
})

/** Formatted by libphonenumber with full metadata. */
function asTheLibrary(phone: string) {
  const parsed = parsePhoneNumberFromString(phone)!
  const country = parsed.country ?? parsed.getPossibleCountries()[0]
  return {
    number: parsed.formatInternational(),
    country: country && new Intl.DisplayNames(undefined, { type: 'region' }).of(country),
  }
}

describe('numbers of every country', () => {
  it('are formatted as by libphonenumber', () => {
    expect(all.length).toBeGreaterThan(200)
    expect(all.map((phone) => phoneText(phone))).toEqual(all.map(asTheLibrary))
  })

  it('are formatted the same with the slim metadata of the build', async () => {
    const wanted = all.map((phone) => phoneText(phone))
    vi.resetModules()
    vi.doMock('libphonenumber-js/metadata.min.json', () => ({ default: slim(plans) }))
    const { phoneText: slimText } = await import('./phone.ts')
    expect(all.map((phone) => slimText(phone))).toEqual(wanted)
    expect(JSON.stringify(slim(plans)).length).toBeLessThan(JSON.stringify(plans).length * 0.7)
  })
})
