import type { OutcomeValue } from '@parley/contract'

const CENTS = 100

/** A typed value in the words of a letter, in English; the time is the one there. */
export function valueWords(value: OutcomeValue): string {
  switch (value.type) {
    case 'date_time': {
      const place = value.timezone.split('/').at(-1)?.replaceAll('_', ' ') ?? value.timezone
      return `${whenWords(`${value.at}Z`, { dateStyle: 'full', timeStyle: 'short' })}, ${place} time`
    }
    case 'date':
      return whenWords(`${value.date}T00:00Z`, { dateStyle: 'full' })
    case 'money':
      return moneyWords(value.amountCents / CENTS, value.currency)
    case 'number':
      return [value.number.toLocaleString('en'), value.unit].filter((part) => part !== null).join(' ')
    case 'name':
      return `name: ${value.name}`
    case 'reference':
      return `reference: ${value.reference}`
  }
}

function whenWords(at: string, style: Intl.DateTimeFormatOptions): string {
  // Some spaces of Intl are narrow ones, which mail programs show as boxes.
  return new Date(at).toLocaleString('en-US', { ...style, timeZone: 'UTC' }).replace(/\u202f/g, ' ')
}

/** A currency that is none of ISO 4217 is named behind its figure. */
function moneyWords(amount: number, currency: string): string {
  try {
    return amount.toLocaleString('en-US', { style: 'currency', currency })
  } catch {
    return `${amount.toFixed(2)} ${currency}`
  }
}
