import { systemPaths } from '../paths.ts'

/** Probes of a load balancer or supervisor; api and voice have the same. */
export const PROBE_PATHS = { livez: systemPaths.livez.path, readyz: systemPaths.readyz.path } as const

/** Every page of the web app and who may see it; any other path is the 404 page. */
export const PAGES = {
  '/': 'public',
  '/login': 'signed-out',
  '/register': 'signed-out',
  '/reset-password': 'signed-out',
  '/verify-email': 'public',
  '/privacy-policy': 'public',
  '/terms-of-service': 'public',
  '/dashboard': 'signed-in',
  '/make-call': 'signed-in',
  '/call-history': 'signed-in',
  '/analytics': 'signed-in',
  '/contacts': 'signed-in',
  '/billing': 'signed-in',
  '/checkout': 'signed-in',
  '/credits/purchase': 'signed-in',
  '/billing/card-payment': 'signed-in',
  '/billing/success': 'signed-in',
  '/test-payment': 'signed-in',
  '/new-payment': 'signed-in',
  '/settings': 'signed-in',
  '/welcome': 'signed-in',
} as const satisfies Record<string, 'public' | 'signed-out' | 'signed-in'>
export type PagePath = keyof typeof PAGES

/** Answer handling of the web page, as specified. */
export const QUERY_DEFAULTS = {
  staleMs: 2 * 60_000,
  userStaleMs: 5 * 60_000,
  cacheMs: 5 * 60_000,
  readRetries: 2,
  backoffFirstMs: 1000,
  backoffMaxMs: 30_000,
  readTimeoutMs: 15_000,
} as const
export const TOASTS = { limit: 1, durationMs: 5000, swipeThresholdPx: 50, hotkey: 'F8' } as const
export const TOOLTIPS = { delayMs: 700, skipDelayMs: 300 } as const
