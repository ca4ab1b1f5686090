import { APP_SCHEME } from '../brand.ts'
import { LIVE_PATH } from '../notices/notices.ts'
import { SOUND_PATHS } from '../calls/sound.ts'

// What the native shells and the api agree on. A shell's page has another origin than the api, so it has no cookies: it
// sends a token, and a one-use ticket where no header can be sent.

/** The origins of the shells' pages: Android's and iOS's. */
export const SHELL_ORIGINS = ['https://localhost', 'capacitor://localhost'] as const

export const SHELL_PLATFORMS = ['ios', 'android'] as const
export type ShellPlatform = (typeof SHELL_PLATFORMS)[number]

/** A shell's page sends its platform with every request in this header. */
export const SHELL_HEADER = 'parley-shell'

/**
 * Response header with the token of a new session, or a token that replaces the present one. Sent back as
 * `authorization: Bearer pst_…`; a 401 says that the session has ended.
 */
export const SESSION_TOKEN_HEADER = 'parley-session-token'
export const SESSION_TOKEN_PREFIX = 'pst_'

/** A ticket is good for one request, for its path and query alone, as the query's `ticket`. */
export const TICKET_QUERY = 'ticket'
export const TICKET_SECONDS = 60
/** Sockets that take a ticket; the downloads that do have `ticket: true` among the routes. */
export const TICKET_SOCKETS = [LIVE_PATH, SOUND_PATHS.audio, SOUND_PATHS.answer] as const

/**
 * Where the browser returns to after a sign-in: in the app by its scheme, or the https page of the same path, which
 * leads there. Carries `code`, or `error` as the landing page's `message`.
 */
export const SHELL_SIGN_IN_PATHS = { Google: '/app/auth/google', Apple: '/app/auth/apple' } as const
export const SHELL_SIGN_IN_URLS = {
  Google: `${APP_SCHEME}://auth/google`,
  Apple: `${APP_SCHEME}://auth/apple`,
} as const

/** A page for a card provider to return to: leads back into the app, to the path in its query's `to`. */
export const SHELL_RETURN_PATH = '/app/return'
export const SHELL_RETURN_URL = `${APP_SCHEME}://return`

/** What the card provider adds to its return address and a page reads. Its client secrets stay out of the app's link. */
const RETURNED = { payment_intent: /^pi_\w{1,200}$/, setup_intent: /^seti_\w{1,200}$/, redirect_status: /^\w{1,40}$/ }
const CLIENT_SECRETS = ['payment_intent_client_secret', 'setup_intent_client_secret']
/** Pages that a payment began on or ends at. */
const RETURN_TARGETS: ReadonlySet<string> = new Set([
  '/billing',
  '/billing/success',
  '/billing/card-payment',
  '/credits/purchase',
  '/checkout',
  '/new-payment',
  '/test-payment',
  '/settings',
])
const PATH_MAX = 1000

/** The page of the app that a return leads to, with its query; undefined unless the app may be led there. */
export function returnTargetOf(query: URLSearchParams): string | undefined {
  const to = query.get('to') ?? ''
  if (to.length > PATH_MAX || !to.startsWith('/') || !URL.canParse(to, 'https://app.invalid')) return undefined
  const url = new URL(to, 'https://app.invalid')
  if (url.origin !== 'https://app.invalid' || !RETURN_TARGETS.has(url.pathname)) return undefined
  for (const [name, pattern] of Object.entries(RETURNED)) {
    const value = query.get(name)
    if (value !== null && pattern.test(value)) url.searchParams.set(name, value)
  }
  for (const name of CLIENT_SECRETS) url.searchParams.delete(name)
  return url.pathname + url.search
}

/** https links that open the app where it is installed: those in mails, and the way back from a browser. */
export const APP_LINKS = [
  { path: '/verify-email' },
  { path: '/reset-password' },
  { path: '/dashboard', query: 'call' },
  { path: '/calls/*' },
  { path: '/app/*' },
] as const
