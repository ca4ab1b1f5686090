import { APP_ID, APP_SCHEME, BRAND } from '@parley/contract'

/** What both phone projects are made of. Names, id and scheme are the contract's: api, page and shells share them. */
export const SHELL = {
  id: APP_ID,
  name: BRAND.product,
  scheme: APP_SCHEME,
  /** The page's own (theme.css): `brand` colours notifications, `paper` stands behind the mark and the page. */
  brand: '#2E7D32',
  paper: { light: '#FBFCFA', dark: '#0E1512' },
  /** SVG with filled paths alone; icons and splash screens are made from it. Relative to apps/mobile. */
  mark: '../web/public/mark.svg',
} as const

/** Why iOS is asked for a permission, as the user reads it. English is also the fall-back in Info.plist. */
export const REASONS = {
  NSContactsUsageDescription: {
    en: `${BRAND.product} takes the name and number of the one contact that you choose. It never reads your other contacts.`,
    es: `${BRAND.product} toma el nombre y el número del contacto que elijas. Nunca lee los demás contactos.`,
  },
  NSFaceIDUsageDescription: {
    en: `If you turn on the app lock, ${BRAND.product} opens with Face ID.`,
    es: `Si activas el bloqueo de la aplicación, ${BRAND.product} se abre con Face ID.`,
  },
  NSMicrophoneUsageDescription: {
    en: `${BRAND.product} uses the microphone only while you have taken over a call, so that the person you called hears you.`,
    es: `${BRAND.product} usa el micrófono solo mientras tú llevas la llamada, para que te oiga la persona a la que has llamado.`,
  },
} as const
