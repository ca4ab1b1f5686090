import { accountsRoutes, callerNumbersRoutes, noticesRoutes, type Route, securityRoutes } from '@parley/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADA, axeFindings, expectTexts, findingsInLooks, openScreen, serve } from '../testing.tsx'
import {
  aDelivery,
  aKey,
  anEvent,
  anExport,
  aPasskey,
  aSession,
  HOOK,
  pressIn,
  section,
  serveHook,
} from './testing.tsx'

const LONG = 'An-address-with-a-name-that-goes-on-and-on-and-never-ends-before-the-edge-of-a-narrow-screen'

/** Every query of a section with its section and its error text. */
const SECTIONS: readonly (readonly [route: Route, section: string, sentence: string])[] = [
  [callerNumbersRoutes.list, 'Numbers to call from', 'Your numbers could not be loaded'],
  [securityRoutes.secondFactor, 'Two-step sign-in', 'Two-step sign-in could not be loaded'],
  [securityRoutes.passkeys, 'Passkeys', 'Your passkeys could not be loaded'],
  [securityRoutes.sessions, 'Where you are signed in', 'Your sessions could not be loaded'],
  [securityRoutes.securityActivity, 'Recent security activity', 'Your security activity could not be loaded'],
  [securityRoutes.exports, 'Your data', 'Your exports could not be loaded'],
]

test('each card shows its title and a placeholder while loading', async () => {
  const api = serve()
  const routes = [accountsRoutes.getSettings, securityRoutes.apiKeys, ...SECTIONS.map(([route]) => route)]
  const answers = routes.map((route) => api.hold(route))
  await openScreen('/settings')
  await expectTexts(['Profile Information', 'Call Defaults', 'Notifications', 'Security'])
  for (const [, name] of SECTIONS) await expect.element(section(name)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Save Call Settings' })).not.toBeInTheDocument()
  expect(document.querySelectorAll('[aria-busy=true]')).toHaveLength(2 + SECTIONS.length)
  expect(await findingsInLooks()).toEqual([])
  for (const answer of answers) answer()
  await expect.element(page.getByRole('button', { name: 'Save Call Settings' })).toBeVisible()
  await expect.poll(() => document.querySelectorAll('[aria-busy=true]').length).toBe(0)
})

test('each section that fails to load offers a retry', async () => {
  const api = serve()
  const others = [
    [accountsRoutes.getSettings, 'Your settings could not be loaded'],
    [securityRoutes.apiKeys, 'Your API keys could not be loaded'],
  ] as const
  for (const [route] of [...others, ...SECTIONS]) api.refuse(route, 'internal')
  await openScreen('/settings')
  for (const [, sentence] of others) await expectTexts([sentence])
  for (const [, name, sentence] of SECTIONS) await expectTexts([sentence], section(name))
  expect(await axeFindings()).toEqual([])
  // From now on each query answers as for a new account.
  serve()
  for (const [route, name, sentence] of SECTIONS) {
    const answer = api.hold(route)
    await pressIn(section(name), 'Try again')
    await expect.element(section(name).getByText(sentence)).not.toBeInTheDocument()
    expect(section(name).element().querySelector('[aria-busy=true]')).not.toBeNull()
    answer()
    await expect.poll(() => section(name).element().querySelector('[aria-busy=true]')).toBeNull()
  }
  for (const [, sentence] of others) {
    await pressIn(page.getByRole('alert').filter({ hasText: sentence }), 'Try again')
    await expect.element(page.getByText(sentence)).not.toBeInTheDocument()
  }
  await expectTexts(['Off', 'No passkey yet.', 'No other sessions.', 'Nothing yet.', 'No copy requested yet.'])
  await expect.element(page.getByRole('button', { name: 'Save Call Settings' })).toBeVisible()
  await expect.element(page.getByLabelText('API Key', { exact: true })).toBeVisible()
})

test('deliveries that fail to load offer a retry', async () => {
  const api = serveHook()
  api.refuse(noticesRoutes.deliveries, 'internal')
  await openScreen('/settings')
  const failed = page.getByRole('alert').filter({ hasText: 'The deliveries could not be loaded' })
  await expect.element(failed).toBeVisible()
  expect(await axeFindings()).toEqual([])
  api.answer(noticesRoutes.deliveries, [aDelivery()])
  await pressIn(failed, 'Try again')
  await expect.element(page.getByRole('list', { name: 'Recent deliveries' }).getByRole('listitem')).toHaveLength(1)
})

test('with every section filled has no axe findings and no horizontal overflow', async () => {
  const api = serveHook([
    aDelivery({ id: '1', type: 'test', status: 'waiting', attempts: 0, responseStatus: null }),
    aDelivery({ id: '2', type: 'contact.opted_out' }),
    aDelivery({
      id: '3',
      type: 'batch.completed',
      status: 'failed',
      error: `${LONG} did not answer.`,
      responseStatus: null,
    }),
  ])
  api.answer(accountsRoutes.currentUser, { ...ADA, pendingEmail: `${LONG}@parley.example` })
  api.answer(securityRoutes.apiKeys, [aKey(), aKey({ id: 'key-2', lastUsedAt: '2026-11-20T10:00:00.000Z' })])
  api.answer(securityRoutes.secondFactor, { enabled: true, recoveryCodesLeft: 9 })
  api.answer(securityRoutes.passkeys, [aPasskey(), aPasskey({ id: '2', name: LONG.slice(0, 80) })])
  api.answer(securityRoutes.sessions, [
    aSession({ id: 'here', current: true }),
    aSession({ ipAddress: '2001:db8:85a3:8d3:1319:8a2e:370:7348' }),
  ])
  api.answer(
    securityRoutes.securityActivity,
    [anEvent(), anEvent({ id: '2', kind: 'email_change_asked', detail: LONG })],
    {
      nextCursor: 'more',
    },
  )
  api.answer(securityRoutes.exports, [
    anExport({ status: 'running', progress: 40, bytes: null, expiresAt: null }),
    anExport({ id: '2' }),
    anExport({ id: '3', status: 'failed', bytes: null, expiresAt: null }),
  ])
  await openScreen('/settings')
  await expectTexts([`A test event to ${HOOK}`])
  await expect.element(page.getByRole('link', { name: 'Download' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Show more' })).toBeVisible()
  expect(await findingsInLooks()).toEqual([])
})
