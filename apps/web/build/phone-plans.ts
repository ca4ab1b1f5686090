import plans from 'libphonenumber-js/metadata.min.json'
import type { Plugin } from 'vite'
import { COUNTRY, FORMAT } from '../src/lib/format/phoneRows.ts'

type Row = readonly unknown[]

/** Ships only those parts of libphonenumber's metadata that formatting needs. */
export function slimPhonePlans(): Plugin {
  return {
    name: 'slim-phone-plans',
    load: {
      filter: { id: /libphonenumber-js\/metadata\.min\.json/ },
      handler: () => `export default ${JSON.stringify(slim(plans))}`,
    },
  }
}

/** The same shape with empty fields, so that libphonenumber can read it. */
export function slim(whole: typeof plans): object {
  const { country_calling_codes: codes, countries, nonGeographic } = whole
  const sharing = new Set<string>(Object.values(codes).flatMap((names) => (names.length > 1 ? names : [])))
  return {
    country_calling_codes: codes,
    countries: slimRows(countries, sharing),
    nonGeographic: slimRows(nonGeographic, sharing),
  }
}

function slimRows(rows: object, sharing: ReadonlySet<string>): object {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [name, slimCountry(row as Row, sharing.has(name))]),
  )
}

function slimCountry(country: Row, sharesItsCode: boolean): unknown[] {
  const formats = country[COUNTRY.formats]
  const types = country[COUNTRY.types]
  return sparse({
    [COUNTRY.callingCode]: country[COUNTRY.callingCode],
    [COUNTRY.formats]: Array.isArray(formats) && formats.map((format: Row) => slimFormat(format)),
    // The patterns that tell countries of one calling code apart.
    [COUNTRY.leadingDigits]: sharesItsCode && country[COUNTRY.leadingDigits],
    [COUNTRY.types]:
      sharesItsCode && Array.isArray(types) && types.slice(0, 2).map((type: Row | 0) => (type ? [type[0]] : 0)),
  })
}

function slimFormat(format: Row): unknown[] {
  const leading = format[FORMAT.leadingDigits]
  return sparse({
    [FORMAT.pattern]: format[FORMAT.pattern],
    [FORMAT.text]: format[FORMAT.text],
    [FORMAT.leadingDigits]: Array.isArray(leading) && leading.slice(-1),
    [FORMAT.international]: format[FORMAT.international],
  })
}

/** A row with 0 for empty entries, cut after its last entry. */
function sparse(entries: Readonly<Record<number, unknown>>): unknown[] {
  const filled = Object.entries(entries).filter(([, value]) => value)
  const row: unknown[] = Array.from({ length: 1 + Math.max(...filled.map(([place]) => Number(place))) }, () => 0)
  for (const [place, value] of filled) row[Number(place)] = value
  return row
}
