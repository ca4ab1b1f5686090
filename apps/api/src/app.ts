import { ROUTES, systemRoutes } from '@parley/contract'
import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { registerAccounts, sessionsTopic } from './accounts/index.ts'
import { registerBatches } from './batches/index.ts'
import { registerCalls } from './calls/index.ts'
import { registerConsent } from './consent/index.ts'
import { registerContacts } from './contacts/index.ts'
import type { Context } from './context.ts'
import { registerCredits } from './credits/index.ts'
import { healthOf } from './health.ts'
import { createPreflight } from './preflight.ts'
import { createListener } from './listener.ts'
import { registerProbes } from './probes.ts'
import { registerLive, registerNotices } from './notices/index.ts'
import { addAppLinks } from './platform/pages/app-links.ts'
import { DOCS_STYLE } from './platform/pages/docs-page.ts'
import { Documentation } from './platform/pages/documentation.ts'
import { createRouter, hasTicket, type Router } from './platform/http.ts'
import {
  addCors,
  addRateLimits,
  addSecurityHeaders,
  cardHosts,
  contentSecurityPolicy,
} from './platform/pages/protection.ts'
import { createSockets } from './platform/sockets.ts'
import { version } from './platform/process/version.ts'
import { addWeb } from './platform/pages/web.ts'
import { registerPrograms } from './programs/index.ts'
import { registerReports } from './reports/index.ts'

export interface AppOptions {
  /** More routes, for those who embed the api. */
  extend?(fastify: FastifyInstance, context: Context): void
  /** What must be there before the first request: until then it is starting, and not ready. */
  prepare?(context: Context): Promise<void>
}

const documentation = new Documentation(ROUTES, version)

/** The api as an HTTP server that does not listen yet. */
export async function createApp(context: Context, options: AppOptions = {}): Promise<FastifyInstance> {
  const { config } = context
  const fastify = createListener(context)
  await fastify.register(cookie)
  await addSecurityHeaders(fastify, config.publicUrl)
  await addCors(fastify, config.nativeOrigins)
  await addRateLimits(fastify, config.limits, config.redisUrl)
  const router = createRouter(fastify, {
    authenticate: (request) => context.accounts.identify(request),
    takeTicket: (request) => context.accounts.takeTicket(request),
    allowedOrigins: config.allowedOrigins,
    serviceKeys: config.voice.keys,
  })
  const sockets = await createSockets(fastify, {
    authenticate: (request) =>
      hasTicket(request) ? context.accounts.takeTicket(request) : context.accounts.authenticate(request),
    isSignedIn: (actor) => context.accounts.isSignedIn(actor),
    allowedOrigins: config.allowedOrigins,
    onSessions: (userId, listener) => context.bus.subscribe(sessionsTopic(userId), listener),
  })
  registerSystem(router, context)
  registerAccounts(router, context.accounts)
  registerContacts(router, context.db)
  registerConsent(router, context.consent)
  registerCredits(router, context.credits)
  registerCalls(router, sockets, context.calls)
  registerBatches(router, context.batches)
  registerNotices(router, context.notices)
  registerReports(router, context.calls)
  const authenticate = (request: FastifyRequest) => context.accounts.identify(request)
  registerPrograms(fastify, { publicUrl: config.publicUrl, db: context.db, authenticate })
  registerLive(sockets, context.calls)
  addAppLinks(fastify, config.publicUrl, config.appLinks)
  options.extend?.(fastify, context)
  const sandboxUrl = config.payments.kind === 'sandbox' ? config.payments.apiBase : undefined
  await addWeb(fastify, config.webDir, config.publicUrl, cardHosts(sandboxUrl))
  return fastify
}

function registerSystem(router: Router, context: Context): void {
  const { route } = router
  const { publicUrl } = context.config
  const isDraining = registerProbes(router, context)
  const policy = contentSecurityPolicy(publicUrl, { style: DOCS_STYLE })
  route(systemRoutes.health, async ({ reply }) => {
    const health = await healthOf(context, isDraining())
    reply.code(health.status === 'ok' ? 200 : 503)
    return health
  })
  const preflight = createPreflight(context)
  route(systemRoutes.preflight, () => preflight())
  route(systemRoutes.openapi, () => documentation.openApi(publicUrl))
  route(systemRoutes.docs, ({ reply }) =>
    reply.type('text/html').header('content-security-policy', policy).send(documentation.page()),
  )
}
