import {
  english,
  englishOrdinal,
  french,
  german,
  germanBefore,
  germanOrdinal,
  spanish,
  spanishBefore,
} from './numerals.ts'

type Currency = 'USD' | 'EUR' | 'GBP' | 'CHF'
/** One, several, and the same of its hundredth. */
type CurrencyNames = readonly [string, string, string, string]

/** How a language says what is written in figures. */
export interface SpeechOf {
  /** Of a number that stands alone. */
  readonly cardinal: (value: number) => string
  /** Whether its form depends on a noun that is not known here: the voice reads such figures itself. */
  readonly inflects: (value: number) => boolean
  /** Of decimals: "three point five". */
  readonly point: string
  readonly plus: string
  readonly percent: string
  /** Whether a number is written 1,250.50. */
  readonly hasDecimalPoint: boolean
  readonly currencies: Readonly<Record<Currency, CurrencyNames>>
  money(whole: number, hundredths: number, names: CurrencyNames): string
  readonly units: Readonly<Record<string, readonly [string, string]>>
  /** `half`: am, pm or nothing. */
  time(hours: number, minutes: number, half: 'am' | 'pm' | null): string
  /** Day and month in words; months count from 1. `lead`: the word before. */
  day(day: number, month: number, lead: string): string
  year(year: number): string
  /** Between day and year. */
  readonly beforeYear: string
}

const before = (one: string, many: string, value: number) => (value === 1 ? one : many)

const en: SpeechOf = {
  cardinal: english,
  inflects: () => false,
  point: 'point',
  plus: 'plus',
  percent: 'percent',
  hasDecimalPoint: true,
  currencies: {
    USD: ['dollar', 'dollars', 'cent', 'cents'],
    EUR: ['euro', 'euros', 'cent', 'cents'],
    GBP: ['pound', 'pounds', 'penny', 'pence'],
    CHF: ['Swiss franc', 'Swiss francs', 'centime', 'centimes'],
  },
  money(whole, hundredths, [one, many, cent, cents]) {
    const small = `${english(hundredths)} ${before(cent, cents, hundredths)}`
    if (whole === 0 && hundredths > 0) return small
    const large = `${english(whole)} ${before(one, many, whole)}`
    return hundredths === 0 ? large : `${large} and ${small}`
  },
  units: {
    km: ['kilometer', 'kilometers'],
    'km/h': ['kilometer an hour', 'kilometers an hour'],
    mph: ['mile an hour', 'miles an hour'],
    cm: ['centimeter', 'centimeters'],
    'm²': ['square meter', 'square meters'],
    kg: ['kilogram', 'kilograms'],
    '°C': ['degree Celsius', 'degrees Celsius'],
    '°F': ['degree Fahrenheit', 'degrees Fahrenheit'],
  },
  time(hours, minutes, half) {
    const isAfternoon = hours > 12
    const hour = english(isAfternoon ? hours - 12 : hours === 0 ? 12 : hours)
    const late = half === null ? (isAfternoon ? ' PM' : hours === 0 ? ' AM' : '') : ` ${half.toUpperCase()}`
    if (minutes === 0) return late === '' ? `${hour} o'clock` : hour + late
    return `${hour} ${minutes < 10 ? `oh ${english(minutes)}` : english(minutes)}${late}`
  },
  day: (day, month, lead) => {
    const ordinal = englishOrdinal(day)
    return /^the$/i.test(lead) ? `${ordinal} of ${MONTHS.en[month - 1]}` : `${MONTHS.en[month - 1]} ${ordinal}`
  },
  year(year) {
    const [head, rest] = [Math.floor(year / 100), year % 100]
    if (year < 1100 || (head === 20 && rest < 10)) return english(year)
    if (rest === 0) return `${english(head)} hundred`
    return `${english(head)} ${rest < 10 ? `oh ${english(rest)}` : english(rest)}`
  },
  beforeYear: ', ',
}

const de: SpeechOf = {
  cardinal: german,
  inflects: (value) => value === 1,
  point: 'Komma',
  plus: 'plus',
  percent: 'Prozent',
  hasDecimalPoint: false,
  currencies: {
    USD: ['Dollar', 'Dollar', 'Cent', 'Cent'],
    EUR: ['Euro', 'Euro', 'Cent', 'Cent'],
    GBP: ['Pfund', 'Pfund', 'Penny', 'Pence'],
    CHF: ['Franken', 'Franken', 'Rappen', 'Rappen'],
  },
  money(whole, hundredths, [, name, , cents]) {
    if (whole === 0 && hundredths > 0) return `${germanBefore(hundredths)} ${cents}`
    const large = `${germanBefore(whole)} ${name}`
    return hundredths === 0 ? large : `${large} ${german(hundredths)}`
  },
  units: {
    km: ['Kilometer', 'Kilometer'],
    'km/h': ['Kilometer pro Stunde', 'Kilometer pro Stunde'],
    cm: ['Zentimeter', 'Zentimeter'],
    'm²': ['Quadratmeter', 'Quadratmeter'],
    kg: ['Kilogramm', 'Kilogramm'],
    '°C': ['Grad Celsius', 'Grad Celsius'],
  },
  time(hours, minutes, half) {
    const hour = half === 'pm' && hours < 12 ? hours + 12 : hours
    return `${germanBefore(hour)} Uhr${minutes === 0 ? '' : ` ${german(minutes)}`}`
  },
  day(day, month, lead) {
    const ending = /^(?:am|dem|vom|zum|den|bis|ab|im|des|beim)$/i.test(lead)
      ? 'en'
      : /^(?:der|die|das)$/i.test(lead)
        ? 'e'
        : 'er'
    return `${germanOrdinal(day)}${ending} ${MONTHS.de[month - 1]}`
  },
  year(year) {
    const [head, rest] = [Math.floor(year / 100), year % 100]
    if (head < 11 || head > 19) return german(year)
    return `${german(head)}hundert${rest === 0 ? '' : german(rest)}`
  },
  beforeYear: ' ',
}

const fr: SpeechOf = {
  cardinal: french,
  inflects: (value) => value % 10 === 1 && value % 100 !== 11,
  point: 'virgule',
  plus: 'plus',
  percent: 'pour cent',
  hasDecimalPoint: false,
  currencies: {
    USD: ['dollar', 'dollars', 'cent', 'cents'],
    EUR: ['euro', 'euros', 'centime', 'centimes'],
    GBP: ['livre', 'livres', 'penny', 'pence'],
    CHF: ['franc suisse', 'francs suisses', 'centime', 'centimes'],
  },
  money(whole, hundredths, names) {
    const [one, many, cent, cents] = names
    // "Une livre", "vingt et une livres".
    const counted = one === 'livre' ? french(whole).replace(/\bun$/, 'une') : french(whole)
    if (whole === 0 && hundredths > 0) return `${french(hundredths)} ${before(cent, cents, hundredths)}`
    const large = `${counted}${/million(?:s)?$/.test(counted) ? ' de' : ''} ${whole < 2 ? one : many}`
    return hundredths === 0 ? large : `${large} ${french(hundredths)}`
  },
  units: {
    km: ['kilomètre', 'kilomètres'],
    'km/h': ['kilomètre à l’heure', 'kilomètres à l’heure'],
    cm: ['centimètre', 'centimètres'],
    'm²': ['mètre carré', 'mètres carrés'],
    kg: ['kilo', 'kilos'],
    '°C': ['degré', 'degrés'],
  },
  time(hours, minutes, half) {
    const hour = half === 'pm' && hours < 12 ? hours + 12 : hours
    const said = french(hour).replace(/\bun$/, 'une')
    return `${said} heure${hour < 2 ? '' : 's'}${minutes === 0 ? '' : ` ${french(minutes).replace(/\bun$/, 'une')}`}`
  },
  day: (day, month) => `${day === 1 ? 'premier' : french(day)} ${MONTHS.fr[month - 1]}`,
  year: french,
  beforeYear: ' ',
}

const es: SpeechOf = {
  cardinal: spanish,
  // "Una mesa", "doscientas personas".
  inflects: (value) => (value % 10 === 1 && value % 100 !== 11) || (value % 1000 >= 200 && value % 1000 < 1000),
  point: 'coma',
  plus: 'más',
  percent: 'por ciento',
  hasDecimalPoint: false,
  currencies: {
    USD: ['dólar', 'dólares', 'centavo', 'centavos'],
    EUR: ['euro', 'euros', 'céntimo', 'céntimos'],
    GBP: ['libra', 'libras', 'penique', 'peniques'],
    CHF: ['franco suizo', 'francos suizos', 'céntimo', 'céntimos'],
  },
  money(whole, hundredths, [one, many, cent, cents]) {
    const said = spanishBefore(whole)
    const counted =
      one === 'libra' ? said.replace(/\bun$/, 'una').replace(/ún$/, 'una').replaceAll('cientos', 'cientas') : said
    if (whole === 0 && hundredths > 0) return `${spanishBefore(hundredths)} ${before(cent, cents, hundredths)}`
    const large = `${counted}${/mill(?:ón|ones)$/.test(counted) ? ' de' : ''} ${before(one, many, whole)}`
    return hundredths === 0 ? large : `${large} con ${spanish(hundredths)}`
  },
  units: {
    km: ['kilómetro', 'kilómetros'],
    'km/h': ['kilómetro por hora', 'kilómetros por hora'],
    cm: ['centímetro', 'centímetros'],
    'm²': ['metro cuadrado', 'metros cuadrados'],
    kg: ['kilo', 'kilos'],
    '°C': ['grado', 'grados'],
  },
  time(hours, minutes, half) {
    const hour = spanish(hours).replace(/uno$/, 'una')
    const part =
      half === null ? '' : half === 'am' ? ' de la mañana' : hours >= 8 && hours < 12 ? ' de la noche' : ' de la tarde'
    return `${hour}${minutes === 0 ? '' : minutes < 10 ? ` y ${spanish(minutes)}` : ` ${spanish(minutes)}`}${part}`
  },
  day: (day, month) => `${day === 1 ? 'primero' : spanish(day)} de ${MONTHS.es[month - 1]}`,
  year: spanish,
  beforeYear: ' de ',
}

export const MONTHS = {
  en: 'January February March April May June July August September October November December'.split(' '),
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' '),
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' '),
} as const

export const SPEECH = { en, de, fr, es } as const
export type SpokenLanguage = keyof typeof SPEECH
