import type { OutcomeValue } from '@parley/contract'

const CENTS = 100

/** A typed value as a spreadsheet reads it, in one cell; empty without one. */
export function valueText(value: OutcomeValue | null | undefined): string {
  switch (value?.type) {
    case undefined:
      return ''
    case 'date_time':
      return `${value.at.replace('T', ' ')} ${value.timezone}`
    case 'date':
      return value.date
    case 'money':
      return `${(value.amountCents / CENTS).toFixed(2)} ${value.currency}`
    case 'number':
      return value.unit === null ? String(value.number) : `${value.number} ${value.unit}`
    case 'name':
      return value.name
    case 'reference':
      return value.reference
  }
}
