import { openingOf, type Opening } from './hours.ts'
import { whereaboutsOf } from './places.ts'

/** By place; bounded by the number of regions and zones. */
const known = new Map<string, Opening>()

/** Whether calls to a place are allowed now; computed once per quarter of an hour for all batches. */
export function openingAt(place: string, now: Date): Opening {
  const last = known.get(place)
  if (last && last.until > now) return last
  const opening = openingOf(now, whereaboutsOf(place))
  known.set(place, opening)
  return opening
}

/** When the first of these places opens; null if one is open, or the list is empty. */
export function firstOpeningAt(places: readonly string[], now: Date): Date | null {
  const openings = places.map((place) => openingAt(place, now))
  if (openings.length === 0 || openings.some(({ open }) => open)) return null
  return new Date(Math.min(...openings.map(({ until }) => until.getTime())))
}
