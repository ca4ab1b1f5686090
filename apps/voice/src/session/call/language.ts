import type { CallLanguage, CallOrder } from '@parley/contract'
import type { Mind } from '@parley/voice-ports'
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js'

type SpokenLanguage = Exclude<CallLanguage, 'auto'>

/** Main language by country, for orders with the language auto; elsewhere English. */
const COUNTRIES: Partial<Record<SpokenLanguage, readonly CountryCode[]>> = {
  ar: ['AE', 'BH', 'DZ', 'EG', 'IQ', 'JO', 'KW', 'LB', 'LY', 'MA', 'OM', 'PS', 'QA', 'SA', 'SD', 'SY', 'TN', 'YE'],
  zh: ['CN', 'HK', 'MO', 'TW'],
  fr: [
    'BF',
    'BJ',
    'CD',
    'CG',
    'CI',
    'CM',
    'FR',
    'GA',
    'GF',
    'GN',
    'GP',
    'MC',
    'ML',
    'MQ',
    'NC',
    'NE',
    'PF',
    'RE',
    'SN',
    'TG',
  ],
  de: ['AT', 'CH', 'DE', 'LI'],
  el: ['CY', 'GR'],
  hi: ['IN'],
  it: ['IT', 'SM', 'VA'],
  ja: ['JP'],
  pt: ['AO', 'CV', 'GW', 'MZ', 'PT', 'ST'],
  'pt-BR': ['BR'],
  es: [
    'AR',
    'BO',
    'CL',
    'CO',
    'CR',
    'CU',
    'DO',
    'EC',
    'ES',
    'GQ',
    'GT',
    'HN',
    'MX',
    'NI',
    'PA',
    'PE',
    'PY',
    'SV',
    'UY',
    'VE',
  ],
}

const languageOf = new Map<CountryCode, SpokenLanguage>(
  typedEntries(COUNTRIES).flatMap(([language, countries]) => countries.map((country) => [country, language] as const)),
)

/** The language a call begins in; with auto, the language heard may change it. */
function resolveLanguage(chosen: CallLanguage, callee: string): string {
  if (chosen !== 'auto') return chosen
  const country = parsePhoneNumberFromString(callee)?.country
  return (country && languageOf.get(country)) ?? 'en'
}

/** The language a call begins in with this mind: English where it does not speak the other. */
export function firstLanguage({ language, callee }: Pick<CallOrder, 'language' | 'callee'>, mind: Mind): string {
  const wanted = resolveLanguage(language, callee)
  return (mind.speaks?.(wanted) ?? true) ? wanted : 'en'
}

/** Safe cast: the literal above has no keys but those of its type. */
function typedEntries<K extends string, V>(record: Partial<Record<K, V>>): [K, V][] {
  return Object.entries(record) as [K, V][]
}
