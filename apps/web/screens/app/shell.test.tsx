import { accountsRoutes, LIVE_CLOSE, STORED_USER_KEY } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ADA, axeFindings, expectTexts, findingsInLooks, NARROW, openScreen, press, serve } from '../testing.tsx'

const navigation = page.getByRole('navigation', { name: 'Main' })
const heading = (name: string) => page.getByRole('heading', { level: 1, name })
const stored = () => localStorage.getItem(STORED_USER_KEY)

describe('app shell', () => {
  // screens.md: sidebar-leads-everywhere-order
  test('the sidebar links every page in order and stays fixed; each page sets the tab title and focus', async () => {
    serve()
    await openScreen('/dashboard')
    await expect.element(heading('Dashboard')).toBeVisible()
    const links = navigation.getByRole('link').elements()
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Dashboard', '/dashboard'],
      ['Make Call', '/make-call'],
      ['Call History', '/call-history'],
      ['Analytics', '/analytics'],
      ['Contacts', '/contacts'],
      ['Billing', '/billing'],
      ['Settings', '/settings'],
    ])
    await expectTexts(['Ada Lovelace', 'ada@parley.example', 'Sign Out', /^Available Credits10/])
    await expect.element(page.getByRole('link', { name: 'Buy Credits' })).toHaveAttribute('href', '/credits/purchase')
    await expect.element(page.getByRole('link', { name: 'Parley, home' })).toHaveAttribute('href', '/dashboard')
    await expect.element(page.getByRole('combobox', { name: 'Page language' })).toBeVisible()
    for (const name of ['System', 'Light', 'Dark'])
      await expect.element(page.getByRole('group', { name: 'Theme' }).getByRole('radio', { name })).toBeInTheDocument()
    await expect.poll(() => document.title).toBe('Dashboard · Parley')
    const { top } = navigation.element().getBoundingClientRect()
    scrollTo(0, document.body.scrollHeight)
    await expect.poll(() => scrollY).toBeGreaterThan(100)
    expect(navigation.element().getBoundingClientRect().top).toBe(top)
    for (const name of ['Contacts', 'Billing and Usage']) {
      await navigation.getByRole('link', { name: name.split(' ', 1)[0] ?? '' }).click()
      await expect.element(heading(name)).toHaveFocus()
    }
    await expect.poll(() => document.title).toBe('Billing · Parley')
  })

  // screens.md: phone-sidebar-stands-behind
  test('on a phone the sidebar is a menu that closes on navigation, and the header shows the credits', async () => {
    serve()
    await openScreen('/dashboard', { size: NARROW })
    await expectTexts([/^Credits 10$/], page.getByRole('banner'))
    await expect.element(navigation).not.toBeInTheDocument()
    await press('Open the menu')
    const menu = page.getByRole('dialog', { name: 'Menu' })
    await expectTexts(['Ada Lovelace', 'Sign Out'], menu)
    expect(await axeFindings()).toEqual([])
    await menu.getByRole('link', { name: 'Settings' }).click()
    await expect.element(heading('Settings')).toHaveFocus()
    await expect.element(menu).not.toBeInTheDocument()
    await expect.poll(() => document.title).toBe('Settings · Parley')
  })

  test('the first Tab stop is the skip link to the content', async () => {
    serve()
    await openScreen('/dashboard')
    await expect.element(heading('Dashboard')).toBeVisible()
    await userEvent.tab()
    await expect.element(page.getByRole('link', { name: 'Skip to the content' })).toHaveFocus()
    expect(await axeFindings()).toEqual([])
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => document.activeElement?.id).toBe('content')
  })

  test('a select is opened, moved through and chosen from by keyboard', async () => {
    serve()
    await openScreen('/dashboard')
    const tone = page.getByRole('combobox', { name: 'Tone' })
    const option = (name: string) => page.getByRole('option', { name })
    await expect.element(tone).toHaveTextContent('Friendly')
    tone.element().focus()
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(option('Friendly')).toHaveFocus()
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(option('Professional')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('listbox')).not.toBeInTheDocument()
    await expect.element(tone).toHaveTextContent('Professional')
    await expect.element(tone).toHaveFocus()
  })
})

// screens.md: make-call-tab-single
test('Make Call has a tab for a single call and one for batch calls', async () => {
  serve()
  await openScreen('/make-call')
  const tabs = page.getByRole('tablist', { name: 'One call or many' }).getByRole('tab')
  await expect.element(page.getByLabelText('Phone Number')).toBeVisible()
  expect(tabs.elements().map(({ textContent }) => textContent)).toEqual(['Single Call', 'Batch Calls'])
  await tabs.last().click()
  await expect.element(page.getByRole('button', { name: 'Upload contacts' })).toBeVisible()
  await expect.element(page.getByLabelText('Phone Number')).not.toBeInTheDocument()
  await tabs.first().click()
  await expect.element(page.getByLabelText('Phone Number')).toBeVisible()
})

describe('while the session loads', () => {
  // screens.md: shows-head-picture-nothing
  test.each(['/dashboard', '/analytics'])(
    '%s shows its heading as a placeholder and nothing of the user',
    async (path) => {
      const api = serve()
      const letGo = api.hold(accountsRoutes.currentUser)
      await openScreen(path)
      await expect.element(page.getByRole('status').getByText('Loading your session')).toBeInTheDocument()
      expect(document.querySelector('[aria-hidden=true] h1')?.textContent).toBe(
        path === '/dashboard' ? 'Dashboard' : 'Analytics',
      )
      await expect.element(page.getByRole('heading')).not.toBeInTheDocument()
      const parts = [navigation, page.getByRole('button', { name: 'Sign Out' }), page.getByText('Ada Lovelace')]
      for (const part of parts) await expect.element(part).not.toBeInTheDocument()
      letGo()
      for (const part of parts) await expect.element(part.first()).toBeVisible()
    },
  )

  // screens.md: member-sees-spinner
  test.each(['/', '/welcome', '/credits/purchase', '/login'])('a member sees a spinner at %s', async (path) => {
    const api = serve()
    localStorage.setItem(STORED_USER_KEY, JSON.stringify(ADA))
    const letGo = api.hold(accountsRoutes.currentUser)
    await openScreen(path)
    await expect.element(page.getByRole('status').getByText('Loading your session')).toBeInTheDocument()
    await expect.element(page.getByRole('heading')).not.toBeInTheDocument()
    letGo()
    await expect.element(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  })
})

describe('session', () => {
  // screens.md: cannot-asked-says-asked
  test('a failed session request shows an error without retrying; a user wrapped in {user} is accepted', async () => {
    const api = serve()
    api.send(accountsRoutes.currentUser, '', { status: 500 })
    await openScreen('/dashboard')
    await expectTexts(['We could not reach the server', 'Your data is safe. Check your connection, then try again.'])
    // Once at the page's start and once when its screen mounts; a retried query would be requested 3 times each.
    expect(api.requests(accountsRoutes.currentUser).length).toBeLessThanOrEqual(2)
    expect(await findingsInLooks()).toEqual([])
    api.send(accountsRoutes.currentUser, JSON.stringify({ user: ADA }), {
      headers: { 'content-type': 'application/json' },
    })
    await press('Try again')
    await expect.element(heading('Dashboard')).toBeVisible()
    expect(stored()).toContain('ada@parley.example')
  })

  // screens.md: ended-elsewhere-noticed-when
  test('a session that ended elsewhere is noticed on window focus, and the stored user is removed', async () => {
    const api = serve()
    const { address } = await openScreen('/settings')
    await expect.element(heading('Settings')).toBeVisible()
    await expect.poll(stored).toContain('ada@parley.example')
    api.refuse(accountsRoutes.currentUser, 'unauthenticated')
    await expect
      .poll(
        () => {
          dispatchEvent(new Event('visibilitychange'))
          return address()
        },
        // Each event starts a new request, which needs time to complete.
        { interval: 1000 },
      )
      .toBe('/')
    await expect.element(page.getByRole('link', { name: 'Get Started for Free' })).toBeVisible()
    expect(stored()).toBeNull()
  })

  test('a session that ended elsewhere is noticed when the server closes the live socket for it', async () => {
    const api = serve()
    const { address, closeLive } = await openScreen('/settings')
    await expect.element(heading('Settings')).toBeVisible()
    api.refuse(accountsRoutes.currentUser, 'unauthenticated')
    closeLive(LIVE_CLOSE.unauthenticated)
    await expect.poll(address).toBe('/')
    await expect.element(page.getByRole('link', { name: 'Get Started for Free' })).toBeVisible()
    expect(stored()).toBeNull()
  })
})
