import { describe, expect, test, vi } from 'vitest'
import { takeClicks, wantedBy } from './links.ts'

const PAGE = 'https://localhost/dashboard'
const API = 'https://api.parley.example'

/** A click on a link, as much of it as takeClicks reads. */
function click(href: string | null, attributes: readonly string[] = []) {
  const link =
    href === null ? null : { getAttribute: () => href, hasAttribute: (name: string) => attributes.includes(name) }
  const page = Object.assign(new EventTarget(), { baseURI: PAGE, closest: () => link })
  const outside = vi.fn<(url: string) => void>()
  const file = vi.fn<(path: string) => void>()
  const stop = takeClicks(page as unknown as Document, API, { outside, file })
  const event = new Event('click', { cancelable: true })
  page.dispatchEvent(event)
  stop()
  page.dispatchEvent(new Event('click', { cancelable: true }))
  return { isTaken: event.defaultPrevented, outside: outside.mock.calls, files: file.mock.calls }
}

describe('a clicked link', () => {
  // screens.md: external-links
  test.each([
    ['https://parley.example/about', 'https://parley.example/about'],
    ['//parley.example', 'https://parley.example/'],
    ['http://localhost/', 'http://localhost/'],
    [`${API}/api/docs`, `${API}/api/docs`],
  ])('to %s leaves the page', (href, url) => {
    expect(click(href)).toEqual({ isTaken: true, outside: [[url]], files: [] })
  })

  test.each([
    '/billing',
    '#main',
    'mailto:support@parley.example',
    'tel:+12025550100',
    'https://localhost/settings',
    'javascript:void 0',
    'https://',
  ])('to %s stays with the page', (href) => {
    expect(click(href)).toEqual({ isTaken: false, outside: [], files: [] })
  })

  test('to a file of the api is downloaded; a file elsewhere is not', () => {
    expect(click(`${API}/api/calls/1/recording?download=1`, ['download'])).toEqual({
      isTaken: true,
      outside: [],
      files: [['/api/calls/1/recording?download=1']],
    })
    expect(click('https://parley.example/a.pdf', ['download']).outside).toEqual([['https://parley.example/a.pdf']])
  })

  test('beside a link does nothing', () => {
    expect(click(null).isTaken).toBe(false)
  })
})

describe('a link that opens the app', () => {
  test.each([
    ['parley://verify-email?token=t', '/verify-email?token=t'],
    ['parley:///reset-password?token=t', '/reset-password?token=t'],
    [`${API}/verify-email?token=t`, '/verify-email?token=t'],
    [`${API}/reset-password?token=t`, '/reset-password?token=t'],
    [`${API}/calls/abc-1`, '/dashboard?call=abc-1'],
    ['parley://calls/abc-1', '/dashboard?call=abc-1'],
    [`${API}/dashboard?call=abc-1`, '/dashboard?call=abc-1'],
    [`${API}/app/billing`, '/billing'],
    ['parley://return?to=%2Fbilling%2Fsuccess%3Fcredits%3D10', '/billing/success?credits=10'],
    [`${API}/app/return?to=%2Fbilling`, '/billing'],
  ])('%s shows its page', (link, path) => {
    expect(wantedBy(link, API)).toEqual({ kind: 'page', path })
  })

  test.each([
    ['parley://auth/google?code=c', 'c'],
    ['parley://auth?code=c', 'c'],
    [`${API}/app/auth/google?code=c`, 'c'],
    ['parley://auth/apple?error=oauth_failed', null],
  ])('%s finishes a sign-in', (link, code) => {
    const wanted = wantedBy(link, API)
    expect(wanted?.kind === 'sign-in' && wanted.answer.get('code')).toBe(code)
  })

  test.each([
    'https://evil.example/verify-email?token=t',
    'other://verify-email',
    'parley://no-page-of-ours',
    'parley:////evil.example/login',
    'parley://return?to=https://evil.example/',
    'parley://return?to=%2F%2Fevil.example',
    'parley://calls/../settings/x',
    'https://',
  ])('%s is not followed', (link) => {
    expect(wantedBy(link, API)).toBeUndefined()
  })
})
