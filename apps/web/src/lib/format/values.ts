import type { Money, OutcomeValue } from '@parley/contract'
import { words } from '../../words/index.ts'
import { locale } from '../language.ts'
import { dateFormat } from './intl.ts'

const CENTS = 100

export function money({ amountCents, currency }: Pick<Money, 'amountCents' | 'currency'>): string {
  return (amountCents / CENTS).toLocaleString(locale(), { style: 'currency', currency })
}

// Times and days of elsewhere, as they are read there: never moved to the reader's zone.

/** 19:30 as people write it here. */
export function plainTime(time: string): string {
  return dateFormat({ timeStyle: 'short', timeZone: 'UTC' }).format(new Date(`2026-01-01T${time}Z`))
}

/** 2026-11-30 as people write it here, with the day of the week. */
export function plainDate(date: string): string {
  return dateFormat({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00Z`),
  )
}

/** What was agreed or found out, in a line. */
export function valueText(value: OutcomeValue): string {
  const { value: texts } = words().calls
  switch (value.type) {
    case 'date_time': {
      const [date = '', time = ''] = value.at.split('T')
      const place = value.timezone.split('/').at(-1)?.replaceAll('_', ' ') ?? value.timezone
      return texts.timeIn(`${plainDate(date)}, ${plainTime(time)}`, place)
    }
    case 'date':
      return plainDate(value.date)
    case 'money':
      return money(value)
    case 'number':
      return [value.number.toLocaleString(locale()), value.unit].filter((part) => part !== null).join(' ')
    case 'name':
      return texts.name(value.name)
    case 'reference':
      return texts.reference(value.reference)
  }
}
