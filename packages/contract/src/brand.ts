/** The names a customer sees. Change the product's name, its owner or its address here alone. */
export const BRAND = {
  product: 'Parley',
  tagline: 'An AI that makes your phone calls',
  parentCompany: 'Parley Group',
  parentCompanyUrl: 'https://parley.example',
  supportEmail: 'support@parley.example',
  toolbarColor: '#4CAF50',
} as const

/** Identifies the native apps: iOS's bundle id and Android's application id. */
export const APP_ID = 'example.parley.app'

/** The native shells' own scheme, for returning to the app after a sign-in in the browser. */
export const APP_SCHEME = 'parley'

/** Seven common uses of Parley; the landing page shows one every 3 seconds. */
export const CAPABILITIES = [
  'negotiate hotel stays',
  'survey businesses and individuals',
  'call friends and family',
  'generate business leads',
  'amend bookings',
  'send reminders',
  'make restaurant reservations',
] as const

export const TAGLINE_ROTATION_MS = 3000
export const GREETING_COUNTDOWN_SECONDS = 3
export const VERIFICATION_BANNER_CLEANUP_MS = 1000
