import { accountsRoutes } from './accounts/routes.ts'
import { securityRoutes } from './accounts/security-routes.ts'
import { confirmationsRoutes } from './accounts/confirmations-routes.ts'
import { shellsRoutes } from './accounts/shells-routes.ts'
import { contactsRoutes } from './contacts/routes.ts'
import { creditsRoutes } from './credits/routes.ts'
import { callsRoutes } from './calls/routes.ts'
import { callerNumbersRoutes } from './calls/caller-numbers-routes.ts'
import { templatesRoutes } from './calls/templates-routes.ts'
import { consentRoutes } from './consent/routes.ts'
import { batchesRoutes } from './batches/routes.ts'
import { noticesRoutes } from './notices/routes.ts'
import { reportsRoutes } from './reports/routes.ts'
import { systemRoutes } from './system/routes.ts'
import type { Route } from './route.ts'

export * from './accounts/accounts.ts'
export * from './accounts/shapes.ts'
export * from './accounts/confirmations.ts'
export * from './accounts/confirmations-shapes.ts'
export * from './accounts/confirmations-routes.ts'
export * from './accounts/routes.ts'
export * from './accounts/security.ts'
export * from './accounts/security-shapes.ts'
export * from './accounts/security-routes.ts'
export * from './accounts/shells.ts'
export * from './accounts/shells-shapes.ts'
export * from './accounts/shells-routes.ts'
export * from './batches/batches.ts'
export * from './batches/shapes.ts'
export * from './batches/routes.ts'
export * from './brand.ts'
export * from './calls/calls.ts'
export * from './calls/caller-numbers.ts'
export * from './calls/caller-numbers-shapes.ts'
export * from './calls/caller-numbers-routes.ts'
export * from './calls/shapes.ts'
export * from './calls/dear-numbers.ts'
export * from './calls/figures-shapes.ts'
export * from './calls/mandate-shapes.ts'
export * from './calls/marks.ts'
export * from './calls/private.ts'
export * from './calls/routes.ts'
export * from './calls/secrets.ts'
export * from './calls/sound.ts'
export * from './calls/sound-shapes.ts'
export * from './calls/templates.ts'
export * from './calls/test-numbers.ts'
export * from './calls/templates-shapes.ts'
export * from './calls/templates-routes.ts'
export * from './calls/variables.ts'
export * from './calls/voice.ts'
export * from './calls/voice-shapes.ts'
export * from './calls/nodes-shapes.ts'
export * from './common.ts'
export * from './common-shapes.ts'
export * from './consent/consent.ts'
export * from './consent/shapes.ts'
export * from './consent/routes.ts'
export * from './contacts/contacts.ts'
export * from './contacts/shapes.ts'
export * from './contacts/routes.ts'
export * from './credits/credits.ts'
export * from './credits/shapes.ts'
export * from './credits/routes.ts'
export * from './errors.ts'
export * from './errors-shapes.ts'
export * from './languages.ts'
export * from './notices/notices.ts'
export * from './notices/shapes.ts'
export * from './notices/routes.ts'
export * from './notices/devices-shapes.ts'
export * from './notices/devices-routes.ts'
export * from './reports/reports.ts'
export * from './reports/shapes.ts'
export * from './reports/routes.ts'
export * from './requests.ts'
export * from './route.ts'
export * from './system/routes.ts'
export * from './system/system.ts'
export * from './system/shapes.ts'

const rooms: readonly Readonly<Record<string, Route>>[] = [
  accountsRoutes,
  securityRoutes,
  confirmationsRoutes,
  shellsRoutes,
  contactsRoutes,
  creditsRoutes,
  callsRoutes,
  callerNumbersRoutes,
  templatesRoutes,
  consentRoutes,
  batchesRoutes,
  noticesRoutes,
  reportsRoutes,
  systemRoutes,
]

/** Every route of the product; the OpenAPI document and the access test walk this list. */
export const ROUTES: readonly Route[] = rooms.flatMap((routes) => Object.values(routes))
