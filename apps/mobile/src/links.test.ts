import { describe, expect, test } from 'vitest'
import { externalLink, pathOfAppLink } from './links.ts'

const BASE = 'https://localhost/dashboard'

/** As much of an element as a click is judged by. */
function clicked(href: string | null): EventTarget {
  const link = href === null ? null : { getAttribute: () => href }
  return Object.assign(new EventTarget(), { closest: () => link })
}

describe('a click', () => {
  test.each([
    ['https://parley.example/about', 'https://parley.example/about'],
    ['//parley.example', 'https://parley.example/'],
    ['http://localhost/', 'http://localhost/'],
  ])('on %s opens the in-app browser', (href, url) => {
    expect(externalLink(clicked(href), BASE)).toBe(url)
  })

  test.each(['/billing', '#main', 'mailto:support@parley.example', 'tel:+12025550100', 'https://localhost/settings', 'javascript:void 0'])(
    'on %s stays with the page',
    (href) => {
      expect(externalLink(clicked(href), BASE)).toBeUndefined()
    },
  )

  test('beside a link does nothing', () => {
    expect(externalLink(clicked(null), BASE)).toBeUndefined()
    expect(externalLink(new EventTarget(), BASE)).toBeUndefined()
  })
})

test('a link of the app leads to its page, another scheme nowhere', () => {
  expect(pathOfAppLink('parley://billing?success=true', 'parley')).toBe('/billing?success=true')
  expect(pathOfAppLink('parley:///login', 'parley')).toBe('/login')
  expect(pathOfAppLink('https://evil.example/login', 'parley')).toBeUndefined()
})
