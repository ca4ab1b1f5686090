import { createHash } from 'node:crypto'
import { startAppleKeys } from '@parley/api/testing/accounts'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { expectText, press, tickUntil, visit } from '../../../standalone/src/browser.ts'
import { openParley } from '../testing.ts'

const apple = await startAppleKeys()
afterAll(() => apple.close())
const { parley, browser } = await openParley(apple.environment)

/** A native shell, and the result of Apple's dialog in it. */
interface Shell {
  readonly platform: 'ios' | 'android'
  readonly identityToken?: string
  readonly fails?: string
}

/** A page with the native shell's API, which the shell sets before the page starts. */
async function inShell(shell: Shell): Promise<Page> {
  const { page } = await visit(browser, parley.url)
  await page.addInitScript(
    ({ platform, identityToken = '', fails, apiBase }) => {
      const signInWithApple = async (asked: unknown) => {
        sessionStorage.setItem('asked of Apple', JSON.stringify(asked))
        if (fails !== undefined) throw new Error(fails)
        return { identityToken, authorizationCode: 'c', user: { givenName: 'Grace', familyName: 'Hopper' } }
      }
      Object.assign(globalThis, { parleyShell: { platform, apiBase, signInWithApple } })
    },
    { ...shell, apiBase: parley.url },
  )
  await page.goto('/login')
  return page
}

describe('Google sign-in in the native app', () => {
  test('sends a PKCE challenge and exchanges the code with its verifier', async () => {
    const page = await inShell({ platform: 'ios' })
    const link = page.getByRole('link', { name: 'Continue with Google' })
    const href = new URL((await link.getAttribute('href'))!)
    expect(href.searchParams.get('state')).toBe('mobile-app')
    const exchange = page.waitForRequest('**/api/auth/native')
    await page.goto('/auth/google?code=caught-by-nobody')
    const { code, verifier } = (await exchange).postDataJSON() as { code: string; verifier: string }
    expect(code).toBe('caught-by-nobody')
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(href.searchParams.get('challenge'))
    await expectText(page, 'Authentication failed. Please try again.')
  })

  test('refuses a code that this app did not request', async () => {
    const { page } = await visit(browser, parley.url)
    const asked: string[] = []
    page.on('request', (request) => void (request.method() === 'POST' && asked.push(request.url())))
    await page.addInitScript(
      (apiBase) => Object.assign(globalThis, { parleyShell: { platform: 'ios', apiBase } }),
      parley.url,
    )
    await page.goto('/auth/google?code=of-somebody-else')
    await expectText(page, 'Authentication failed. Please try again.')
    expect(asked).toEqual([])
  })

  test('shows that Google sign-in is temporarily unavailable', async () => {
    const page = await inShell({ platform: 'ios' })
    const link = (await page.getByRole('link', { name: 'Continue with Google' }).getAttribute('href'))!
    const back = (await fetch(link, { redirect: 'manual' })).headers.get('location') ?? ''
    expect(back).toMatch(/^parley:\/\/auth\?error=/)
    // As the shell opens the link.
    await page.goto(back.replace('parley://', '/'))
    await expectText(page, 'Google sign-in is temporarily unavailable. Please try again later or contact support.')
    await page.waitForURL(`${parley.url}/`)
  })
})

describe('Apple sign-in in the native app', () => {
  const signIn = async (shell: Shell) => {
    const page = await inShell(shell)
    await page.getByRole('link', { name: 'Parley, home' }).click()
    await press(page, 'Continue with Apple')
    return page
  }
  const person = (name: string) => ({ sub: `apple.${name}`, email: `${name}@parley.example`, email_verified: 'true' })

  // screens.md: offered-web
  test('is not offered on the web', async () => {
    const { page } = await visit(browser, parley.url)
    await page.goto('/login')
    await page.getByRole('link', { name: 'Parley, home' }).click()
    await page.getByRole('link', { name: 'Get Started for Free' }).waitFor()
    expect(await page.getByRole('button', { name: 'Continue with Apple' }).count()).toBe(0)
  })

  // screens.md: apple-error-texts
  test.each([
    ['on Android', { platform: 'android' }, 'Apple Sign-In is only available on iOS devices'],
    [
      'in the simulator',
      { platform: 'ios', fails: 'Not supported in the Simulator' },
      'Apple Sign-In is not available in the iOS Simulator. Please test on a physical device.',
    ],
    ['when canceled', { platform: 'ios', fails: 'The user canceled' }, 'Apple Sign-In failed: The user canceled'],
    [
      'when the server refuses the token',
      { platform: 'ios', identityToken: 'forged' },
      'Authentication failed. Please try again.',
    ],
  ] as const)('shows its error %s', async (_, shell, sentence) => {
    const page = await signIn(shell)
    await expectText(page, sentence)
    expect((await page.request.get('/api/auth/user')).status()).toBe(401)
  })

  // screens.md: apple-error-of-server
  test('shows an error when the server cannot be reached', async () => {
    const page = await inShell({ platform: 'ios', identityToken: await apple.token(person('unreached')) })
    await page.route('**/api/auth/apple', (route) => route.abort())
    await page.getByRole('link', { name: 'Parley, home' }).click()
    await press(page, 'Continue with Apple')
    await page.getByText(/^Apple Sign In failed: .+/).waitFor()
    expect((await page.request.get('/api/auth/user')).status()).toBe(401)
  })

  // screens.md: signs-page-starts-again
  test('signs in, reloads the page and greets the user', async () => {
    const page = await inShell({ platform: 'ios', identityToken: await apple.token(person('grace')) })
    await page.getByRole('link', { name: 'Parley, home' }).click()
    // Records how each page was loaded, before the test freezes the clock.
    await page.context().addInitScript(() => {
      const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
      Object.assign(globalThis, { loadedBy: load?.type })
    })
    // The greeting is shown for 3 s: the clock is paused until it was read.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await press(page, 'Continue with Apple')
    await tickUntil(page, page.getByRole('heading', { name: 'Welcome, Grace' }))
    await page.clock.resume()
    await page.waitForURL('**/dashboard')
    // The page was reloaded, not navigated.
    expect(await page.evaluate(() => Reflect.get(globalThis, 'loadedBy') as unknown)).toBe('reload')
    const asked: unknown = JSON.parse((await page.evaluate(() => sessionStorage.getItem('asked of Apple'))) ?? '')
    const redirectUri = `${parley.url}/api/auth/apple/callback`
    expect(asked).toEqual({ redirectUri, scopes: 'email name', state: 'mobile-app' })
  })
})
