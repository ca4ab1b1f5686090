import type { OutcomeValue } from '@parley/contract'
import { expect, test } from 'vitest'
import { valueText } from './value-text.ts'

const VALUES: readonly (readonly [OutcomeValue | null | undefined, string])[] = [
  [{ type: 'date_time', at: '2026-11-30T19:30', timezone: 'Europe/Madrid' }, '2026-11-30 19:30 Europe/Madrid'],
  [{ type: 'date', date: '2026-11-30' }, '2026-11-30'],
  [{ type: 'money', amountCents: 12_005, currency: 'EUR' }, '120.05 EUR'],
  [{ type: 'number', number: 4, unit: 'people' }, '4 people'],
  [{ type: 'number', number: 0.5, unit: null }, '0.5'],
  [{ type: 'name', name: 'Ana Ruiz' }, 'Ana Ruiz'],
  [{ type: 'reference', reference: 'AB-12' }, 'AB-12'],
  [null, ''],
  [undefined, ''],
]

test.each(VALUES)('the cell of %j is "%s"', (value, text) => expect(valueText(value)).toBe(text))
