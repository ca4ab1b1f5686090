import type { Mandate, MandateLimits } from '@parley/contract'
import { money, plainDate, plainTime } from '../../../lib/format/values.ts'
import { words } from '../../../words/index.ts'

/** What may be agreed to, in a line. */
export function mandateText(mandate: Mandate): string {
  const { rules, within } = words().calls.mandate
  return mandate.rule === 'within_limits' ? within(limitsText(mandate.limits)) : rules[mandate.rule]
}

function limitsText(limits: MandateLimits): string {
  const { limit } = words().calls.mandate
  const { priceMax, alternatives = [] } = limits
  return [
    ...(priceMax ? [limit.price(money(priceMax))] : []),
    ...rangeText(limits.timeFrom, limits.timeTo, plainTime),
    ...rangeText(limits.dateFrom, limits.dateTo, plainDate),
    ...peopleText(limits),
    ...(alternatives.length > 0 ? [limit.otherwise(alternatives.join(', '))] : []),
  ].join('; ')
}

function rangeText(from: string | undefined, to: string | undefined, show: (text: string) => string): string[] {
  const { limit } = words().calls.mandate
  if (from !== undefined && to !== undefined) return [limit.between(show(from), show(to))]
  if (from !== undefined) return [limit.from(show(from))]
  return to === undefined ? [] : [limit.to(show(to))]
}

function peopleText({ peopleMin, peopleMax }: MandateLimits): string[] {
  const { limit } = words().calls.mandate
  if (peopleMin !== undefined && peopleMax !== undefined) return [limit.people(peopleMin, peopleMax)]
  if (peopleMin !== undefined) return [limit.peopleMin(peopleMin)]
  return peopleMax === undefined ? [] : [limit.peopleMax(peopleMax)]
}
