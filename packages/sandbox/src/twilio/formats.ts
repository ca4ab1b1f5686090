import { randomBytes } from 'node:crypto'

type SidPrefix = 'AC' | 'CA' | 'MZ' | 'PN' | 'SK' | 'RQ' | 'NO'

/** A string identifier: two letters and 32 hexadecimal digits. */
export const newSid = (prefix: SidPrefix): string => prefix + randomBytes(16).toString('hex')

/** `Tue, 31 Aug 2010 20:36:28 +0000` */
export const rfc2822 = (at: Date): string => at.toUTCString().replace(/GMT$/, '+0000')

/** `(202) 555-0100` within North America, E.164 elsewhere. */
export function formatted(number: string): string {
  const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number) ?? []
  return area === undefined ? number : `(${area}) ${exchange}-${line}`
}

const PLACES: Readonly<Record<string, readonly [string, string, string, string]>> = {
  '+1': ['NEW YORK', 'NY', '10004', 'US'],
  '+49': ['', '', '', 'DE'],
  '+55': ['São Paulo', 'SP', '', 'BR'],
}

/**
 * What Twilio adds about the places of both numbers, mostly empty and not always ASCII: a signature covers these too.
 */
export function placesOf(from: string, to: string): Readonly<Record<string, string>> {
  const parties = { Caller: from, From: from, Called: to, To: to }
  const fields = Object.entries(parties).flatMap(([party, number]) => {
    const prefix = Object.keys(PLACES).find((each) => number.startsWith(each)) ?? ''
    const [city = '', state = '', zip = '', country = ''] = PLACES[prefix] ?? []
    return Object.entries({ City: city, State: state, Zip: zip, Country: country }).map(([name, value]) => {
      return [`${party}${name}`, value] as const
    })
  })
  return Object.fromEntries(fields)
}
