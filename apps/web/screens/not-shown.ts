/** Parts of the catalogue that no component test shows, and what shows them instead. */
export const NOT_SHOWN: readonly (readonly [place: string, why: string])[] = [
  ['accounts', 'the journeys'],
  ['batches', 'the journeys'],
  ['calls', 'the journeys'],
  ['common', 'the journeys'],
  ['credits', 'the journeys'],
  ['landing', 'the journeys'],
  ['reports', 'the journeys'],
  ['settings', 'the journeys'],
  ['shell', 'the journeys'],
  ['templates', 'the journeys'],
  ['time', 'the journeys'],
  ['titles', 'the journeys'],
]
