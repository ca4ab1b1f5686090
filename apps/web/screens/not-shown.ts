/** Parts of the catalogue that no component test shows, and what shows them instead. */
export const NOT_SHOWN: readonly (readonly [place: string, why: string])[] = [
  ['calls.file.title', 'in a downloaded file: calls/files.test.tsx'],
  ['calls.file.name', 'in a downloaded file: calls/files.test.tsx'],
  ['calls.file.jsonName', 'in a downloaded file: calls/files.test.tsx'],
  ['common.notifications', 'with the key name inserted: app/toasts.test.tsx'],
  ['credits.payment.invalidAmount', 'no package has this price: purchases.test.ts'],
  ['landing.description', 'in the head of the start page, for search engines: apps/web/build/landing.ts'],
  ['settings.secondFactor.fileName', 'the name of a downloaded file: settings/second-factor.test.tsx'],
  ['shell.phone.lockReason', "in the phone's own dialog: screens/platform/phone.test.tsx"],
  ['time.unknown', 'of an invalid date, which no response has: src/lib/format/format.test.ts'],
]
