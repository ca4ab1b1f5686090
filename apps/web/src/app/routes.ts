import { createRootRoute, createRoute, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import { Crash } from './Crash.tsx'
import { Root } from './Root.tsx'
import { SignedInOnly, SignedOutOnly, Start } from './access.tsx'

/**
 * A lazily loaded screen. The type annotation breaks a cycle: screens use the router's types, which must not infer
 * theirs.
 */
const screen = (load: () => Promise<{ default: RouteComponent }>): RouteComponent => lazyRouteComponent(load)

const rootRoute = createRootRoute({
  component: Root,
  errorComponent: Crash,
  // Query parameters are plain text on every route; each screen parses its own.
  validateSearch: (search: Record<string, unknown>): Record<string, string> =>
    Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)])),
})
const visitorsRoute = createRoute({ getParentRoute: () => rootRoute, id: 'visitors', component: SignedOutOnly })
const membersRoute = createRoute({ getParentRoute: () => rootRoute, id: 'members', component: SignedInOnly })
const shellRoute = createRoute({
  getParentRoute: () => membersRoute,
  id: 'shell',
  component: screen(() => import('./shell/Shell.tsx')),
})

const all = () => rootRoute
const visitors = () => visitorsRoute
const members = () => membersRoute
const inShell = () => shellRoute

// All screens by access. A new screen needs an entry here and one in words' `titles`, for the tab title; the sidebar
// shows its items that are listed here.

const forAll = [
  createRoute({ getParentRoute: all, path: '/', component: Start }),
  createRoute({
    getParentRoute: all,
    path: '/verify-email',
    component: screen(() => import('../features/accounts/VerifyEmail.tsx')),
  }),
  createRoute({
    getParentRoute: all,
    path: '/privacy-policy',
    component: screen(() => import('../features/legal/Privacy.tsx')),
  }),
  createRoute({
    getParentRoute: all,
    path: '/terms-of-service',
    component: screen(() => import('../features/legal/Terms.tsx')),
  }),
  createRoute({ getParentRoute: all, path: '$', component: screen(() => import('./NotFound.tsx')) }),
] as const

const forVisitors = [
  createRoute({
    getParentRoute: visitors,
    path: '/login',
    component: screen(() => import('../features/accounts/Login.tsx')),
  }),
  createRoute({
    getParentRoute: visitors,
    path: '/register',
    component: screen(() => import('../features/accounts/Register.tsx')),
  }),
  createRoute({
    getParentRoute: visitors,
    path: '/reset-password',
    component: screen(() => import('../features/accounts/Reset.tsx')),
  }),
] as const

const forMembers = [
  createRoute({
    getParentRoute: members,
    path: '/welcome',
    component: screen(() => import('../features/accounts/Greeting.tsx')),
  }),
] as const

const forMembersInShell = [
  createRoute({
    getParentRoute: inShell,
    path: '/dashboard',
    component: screen(() => import('./screens/Dashboard.tsx')),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/make-call',
    component: screen(() => import('./screens/MakeCall.tsx')),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/call-history',
    component: screen(() => import('../features/calls/history/HistoryScreen.tsx')),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/billing',
    component: screen(() => import('./screens/Billing.tsx')),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/credits/purchase',
    component: screen(() => import('../features/credits/paying/screens/PurchaseScreen.tsx')),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/checkout',
    component: screen(() => import('../features/credits/paying/screens/CheckoutScreen.tsx')),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/billing/card-payment',
    component: screen(() => import('../features/credits/paying/screens/CardPaymentScreen.tsx')),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/billing/success',
    component: screen(() => import('../features/credits/paying/screens/SuccessScreen.tsx')),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/test-payment',
    component: screen(() => import('../features/credits/paying/screens/TestPaymentScreen.tsx')),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/new-payment',
    component: screen(() => import('../features/credits/paying/screens/NewPaymentScreen.tsx')),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/contacts',
    component: screen(() => import('./screens/Contacts.tsx')),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/analytics',
    component: screen(() => import('./screens/Analytics.tsx')),
  }),
  createRoute({
    getParentRoute: inShell,
    path: '/settings',
    component: screen(() => import('../features/accounts/settings/Settings.tsx')),
  }),
] as const

export const routeTree = rootRoute.addChildren([
  ...forAll,
  visitorsRoute.addChildren(forVisitors),
  membersRoute.addChildren([...forMembers, shellRoute.addChildren(forMembersInShell)]),
])
