import { z } from 'zod'
import { defineRoute } from './route.ts'

/** 200 only when calls can be taken. */
export const Health = z
  .object({
    status: z.enum(['ok', 'degraded', 'draining']),
    version: z.string(),
    parts: z.object({
      database: z.string(),
      voice: z.string(),
      carrier: z.string(),
      mind: z.string(),
      payments: z.string(),
      mail: z.string(),
      disk: z.enum(['ok', 'full']),
    }),
  })
  .meta({ id: 'Health' })
export type Health = z.infer<typeof Health>

/** The answer of a live process; a hanging one does not answer. */
export const Liveness = z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' })
export type Liveness = z.infer<typeof Liveness>

/** 503 and a sentence while requests would fail. */
export const Readiness = z
  .object({ status: z.enum(['ready', 'not_ready']), reason: z.string().nullable() })
  .meta({ id: 'Readiness', description: 'Whether requests can be sent here' })
export type Readiness = z.infer<typeof Readiness>

/** Probes of a load balancer or supervisor; api and voice have the same. */
export const PROBE_PATHS = { livez: '/livez', readyz: '/readyz' } as const

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

/** A mail of the local outbox, where no SMTP server is configured. */
export const OutboxMail = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  sentAt: z.iso.datetime(),
})
export type OutboxMail = z.infer<typeof OutboxMail>

const room = 'system'

export const systemRoutes = {
  health: defineRoute({
    id: 'getHealth',
    room,
    method: 'GET',
    path: '/health',
    access: 'public',
    summary: 'Whether work can be taken, and what each part is',
    reply: Health,
    errors: ['unavailable'],
  }),
  livez: defineRoute({
    id: 'getLiveness',
    room,
    method: 'GET',
    path: PROBE_PATHS.livez,
    access: 'public',
    summary: 'Whether this process serves requests',
    reply: Liveness,
  }),
  readyz: defineRoute({
    id: 'getReadiness',
    room,
    method: 'GET',
    path: PROBE_PATHS.readyz,
    access: 'public',
    summary: 'Whether requests can be sent to this process: it has its database, and is not stopping',
    reply: Readiness,
    errors: ['unavailable'],
  }),
  openapi: defineRoute({
    id: 'getOpenApi',
    room,
    method: 'GET',
    path: '/api/openapi.json',
    access: 'public',
    summary: 'This document',
    reply: z.record(z.string(), z.unknown()),
  }),
  docs: defineRoute({
    id: 'getDocs',
    room,
    method: 'GET',
    path: '/api/docs',
    access: 'public',
    summary: 'The documentation page made from it',
  }),
} as const

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
