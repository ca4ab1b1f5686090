import { accountsRoutes } from './accounts-routes.ts'
import { batchesRoutes } from './batches-routes.ts'
import { callsRoutes } from './calls.ts'
import { confirmationsRoutes } from './confirmations.ts'
import { consentRoutes } from './consent.ts'
import { contactsRoutes } from './contacts.ts'
import { creditsRoutes } from './credits-routes.ts'
import { noticesRoutes } from './notices.ts'
import { reportsRoutes } from './reports.ts'
import type { Route } from './route.ts'
import { securityRoutes } from './security.ts'
import { systemRoutes } from './system.ts'
import { templatesRoutes } from './templates.ts'

export * from './accounts-routes.ts'
export * from './accounts.ts'
export * from './batches-routes.ts'
export * from './batches.ts'
export * from './brand.ts'
export * from './calls.ts'
export * from './common.ts'
export * from './confirmations.ts'
export * from './consent.ts'
export * from './contacts.ts'
export * from './credits-routes.ts'
export * from './credits.ts'
export * from './dear-numbers.ts'
export * from './errors.ts'
export * from './languages.ts'
export * from './sound.ts'
export * from './notices.ts'
export * from './private.ts'
export * from './reports.ts'
export * from './requests.ts'
export * from './route.ts'
export * from './secrets.ts'
export * from './security.ts'
export * from './system.ts'
export * from './templates.ts'
export * from './variables.ts'
export * from './voice.ts'

const rooms: readonly Readonly<Record<string, Route>>[] = [
  accountsRoutes,
  securityRoutes,
  confirmationsRoutes,
  contactsRoutes,
  creditsRoutes,
  callsRoutes,
  templatesRoutes,
  consentRoutes,
  batchesRoutes,
  noticesRoutes,
  reportsRoutes,
  systemRoutes,
]

/** Every route of the product; the OpenAPI document and the access test walk this list. */
export const ROUTES: readonly Route[] = rooms.flatMap((routes) => Object.values(routes))
