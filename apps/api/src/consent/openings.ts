import { openingOf, type Opening } from './hours.ts'
import { whereaboutsOf } from './places.ts'

/** By place: there are as many as regions and zones. */
const known = new Map<string, Opening>()

/**
 * Whether calls may be made in a place now. Worked out once a quarter of an hour for each, however many lists have it.
 */
export function openingAt(place: string, now: Date): Opening {
  const last = known.get(place)
  if (last && last.until > now) return last
  const opening = openingOf(now, whereaboutsOf(place))
  known.set(place, opening)
  return opening
}

/** When the first of these places opens; null: one of them is open, or there is none. */
export function firstOpeningAt(places: readonly string[], now: Date): Date | null {
  const openings = places.map((place) => openingAt(place, now))
  if (openings.length === 0 || openings.some(({ open }) => open)) return null
  return new Date(Math.min(...openings.map(({ until }) => until.getTime())))
}
