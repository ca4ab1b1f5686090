import { type PagePath, PAGES } from '@parley/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ADA, openScreen, serve } from '../testing.tsx'

/** Word for word from the specification. */
const ROWS = {
  public: '/, /verify-email, /privacy-policy, /terms-of-service',
  'signed-out': '/login, /register, /reset-password',
  'signed-in':
    '/dashboard, /make-call, /call-history, /analytics, /contacts, /billing, /checkout, /credits/purchase, /billing/card-payment, ' +
    '/billing/success, /test-payment, /new-payment, /settings, /welcome',
} as const

const rows = Object.entries(ROWS).flatMap(([access, paths]) =>
  paths.split(', ').map((path) => [path as PagePath, access] as const),
)

// screens.md: member-led-forms-visitors
test.each([
  ['a visitor is redirected from member pages to the landing page', null, 'signed-in', '/'],
  ['a member is redirected from visitor forms to the dashboard', ADA, 'signed-out', '/dashboard'],
])('%s, and sees every other page', async (_, user, closed, elsewhere) => {
  expect(Object.fromEntries(rows)).toEqual(PAGES)
  serve(user)
  for (const [path, access] of rows) {
    const { address } = await openScreen(path)
    await expect.element(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    expect(address().split('?', 1)[0]).toBe(access === closed ? elsewhere : path)
  }
})
