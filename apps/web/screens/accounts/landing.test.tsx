import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, expectTexts, findingsInLooks, openScreen, press, serve } from '../testing.tsx'

const call = page.getByRole('figure', { name: 'Transcript of an example call' })

describe('with reduced motion', () => {
  // screens.md: page-whole-call-end
  test('the landing page shows the finished example call and every sign-in link', async () => {
    serve(null)
    await openScreen('/')
    const heading = page.getByRole('heading', { level: 1, name: /^Welcome to Parley/ })
    await expect
      .element(heading)
      .toHaveAccessibleName(
        'Welcome to Parley Parley calls to negotiate hotel stays, survey businesses and individuals, call friends and family, ' +
          'generate business leads, amend bookings, send reminders, or make restaurant reservations',
      )
    await expectTexts(['An AI that makes your phone calls.', /^Say who to call and what for\. Read every word/])
    await expectTexts([/^\d+ free credits with every new account\. No card needed\.$/])
    await expectTexts(
      ['+1 202 555 0110', 'Amend a dinner booking: 8 pm, or up to 8:30', 'Agent', 'Callee', /Booking moved to 8:30 pm/],
      call,
    )
    await expectTexts(['Call ended'], call)
    const links = [
      ['Get Started for Free', '/register'],
      ['Continue with Google', '/api/auth/google'],
      ['Sign In', '/login'],
      ['Privacy Policy', '/privacy-policy'],
      ['Terms of Service', '/terms-of-service'],
      ['Contact Us', 'mailto:support@parley.example'],
      ['Part of Parley Group', 'https://parley.example'],
    ] as const
    for (const [name, href] of links)
      await expect.element(page.getByRole('link', { name })).toHaveAttribute('href', href)
    const home = page.getByRole('link', { name: 'Parley, home' })
    await expect.element(home).toHaveTextContent('Parley')
    expect(home.element().querySelector('svg')).not.toBeNull()
    expect(page.getByText('Continue with Apple').query()).toBeNull()
  })
})

describe('with motion', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const real = globalThis.matchMedia
    vi.spyOn(globalThis, 'matchMedia').mockImplementation((query) =>
      real(query.includes('reduced-motion') ? 'not all' : query),
    )
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  const tagline = () => document.querySelector('h1 [aria-hidden] .grid > :not(.invisible)')?.textContent

  // screens.md: tagline-tells-seven-capabilities
  test('the tagline shows seven capabilities, one every 3 seconds, and stops while paused', async () => {
    serve(null)
    await openScreen('/')
    await expect.poll(tagline).toBe('negotiate hotel stays')
    await vi.advanceTimersByTimeAsync(3000)
    await expect.poll(tagline).toBe('survey businesses and individuals')
    await press('Pause the moving text')
    await vi.advanceTimersByTimeAsync(9000)
    expect(tagline()).toBe('survey businesses and individuals')
    await press('Play the moving text')
    for (const next of [
      'call friends and family',
      'generate business leads',
      'amend bookings',
      'send reminders',
      'make restaurant reservations',
      'negotiate hotel stays',
    ]) {
      await vi.advanceTimersByTimeAsync(3000)
      await expect.poll(tagline).toBe(next)
    }
  })
})

describe('after a failed Google sign-in', () => {
  // screens.md: explained-address-clean
  test.each([
    [
      'oauth_temporarily_unavailable',
      'Google sign-in is temporarily unavailable. Please try again later or contact support.',
    ],
    ['access_denied', 'Authentication failed. Please try again.'],
  ])('auth=error with message %s shows its error and clears the query', async (message, sentence) => {
    serve(null)
    const before = location.href
    history.replaceState(history.state, '', `${location.pathname}?auth=error&message=${message}`)
    try {
      await openScreen('/')
      await expect.element(page.getByRole('alert')).toHaveTextContent(sentence)
      await expect.poll(() => location.search).toBe('')
      await expect.element(page.getByRole('alert')).toHaveTextContent(sentence)
      expect(await axeFindings()).toEqual([])
    } finally {
      history.replaceState(history.state, '', before)
    }
  })
})

test.each([
  ['/terms-of-service', 'Governing law'],
  ['/privacy-policy', 'Your rights'],
])('%s shows its sections and a Contact Us link, without axe findings', async (path, section) => {
  serve(null)
  await openScreen(path)
  await expect.element(page.getByRole('heading', { level: 2, name: new RegExp(section) })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Contact Us' })).toBeVisible()
  expect(await findingsInLooks()).toEqual([])
})
