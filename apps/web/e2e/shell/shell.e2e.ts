import { randomUUID } from 'node:crypto'
import { startAppleKeys, startOpenIdProvider } from '@parley/api/testing/accounts'
import { startPushFarEnds } from '@parley/api/testing/notices'
import type { CallDetails } from '@parley/contract'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { expectText, press } from '../../../standalone/src/browser.ts'
import { until } from '../../../standalone/src/world.ts'
import { answerBank, CARDS, expectSeen, pay } from '../credits/testing.ts'
import { deviceJourneys } from './journeys/device.ts'
import { linkJourneys } from './journeys/links.ts'
import { pushJourney } from './journeys/push.ts'
import {
  dashboard,
  mailedCode,
  newPerson,
  openPhones,
  PASSWORD,
  type Phone,
  statusOf,
  tokenOn,
} from './journeys/phone.ts'
import { API, WWW } from './journeys/world.ts'
import { openShellWorld } from './testing.ts'

// One product and one browser for all journeys in a shell: the built pages at https://localhost, the api on another host
// and Capacitor's own bridge, with a stand-in for the system behind it.
// Longer than 20 s: journeys of a page that is loaded, killed and loaded again, each of a new user with two mails.

const apple = await startAppleKeys()
const google = await startOpenIdProvider(API)
const push = await startPushFarEnds()
afterAll(() => Promise.all([apple.close(), google.close(), push.close()]))
const world = await openShellWorld({ ...apple.environment, ...google.environment, ...push.environment })

const phones = openPhones(world)
const { aPhone, signedIn } = phones

describe('sign-in by password', () => {
  test('keeps the token in secure storage alone, sends no cookie and lasts over reload and restart', async () => {
    const { email } = await newPerson(world)
    const phone = aPhone('android')
    const page = await phone.start()
    await page.getByRole('link', { name: 'Sign In' }).first().click()
    // No passkeys: they cannot work in a web view.
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await press(page, 'Sign In')
    // The first sign-in on a phone is proven by mail.
    await page.locator('input[name=code]').fill(await mailedCode(world, email))
    await press(page, 'Sign In')
    await dashboard(page).waitFor()
    expect(tokenOn(phone)).toMatch(/^pst_/)
    const stored = await page.evaluate(() =>
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
    )
    expect(stored).not.toContain('pst_')
    expect(await page.context().cookies()).toEqual([])
    await page.reload()
    await dashboard(page).waitFor()
    await phone.kill()
    const again = await phone.start()
    await again.waitForURL('**/dashboard')
    await dashboard(again).waitFor()
  })

  test('a wrong password shows the error and leaves no token', async () => {
    const { email } = await newPerson(world)
    const phone = aPhone()
    const page = await phone.start()
    await page.getByRole('link', { name: 'Sign In' }).first().click()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await press(page, 'Sign In')
    await page
      .getByRole('alert')
      .getByText(/password/i)
      .waitFor()
    expect(tokenOn(phone)).toBeUndefined()
  })
})

describe('Google sign-in', () => {
  const someone = () => ({
    sub: randomUUID(),
    email: `g-${randomUUID()}@parley.example`,
    email_verified: true,
    name: 'Grace Hopper',
  })

  /** Taps the button and goes through Google's pages in the in-app browser; gives the link back to the app. */
  async function throughGoogle(phone: Phone, page: Page): Promise<string> {
    await page.getByRole('link', { name: 'Continue with Google' }).click()
    const [opened] = await until('the in-app browser', async () => {
      const all = phone.device.asked('Browser', 'open')
      return all.length > 0 && all
    })
    expect(opened).toMatchObject({ toolbarColor: '#4CAF50' })
    const { pathname, search, searchParams } = new URL(String(opened?.['url']))
    expect(searchParams.get('challenge')).toMatch(/^[\w-]{43}$/)
    google.person = someone()
    const begun = await fetch(world.parley.url + pathname + search, { redirect: 'manual' })
    const cookie = begun.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
    const back = await google.visit(begun.headers.get('location') ?? '')
    const done = await fetch(world.parley.url + back.pathname + back.search, {
      redirect: 'manual',
      headers: { cookie },
    })
    return done.headers.get('location') ?? ''
  }

  test('opens the in-app browser, comes back by link and closes it', async () => {
    const phone = aPhone()
    const page = await phone.start()
    const link = await throughGoogle(phone, page)
    expect(link).toMatch(/^parley:\/\/auth\/google\?code=/)
    await phone.openLink(link)
    await dashboard(page).waitFor()
    expect(tokenOn(phone)).toMatch(/^pst_/)
    expect(phone.device.asked('Browser', 'close').length).toBeGreaterThan(0)
  })

  test('comes back to an app that the system had ended meanwhile', async () => {
    const phone = aPhone('android')
    const link = await throughGoogle(phone, await phone.start())
    await phone.kill()
    const page = await phone.start(link)
    await dashboard(page).waitFor()
    expect(tokenOn(phone)).toMatch(/^pst_/)
  })

  test('refuses a code that this app did not request', async () => {
    const phone = aPhone()
    const page = await phone.start()
    const asked: string[] = []
    page.on('request', (request) => void (request.url().includes('/api/auth/native') && asked.push(request.url())))
    await phone.openLink('parley://auth/google?code=of-somebody-else')
    await expectText(page, 'Authentication failed. Please try again.')
    expect([asked, tokenOn(phone)]).toEqual([[], undefined])
  })

  test('shows that it is temporarily unavailable', async () => {
    const phone = aPhone()
    const page = await phone.start()
    await phone.openLink('parley://auth/google?error=oauth_temporarily_unavailable')
    await expectText(page, 'Google sign-in is temporarily unavailable. Please try again later or contact support.')
    await page.waitForURL(`${WWW}/`)
  })
})

describe('Apple sign-in', () => {
  const GRACE = { sub: 'apple.grace', email: 'grace@parley.example', email_verified: 'true' }

  /** Each time that the dialog is opened it ends in the next of these ways. */
  const FAILURES: readonly (readonly [dialog: () => string, sentence: string])[] = [
    [
      failing('Not supported in the Simulator'),
      'Apple Sign-In is not available in the iOS Simulator. Please test on a physical device.',
    ],
    [failing('The user canceled'), 'Apple Sign-In failed: The user canceled'],
    [() => '', 'Apple Sign-In failed: Apple returned no identity token.'],
    [() => 'forged', 'Authentication failed. Please try again.'],
  ]

  // Each alone, and on Android: screens/accounts. Here over the bridge and to the server.
  test('shows each failure of the dialog and of the server, and leaves no token', async () => {
    const phone = aPhone('ios')
    const ways = FAILURES.map(([dialog]) => dialog)
    phone.device.answer('SocialLogin', 'initialize', () => ({}))
    phone.device.answer('SocialLogin', 'login', () => {
      const idToken = (ways.shift() ?? (() => 'unreached'))()
      return { provider: 'apple', result: { idToken, authorizationCode: 'c', profile: {} } }
    })
    const page = await phone.start()
    for (const [, sentence] of FAILURES) {
      await press(page, 'Continue with Apple')
      await expectText(page, sentence)
    }
    await page.route('**/api/auth/apple', (route) => route.abort())
    await press(page, 'Continue with Apple')
    await page.getByText(/^Apple Sign In failed: .+/).waitFor()
    expect(tokenOn(phone)).toBeUndefined()
  })

  // screens.md: signs-page-starts-again
  test('signs in, reloads the page and greets the user', async () => {
    const phone = aPhone('ios')
    phone.device.answer('SocialLogin', 'initialize', () => ({}))
    phone.device.answer('SocialLogin', 'login', async ({ options }) => {
      const idToken = await apple.token({ ...GRACE, nonce: (options as { nonce: string }).nonce })
      const profile = { givenName: 'Grace', familyName: 'Hopper' }
      return { provider: 'apple', result: { idToken, authorizationCode: 'c', profile } }
    })
    const page = await phone.start()
    await page.getByRole('button', { name: 'Continue with Apple' }).waitFor()
    // Records how each page was loaded.
    await page.context().addInitScript(() => {
      const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
      Object.assign(globalThis, { loadedBy: load?.type })
    })
    await press(page, 'Continue with Apple')
    await page.getByRole('heading', { name: 'Welcome, Grace' }).waitFor()
    await page.waitForURL('**/dashboard')
    // The page was reloaded, not navigated.
    expect(await page.evaluate(() => Reflect.get(globalThis, 'loadedBy') as unknown)).toBe('reload')
    expect(tokenOn(phone)).toMatch(/^pst_/)
    expect(phone.device.asked('SocialLogin', 'initialize')).toEqual([{ apple: { useProperTokenExchange: true } }])
  })
})

function failing(message: string): () => string {
  return () => {
    throw new Error(message)
  }
}

describe('a call', () => {
  async function place(page: Page, number: string) {
    await page.getByLabel('Phone number').fill(number)
    await page.getByLabel('Purpose').fill('Book a table for four on Friday evening')
    await page.getByLabel('Objectives').fill('A table at 7 pm')
    await page.getByLabel('Objectives').press('Enter')
    await press(page, 'Start Call')
  }

  test('is followed word by word over a socket with a ticket, felt at its end, and its files are shared', async () => {
    const { phone, person } = await signedIn()
    await person.record()
    const page = await phone.start()
    await dashboard(page).waitFor()
    const sockets: string[] = []
    page.on('websocket', (socket) => sockets.push(socket.url()))
    const placed = page
      .waitForResponse((response) => response.url() === `${API}/api/calls` && response.status() === 201)
      .then(async (response) => (await response.json()) as CallDetails)
    await place(page, '+1 202 555 0100')
    await page.getByRole('log').getByText('AI assistant').waitFor()
    await page.getByText('The objective is met').waitFor({ timeout: 60_000 })
    await until('the motor', async () => phone.device.asked('Haptics', 'notification').length > 0)
    expect(sockets.filter((url) => !/^wss:\/\/api\.parley\.example\/.*ticket=/.test(url))).toEqual([])
    await page.getByRole('button', { name: 'Close' }).first().click()
    await page.getByRole('button', { name: 'Download transcript' }).first().click()
    const shared = await until('the share sheet', async () => phone.device.shared[0])
    expect(shared).toMatchObject({ title: expect.stringMatching(/^transcript-\+12025550100-.*\.txt$/) as string })
    expect(phone.device.textOf(String(shared['title']))).toContain('Agent: ')
    await page.goto(`${WWW}/billing`)
    await page.getByRole('tab', { name: 'Statement' }).click()
    await page.getByRole('link', { name: 'Download CSV' }).click()
    const csv = await until('the share sheet', async () => phone.device.shared[1])
    expect(phone.device.textOf(String(csv['title']))).toContain(',')
    await person.recorded((await placed).id)
    await page.goto(`${WWW}/call-history`)
    await page.getByRole('button', { name: /^View the call to/ }).click()
    const player = page.getByLabel('Recording of the call')
    await expect.poll(() => player.getAttribute('src')).toMatch(/^blob:/)
    await player.evaluate((audio: HTMLAudioElement) => audio.play())
    await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => audio.currentTime)).toBeGreaterThan(0)
    await page.getByRole('link', { name: 'Download recording' }).click()
    const recording = await until('the share sheet', async () => phone.device.shared[2])
    expect(recording['title']).toMatch(/\.wav$/)
    expect(phone.device.textOf(String(recording['title']))).toMatch(/^RIFF/)
  }, 180_000)

  test('that runs is shown again after the system ended the app', async () => {
    const { phone } = await signedIn('android')
    const page = await phone.start()
    await dashboard(page).waitFor()
    await page.getByLabel('Max duration').fill('10')
    // They talk on and on, to the call's time limit.
    await place(page, '+1 202 555 0111')
    await page.getByRole('log').getByText('AI assistant').waitFor()
    await phone.kill()
    const again = await phone.start()
    await again.getByRole('log').getByText('AI assistant').waitFor()
    expect(await again.getByRole('dialog').count()).toBe(1)
  }, 180_000)
})

describe('a payment', () => {
  test('with 3-D Secure completes, and a bank that left the app leads back to it', async () => {
    const { phone, person } = await signedIn()
    const page = await phone.start()
    await dashboard(page).waitFor()
    await page.goto(`${WWW}/billing/card-payment?package=light`)
    await pay(page, CARDS.needsConsent, 'Complete Payment')
    await answerBank(page, /complete/i)
    await page.getByRole('heading', { name: '10 Credits Added' }).waitFor()
    expect(await person.balance()).toBe(20)
    const to = new URL(page.url())
    const answer = await fetch(
      `${world.parley.url}/app/return?${new URLSearchParams({ to: to.pathname + to.search }).toString()}`,
    )
    const link = /parley:\/\/return\?[^"'\s<]+/.exec(await answer.text())?.[0]?.replaceAll('&amp;', '&') ?? ''
    await page.goto(`${WWW}/dashboard`)
    await dashboard(page).waitFor()
    await phone.openLink(link)
    await page.waitForURL('**/billing/success?**')
    await expectSeen(page, '10 Credits Added')
    expect(await person.balance()).toBe(20)
    await page.goto(`${WWW}/billing`)
    await page.getByRole('tab', { name: 'Purchases' }).click()
    await page.getByRole('link', { name: /^Receipt for/ }).click()
    const receipt = await until('the share sheet', async () => phone.device.shared[0])
    expect(receipt['title']).toMatch(/\.pdf$/)
    expect(phone.device.textOf(String(receipt['title']))).toMatch(/^%PDF/)
  }, 180_000)
})

describe('leaving', () => {
  test('Sign Out removes the token from the phone, and the server knows it no more', async () => {
    const { phone, token } = await signedIn()
    const page = await phone.start()
    await dashboard(page).waitFor()
    expect(await statusOf(world, token)).toBe(200)
    await press(page, 'Open the menu')
    await press(page, 'Sign Out')
    await page.getByRole('link', { name: 'Get Started for Free' }).waitFor()
    expect(tokenOn(phone)).toBeUndefined()
    expect(await statusOf(world, token)).toBe(401)
    await page.goto(`${WWW}/dashboard`)
    await page.waitForURL(`${WWW}/`)
  })

  test('deleting the account leaves neither token nor account', async () => {
    const { phone, token } = await signedIn('android')
    const page = await phone.start()
    await dashboard(page).waitFor()
    await page.goto(`${WWW}/settings`)
    await press(page, 'Delete Account')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Account' }).click()
    await page.getByRole('link', { name: 'Get Started for Free' }).waitFor()
    expect(tokenOn(phone)).toBeUndefined()
    expect(await statusOf(world, token)).toBe(401)
  })

  test('a session ended elsewhere leads to the start page and leaves no token', async () => {
    const { phone, token } = await signedIn()
    const page = await phone.start()
    await dashboard(page).waitFor()
    const headers = { origin: WWW, authorization: `Bearer ${token}`, 'parley-shell': 'ios' }
    await fetch(`${world.parley.url}/api/logout`, { headers })
    await page.waitForURL(`${WWW}/`)
    await expect.poll(() => tokenOn(phone)).toBeUndefined()
  })
})

// All looks between notch and home indicator: screens/platform/looks.
test('the page begins beneath the notch', async () => {
  const page = await aPhone('ios').start()
  await page.getByRole('link', { name: 'Get Started for Free' }).waitFor()
  const session = await page.context().newCDPSession(page)
  const insets = { top: 47, bottom: 34, left: 0, right: 0 }
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets })
  await expect
    .poll(() => page.locator('#root').evaluate((root) => getComputedStyle(root).padding))
    .toBe('47px 0px 34px')
})

linkJourneys(phones)
deviceJourneys(phones)
pushJourney(phones, () => push.fcm.delivered)
