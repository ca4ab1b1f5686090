import { BRAND } from '@parley/contract'
import { describe, expect, test, vi } from 'vitest'
import { externalLink, pathOfAppLink, sendLinksOutside } from './links.ts'

const BASE = 'https://localhost/dashboard'

/** As much of an element as externalLink reads. */
function clicked(href: string | null): EventTarget {
  const link = href === null ? null : { getAttribute: () => href }
  return Object.assign(new EventTarget(), { closest: () => link })
}

// screens.md: external-links
describe('click', () => {
  test.each([
    ['https://parley.example/about', 'https://parley.example/about'],
    ['//parley.example', 'https://parley.example/'],
    ['http://localhost/', 'http://localhost/'],
  ])('on %s opens the in-app browser', (href, url) => {
    expect(externalLink(clicked(href), BASE)).toBe(url)
  })

  test.each([
    '/billing',
    '#main',
    'mailto:support@parley.example',
    'tel:+12025550100',
    'https://localhost/settings',
    'javascript:void 0',
  ])('on %s stays with the page', (href) => {
    expect(externalLink(clicked(href), BASE)).toBeUndefined()
  })

  test('beside a link does nothing', () => {
    expect(externalLink(clicked(null), BASE)).toBeUndefined()
    expect(externalLink(new EventTarget(), BASE)).toBeUndefined()
  })
})

describe('external link', () => {
  const OUTSIDE = 'https://parley.example/about'
  const follow = async (openInApp: (url: string) => Promise<void>) => {
    // A click event has the link as its target.
    const page = Object.assign(clicked(OUTSIDE), { baseURI: BASE })
    const navigate = vi.fn<(url: string) => void>()
    const stop = sendLinksOutside(page as Document, openInApp, navigate)
    const click = new Event('click', { cancelable: true })
    page.dispatchEvent(click)
    await Promise.resolve()
    stop()
    page.dispatchEvent(new Event('click', { cancelable: true }))
    return { isTaken: click.defaultPrevented, navigate }
  }

  // screens.md: opens-app-browser-whose
  test('opens in the in-app browser with a green toolbar', async () => {
    const openInApp = vi.fn<(url: string) => Promise<void>>(async () => undefined)
    const { isTaken, navigate } = await follow(openInApp)
    expect(isTaken).toBe(true)
    expect(openInApp.mock.calls).toEqual([[OUTSIDE]])
    expect(navigate).not.toHaveBeenCalled()
    expect(BRAND.toolbarColor).toBe('#4CAF50')
  })

  // screens.md: followed-plain-navigation-when
  test('opens by plain navigation when the in-app browser fails', async () => {
    const { navigate } = await follow(() => Promise.reject(new Error('There is no browser.')))
    await vi.waitFor(() => expect(navigate.mock.calls).toEqual([[OUTSIDE]]), 15_000)
  })
})

test('a parley:// link gives its path; any other scheme gives none', () => {
  expect(pathOfAppLink('parley://billing?success=true', 'parley')).toBe('/billing?success=true')
  expect(pathOfAppLink('parley:///login', 'parley')).toBe('/login')
  expect(pathOfAppLink('https://evil.example/login', 'parley')).toBeUndefined()
})
