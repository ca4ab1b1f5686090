import type { accountsRoutes as Accounts } from './accounts/routes.ts'
import type { systemRoutes as System } from './system/routes.ts'
import type { securityRoutes as Security } from './accounts/security-routes.ts'
import type { confirmationsRoutes as Confirmations } from './accounts/confirmations-routes.ts'
import type { shellsRoutes as Shells } from './accounts/shells-routes.ts'
import type { contactsRoutes as Contacts } from './contacts/routes.ts'
import type { creditsRoutes as Credits } from './credits/routes.ts'
import type { callsRoutes as Calls } from './calls/routes.ts'
import type { callerNumbersRoutes as CallerNumbers } from './calls/caller-numbers-routes.ts'
import type { templatesRoutes as Templates } from './calls/templates-routes.ts'
import type { consentRoutes as Consent } from './consent/routes.ts'
import type { batchesRoutes as Batches } from './batches/routes.ts'
import type { noticesRoutes as Notices } from './notices/routes.ts'
import type { devicesRoutes as Devices } from './notices/devices-routes.ts'
import type { reportsRoutes as Reports } from './reports/routes.ts'
import {
  accountsPaths,
  securityPaths,
  confirmationsPaths,
  shellsPaths,
  contactsPaths,
  creditsPaths,
  callsPaths,
  callerNumbersPaths,
  templatesPaths,
  systemPaths,
  consentPaths,
  batchesPaths,
  noticesPaths,
  devicesPaths,
  reportsPaths,
} from './paths.ts'
import type { Route, RouteReference } from './route.ts'

// The routes as a page asks them: the path of each with the types of its shapes, and no shape at run time, so that a page
// does not carry Zod.

type References<Routes> = {
  readonly [Name in keyof Routes]: Routes[Name] extends Route<infer P, infer Q, infer B, infer R>
    ? RouteReference<P, Q, B, R>
    : never
}

export const accountsRoutes: References<typeof Accounts> = accountsPaths
export const securityRoutes: References<typeof Security> = securityPaths
export const confirmationsRoutes: References<typeof Confirmations> = confirmationsPaths
export const shellsRoutes: References<typeof Shells> = shellsPaths
export const contactsRoutes: References<typeof Contacts> = contactsPaths
export const creditsRoutes: References<typeof Credits> = creditsPaths
export const callsRoutes: References<typeof Calls> = callsPaths
export const callerNumbersRoutes: References<typeof CallerNumbers> = callerNumbersPaths
export const templatesRoutes: References<typeof Templates> = templatesPaths
export const consentRoutes: References<typeof Consent> = consentPaths
export const batchesRoutes: References<typeof Batches> = batchesPaths
export const noticesRoutes: References<typeof Notices> = noticesPaths
export const devicesRoutes: References<typeof Devices> = devicesPaths
export const reportsRoutes: References<typeof Reports> = reportsPaths
export const systemRoutes: References<typeof System> = systemPaths
