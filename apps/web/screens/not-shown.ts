/** Parts of the catalogue that no component test shows, and what shows them instead. */
export const NOT_SHOWN: readonly (readonly [place: string, why: string])[] = [
  ['calls.file.title', 'in a file that is saved: calls/files.test.tsx'],
  ['calls.file.name', 'in a file that is saved: calls/files.test.tsx'],
  ['calls.file.jsonName', 'in a file that is saved: calls/files.test.tsx'],
  ['common.notifications', 'with the name of its key put in: app/toasts.test.tsx'],
  ['credits.payment.invalidAmount', 'no package that is sold costs it: orders.test.ts'],
  ['landing.description', 'in the head of the start page, for search engines: apps/web/build/landing.ts'],
  ['settings.secondFactor.fileName', 'the name of a file that is saved: settings/second-factor.test.tsx'],
  ['time.unknown', 'of a moment that is none, which no answer has: src/lib/format/format.test.ts'],
]
