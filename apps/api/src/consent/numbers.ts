import { isTestNumber, type Refusal } from '@parley/contract'
import { type CountryCode, type NumberType, parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max'
import type { CallableNumbers } from '../config.ts'
import { hasExtension } from '../platform/database/extensions.ts'
import { COUNTRIES, placeOf } from './places.ts'

export interface Refused {
  readonly answer: 'no'
  readonly code: Refusal
  readonly message: string
}

export interface Callable {
  readonly answer: 'yes'
  /** E.164. */
  readonly callee: string
  readonly country: CountryCode
  /** The callee's place; places.ts maps it to zones. */
  readonly place: string
}

const SENTENCES = {
  number_invalid: 'This is not a phone number that can be called. Enter the full phone number including country code.',
  number_emergency: 'Emergency numbers are never called. In an emergency, dial yourself.',
  number_short_code: 'Short numbers are not called. Enter the full phone number including country code.',
  number_premium: 'Premium-rate numbers are not called.',
  number_shared_cost: 'Shared-cost numbers are not called.',
  number_personal: 'Personal follow-me numbers are not called.',
  number_satellite: 'Satellite and international network numbers are not called.',
  number_directory: 'Directory assistance is not called.',
  number_extension: 'Numbers with an extension are not called. Enter the number alone.',
  number_unknown_type: 'It is not known what kind of number this is, so it is not called.',
  country_not_allowed: 'Numbers of this country, or of this kind in it, are not called.',
} as const satisfies Partial<Record<Refusal, string>>
type NumberRefusal = keyof typeof SENTENCES

function no(code: NumberRefusal): Refused {
  return { answer: 'no', code, message: SENTENCES[code] }
}

/** Codes after the plus sign that belong to no country. */
const BEYOND_COUNTRIES: Readonly<Record<string, NumberRefusal>> = {
  '808': 'number_shared_cost',
  '870': 'number_satellite',
  '878': 'number_personal',
  '881': 'number_satellite',
  '882': 'number_satellite',
  '883': 'number_satellite',
  '979': 'number_premium',
}
/** Satellite phones within a national numbering plan (Australia), and North America's pay-per-call exchange. */
const SATELLITE = /^\+6114[57]/
const PAY_PER_CALL_EXCHANGE = /^\+1\d{3}976\d{4}$/
/** Directory assistance in North America: 555 1212 in every area code, toll-free ones included. */
const DIRECTORY = /^\+1[2-9]\d{2}5551212$/
/** Directory assistance as dialed nationally: 411 in North America, 118 and longer in Europe, and Australia's. */
const DIRECTORY_AT_HOME = /^(?:1?411|5551212|118\d{2,3}|1223|12455)$/
const SHORT_MAX = 6
/** Police, fire, ambulance, coast guard and crisis lines of all countries. */
const EMERGENCY = new Set(
  `000 015 017 018 100 101 102 103 104 105 106 107 108 110 111 112 113 114 115 116 117 118 119 120 122 123 127 128 129 130 131 132 133
   140 144 147 150 155 158 160 166 180 185 190 191 192 193 194 195 197 198 199 900 901 902 903 910 911 912 913 917 922 933 988 989 990
   991 992 993 994 995 996 997 998 999 15 16 17 18 19 9911 1122 1300 116000 116111 116123`.split(/\s+/),
)
/** Fictional numbers for demonstrations, in any area code; never assigned on real networks. */
const SIMULATED_NUMBER = /^\+1[2-9]\d{2}55501\d{2}$/

const KINDS: Readonly<Record<NonNullable<NumberType>, NumberRefusal | 'landline' | 'other'>> = {
  FIXED_LINE: 'landline',
  FIXED_LINE_OR_MOBILE: 'other',
  MOBILE: 'other',
  TOLL_FREE: 'other',
  VOIP: 'other',
  UAN: 'other',
  PREMIUM_RATE: 'number_premium',
  SHARED_COST: 'number_shared_cost',
  PERSONAL_NUMBER: 'number_personal',
  PAGER: 'number_unknown_type',
  VOICEMAIL: 'number_unknown_type',
}

/** Checks a typed number on its own: its E.164 form and place, or why it is never dialed. */
export function judgeNumber(typed: string, numbers: CallableNumbers): Callable | Refused {
  const text = typed.trim().replace(/^00(?=[1-9])/, '+')
  const parsed = text.startsWith('+') ? parsePhoneNumberFromString(text, { extract: false }) : undefined
  if (hasExtension(text)) return no('number_extension')
  if (!parsed) return judgeShort(text.replaceAll(/\D/g, ''))
  const beyond = BEYOND_COUNTRIES[parsed.countryCallingCode]
  if (beyond) return no(beyond)
  if (parsed.nationalNumber.length <= SHORT_MAX && !parsed.isValid()) return judgeShort(parsed.nationalNumber)
  return judgeFull(parsed, numbers)
}

function judgeShort(digits: string): Refused {
  if (EMERGENCY.has(digits)) return no('number_emergency')
  if (DIRECTORY_AT_HOME.test(digits)) return no('number_directory')
  return no(digits.length > 1 && digits.length <= SHORT_MAX ? 'number_short_code' : 'number_invalid')
}

/** Whether a fictional number is answered by the simulated network. */
function isAnswered(callee: string, numbers: CallableNumbers): boolean {
  return numbers === 'simulated' || (numbers === 'real_and_test' && isTestNumber(callee))
}

function judgeFull(parsed: PhoneNumber, numbers: CallableNumbers): Callable | Refused {
  const { number: callee, country, nationalNumber } = parsed
  const isSimulated = SIMULATED_NUMBER.test(callee)
  if (DIRECTORY.test(callee)) return no('number_directory')
  if (SATELLITE.test(callee)) return no('number_satellite')
  if (PAY_PER_CALL_EXCHANGE.test(callee)) return no('number_premium')
  if (isSimulated ? !isAnswered(callee, numbers) : !parsed.isValid()) return no('number_invalid')

  const type = parsed.getType() ?? (isSimulated ? 'FIXED_LINE_OR_MOBILE' : undefined)
  const kind = type === undefined ? 'number_unknown_type' : KINDS[type]
  if (kind !== 'landline' && kind !== 'other') return no(kind)
  const home = country ?? (isSimulated ? 'US' : undefined)
  const rule = home === undefined ? undefined : COUNTRIES[home]
  if (home === undefined || !rule || (rule.landlinesOnly && kind !== 'landline')) return no('country_not_allowed')
  return { answer: 'yes', callee, country: home, place: placeOf(home, nationalNumber) }
}
