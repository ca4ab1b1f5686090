import type { Spoken } from '../memory.ts'

/** Names of days, months, currencies and halves of the day, without accents, as `fold` leaves them. */
export interface Calendar {
  readonly weekdays: readonly string[]
  readonly months: readonly string[]
  /** Days counted from today. */
  readonly relative: Readonly<Record<string, number>>
  readonly spans: RegExp
  readonly morning: string
  readonly evening: string
  readonly noon: string
  readonly midnight: string
  /** Before an hour without minutes: at, by, around. */
  readonly at: string
  readonly oclock: string
  readonly currencies: Readonly<Record<string, string>>
  readonly percent: string
  readonly forPeople: string
  readonly people: string
  readonly units: string
}

export const CALENDARS: Readonly<Record<Spoken, Calendar>> = {
  en: {
    weekdays: ['monday|mon', 'tuesday|tues', 'wednesday|wed', 'thursday|thurs', 'friday|fri', 'saturday', 'sunday'],
    months: [
      'january|jan',
      'february|feb',
      'march',
      'april|apr',
      'may',
      'june',
      'july',
      'august|aug',
      'september|sept',
      'october|oct',
      'november|nov',
      'december|dec',
    ],
    relative: { 'the day after tomorrow': 2, tomorrow: 1, today: 0, tonight: 0 },
    spans: /\b(?:this|next|the following|end of the) (?:week|month|weekend)\b/,
    morning: 'a\\.?m\\.?|in the morning',
    evening: 'p\\.?m\\.?|in the (?:afternoon|evening)|at night|tonight',
    noon: 'noon|midday',
    midnight: 'midnight',
    at: 'at|by|around|about|until|till|from|after|before|past|between|not|maybe|make it|do|have',
    oclock: "o'? ?clock",
    currencies: {
      dollars: '$',
      dollar: '$',
      bucks: '$',
      usd: '$',
      euros: '€',
      euro: '€',
      eur: '€',
      pounds: '£',
      pound: '£',
      quid: '£',
      gbp: '£',
      'per night': '',
      'a night': '',
      'a person': '',
      'per person': '',
      'each night': '',
    },
    percent: 'percent|per cent|%',
    forPeople: 'for|party of|group of',
    people: 'people|persons?|guests?|adults|of us|pax',
    units:
      'nights?|rooms?|minutes?|hours?|days?|weeks?|months?|years?|seats?|children|kids|tickets?|tables?|times|points?|stars?',
  },
  es: {
    weekdays: ['lunes', 'martes', 'miercoles', 'jueves', 'viernes', 'sabado', 'domingo'],
    months: [
      'enero',
      'febrero',
      'marzo',
      'abril',
      'mayo',
      'junio',
      'julio',
      'agosto',
      'septiembre|setiembre',
      'octubre',
      'noviembre',
      'diciembre',
    ],
    relative: { 'pasado manana': 2, '(?<!la )manana': 1, hoy: 0 },
    spans: /\b(?:la semana que viene|la proxima semana|el fin de semana|el mes que viene)\b/,
    morning: 'de la manana',
    evening: 'de la (?:tarde|noche)',
    noon: 'mediodia',
    midnight: 'medianoche',
    at: 'a las|a la|las|sobre las|hacia las|hasta las|desde las',
    oclock: 'en punto|horas|h',
    currencies: { euros: '€', euro: '€', dolares: '$', dolar: '$', pesos: '$', 'por noche': '' },
    percent: 'por ciento|%',
    forPeople: 'para|somos|grupo de',
    people: 'personas?|adultos|comensales',
    units: 'noches?|habitaciones|minutos?|horas|dias?|semanas?|meses|anos?',
  },
  fr: {
    weekdays: ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'],
    months: [
      'janvier',
      'fevrier',
      'mars',
      'avril',
      'mai',
      'juin',
      'juillet',
      'aout',
      'septembre',
      'octobre',
      'novembre',
      'decembre',
    ],
    relative: { 'apres-demain': 2, 'apres demain': 2, demain: 1, "aujourd'hui": 0, 'ce soir': 0 },
    spans: /\b(?:la semaine prochaine|ce week-?end|le mois prochain)\b/,
    morning: 'du matin',
    evening: "de l'apres-midi|du soir",
    noon: 'midi(?! )|midi',
    midnight: 'minuit',
    at: "a|vers|jusqu'a|des|apres|avant|pour",
    oclock: 'heures?|h',
    currencies: { euros: '€', euro: '€', dollars: '$', dollar: '$', 'par nuit': '' },
    percent: 'pour cent|%',
    forPeople: 'pour|nous serons|groupe de',
    people: 'personnes?|adultes|couverts',
    units: 'nuits?|chambres?|minutes?|jours?|semaines?|mois|ans?',
  },
  de: {
    weekdays: ['montag', 'dienstag', 'mittwoch', 'donnerstag', 'freitag', 'samstag|sonnabend', 'sonntag'],
    months: [
      'januar',
      'februar',
      'marz',
      'april',
      'mai',
      'juni',
      'juli',
      'august',
      'september',
      'oktober',
      'november',
      'dezember',
    ],
    relative: { ubermorgen: 2, morgen: 1, heute: 0 },
    spans: /\b(?:nachste woche|am wochenende|nachsten monat)\b/,
    morning: 'morgens|vormittags|am vormittag',
    evening: 'nachmittags|abends|am (?:abend|nachmittag)',
    noon: 'mittags?',
    midnight: 'mitternacht',
    at: 'um|gegen|bis|ab|nach|vor|erst um',
    oclock: 'uhr',
    currencies: { euro: '€', euros: '€', dollar: '$', franken: 'CHF ', 'pro nacht': '' },
    percent: 'prozent|%',
    forPeople: 'fur|zu|gruppe von',
    people: 'personen|person|leute|gaste|erwachsene',
    units: 'nachte?|zimmer|minuten?|stunden?|tage?|wochen?|monate?|jahre?',
  },
}
