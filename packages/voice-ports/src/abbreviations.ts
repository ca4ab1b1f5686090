/** Abbreviations whose point does not end a sentence, by language; without their last point, in lower case. */
interface Abbreviations {
  /** Before a name or the word they belong to. */
  readonly leading: string
  /** Before a number only: "No. 5", but "No. Five will do." */
  readonly beforeNumber: string
}

const ABBREVIATIONS: Readonly<Record<'en' | 'es' | 'fr' | 'de', Abbreviations>> = {
  en: {
    leading: 'mr mrs ms dr prof rev hon gen col capt lt sgt st mt messrs ph.d e.g i.e eg ie vs cf approx incl resp',
    beforeNumber: 'no nos nr vol fig p pp ch sec ext apt jan feb apr jun jul aug sep sept oct nov dec',
  },
  es: {
    leading: 'sr sra srta sres dr dra prof profa ing lic arq d dña ud uds avda ctra sto sta p.ej ej aprox',
    beforeNumber: 'núm nº pág págs tel art ene abr dic',
  },
  fr: {
    leading: 'm mm mme mlle mgr pr dr st ste p.ex c.-à-d env bd av',
    beforeNumber: 'n° num art chap tél janv févr avr juil déc',
  },
  de: {
    leading:
      'hr fr dr prof dipl ing med jur phil nat z.b z d.h d u.a u o.ä bzw ca evtl ggf inkl zzgl sog st u.u v.a i.d.r',
    beforeNumber: 'nr art abs s str tel kap bd jan feb mär apr jun jul aug sept okt nov dez',
  },
}

const words = (pick: (one: Abbreviations) => string) =>
  new Set(Object.values(ABBREVIATIONS).flatMap((one) => pick(one).split(' ')))

export const LEADING = words(({ leading }) => leading)
export const BEFORE_NUMBER = words(({ beforeNumber }) => beforeNumber)

/** What follows an ordinal in German: "am 3. Mai", "im 2. Stock". */
export const AFTER_ORDINAL = new Set(
  (
    'januar februar märz april mai juni juli august september oktober november dezember ' +
    'montag dienstag mittwoch donnerstag freitag samstag sonntag stock etage obergeschoss og quartal klasse ' +
    'jahrhundert person gast tag woche monat jahr stunde mal'
  ).split(' '),
)
