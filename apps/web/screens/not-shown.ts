/** Parts of the catalogue that no component test shows, and what shows them instead. */
export const NOT_SHOWN: readonly (readonly [place: string, why: string])[] = [
  ['accounts', 'the journeys'],
  ['calls.file.title', 'in a file that is saved: calls/files.test.tsx'],
  ['calls.file.name', 'in a file that is saved: calls/files.test.tsx'],
  ['calls.file.jsonName', 'in a file that is saved: calls/files.test.tsx'],
  ['common', 'the journeys'],
  ['credits', 'the journeys'],
  ['landing', 'the journeys'],
  ['settings', 'the journeys'],
  ['shell', 'the journeys'],
  ['time', 'the journeys'],
  ['titles', 'the journeys'],
]
