import { describe, expect, test } from 'vitest'
import { expectText, SEEN, visit, visitAs } from './browser.ts'
import { joinWorld } from './screens/testing.ts'
import { chosen, expectTexts, goesTo, open, optionsOf, valueOf } from './reading.ts'
import { CAPABILITIES, SETTINGS_LANGUAGES, TIMEZONES, VOICES } from './specified.ts'
import { signUp } from './world.ts'

// What the screens say that need no call: those of visitors, and the settings. The others are in words.e2e.ts.

const { parley, browser } = await joinWorld()

/** Nothing covers its middle, and it is within the window. */
const isOnTop = (element: Element): boolean => {
  const { left, top, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
}

describe('for visitors', () => {
  test('the landing page has its ways in and its seven capabilities, one every three seconds', async () => {
    const { page: visitor } = await visit(browser, parley.url, { reducedMotion: 'no-preference' })
    await visitor.goto('/')
    await expectTexts(visitor, ['Welcome to Parley', 'An AI that makes your phone calls.'])
    expect(await visitor.getByRole('link', { name: 'Parley, home' }).innerText()).toBe('Parley')
    await visitor.getByRole('link', { name: 'Parley, home' }).locator('svg').waitFor()
    expect(await goesTo(visitor, 'Continue with Google')).toBe('/api/auth/google')
    expect(await visitor.getByText('Continue with Apple').count()).toBe(0)
    expect(await goesTo(visitor, 'Get Started for Free')).toBe('/register')
    expect(await goesTo(visitor, 'Sign In')).toBe('/login')
    expect(await goesTo(visitor, 'Privacy Policy')).toBe('/privacy-policy')
    expect(await goesTo(visitor, 'Terms of Service')).toBe('/terms-of-service')
    expect(await goesTo(visitor, 'Contact Us')).toMatch(/^mailto:/)
    for (const capability of CAPABILITIES) await visitor.getByText(capability, { exact: true }).filter({ visible: true }).first().waitFor()
    // One that was missed comes round again.
  }, 180_000)

  test('signing in and registering ask for what they need, and lead to each other', async () => {
    const { page: visitor } = await visit(browser, parley.url)
    await visitor.goto('/login')
    await expectTexts(visitor, ['Continue with Google', 'Forgot your password?', "Didn't receive verification email?"])
    expect(await visitor.getByLabel('Email address').getAttribute('type')).toBe('email')
    for (const label of ['Email address', 'Password'])
      expect(await visitor.getByLabel(label, { exact: true }).evaluate((input: HTMLInputElement) => input.required)).toBe(true)
    expect(await visitor.getByRole('link', { name: 'Create an account' }).getAttribute('href')).toBe('/register')
    await visitor.goto('/register')
    for (const label of ['Full name', 'Email address', 'Password', 'Confirm password'])
      await visitor.getByLabel(label, { exact: true }).waitFor()
    await expectTexts(visitor, ['Continue with Google'])
    expect(await goesTo(visitor, 'Sign In')).toBe('/login')
  })

  test('signing in without anything says what is missing in the words of the page, and shows no bubble of the browser', async () => {
    const { page: visitor } = await visit(browser, parley.url)
    await visitor.goto('/login')
    const bubbles = await visitor.evaluateHandle(() => {
      const shown: string[] = []
      addEventListener('invalid', (event) => setTimeout(() => event.defaultPrevented || shown.push((event.target as Element).id)), true)
      return shown
    })
    await visitor.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expectTexts(visitor, ['Please fill in all required fields.'])
    expect(await visitor.getByLabel('Email address').evaluate((input) => input === document.activeElement)).toBe(true)
    expect(await visitor.getByLabel('Email address').getAttribute('aria-invalid')).toBe('true')
    await visitor.getByLabel('Email address').fill('nobody')
    await visitor.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expectTexts(visitor, ['Please enter a valid email address'])
    expect(await bubbles.jsonValue()).toEqual([])
  })

  test('a dialog that is higher than the screen keeps its title and its buttons in sight, and a message covers neither', async () => {
    const person = await signUp(parley.url, 'dialogs@parley.example')
    for (const [width, height] of [
      [1280, 800],
      [360, 640],
    ] as const) {
      const { page } = await visitAs(browser, parley.url, person, { viewport: { width, height } })
      await open(page, '/contacts', 'Contacts')
      await page.getByRole('button', { name: 'Add Contact' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Add Contact' }).click()
      await page.getByRole('listitem').filter({ hasText: 'Please fill in all required fields.' }).waitFor()
      for (const each of [dialog.getByRole('heading'), dialog.getByRole('button', { name: 'Add Contact' })])
        expect(await each.evaluate(isOnTop)).toBe(true)
      await page.close()
    }
    const { page } = await visitAs(browser, parley.url, person, { viewport: { width: 1280, height: 800 } })
    await open(page, '/dashboard', 'Dashboard')
    await page.getByRole('button', { name: 'Start Call' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Please fill in all required fields.' }).waitFor()
    expect(await page.getByRole('link', { name: 'Buy Credits' }).filter({ visible: true }).first().evaluate(isOnTop)).toBe(true)
    await page.close()
  })

  test('the legal pages say what was agreed', async () => {
    const { page: visitor } = await visit(browser, parley.url)
    const says = async (path: string, sentences: readonly RegExp[]) => {
      await visitor.goto(path)
      await visitor.getByRole('heading', { level: 1 }).waitFor()
      const text = await visitor.locator('body').innerText()
      for (const sentence of sentences) expect(text).toMatch(sentence)
    }
    await says('/terms-of-service', [
      /Effective 28\/07\/2025/,
      /at least 18 years old and able to enter into a binding contract/,
      /lawful purposes only/,
      /spam calling/,
      /illegal calls/,
      /harassment, threats/,
      /fraud/,
      /any other purpose that is unlawful/,
      /may lead to the suspension or termination of your account/,
      /bought upfront/,
      /non-refundable/,
      /transcripts are stored/,
      /By using the service you consent to the recording of your calls and to the storage/,
      /provided as is/,
      /may change at any time/,
      /We may end your use of the service at any time/,
      /England and Wales/,
    ])
    await says('/privacy-policy', [
      /last updated.* 2025/i,
      /Identity data/,
      /Contact data/,
      /Call data: transcripts, recordings and metadata/,
      /Usage data/,
      /Technical data/,
      /Transactional data/,
      /Communications data/,
      /legitimate interests:/,
      /performance of an agreement:/,
      /legal compliance:/,
      /consent: where we ask for it/,
      /access the personal data/,
      /wrong data rectified/,
      /data erased, or ported/,
      /withdraw a consent/,
      /based solely on automated processing/,
      /restricted, or object to it/,
      /Requests and complaints go by e-mail\. Write to support@parley\.example/,
    ])
  })
})

describe('settings', () => {
  test('are four cards with their fields, options and defaults', async () => {
    const { page } = await visitAs(browser, parley.url, await signUp(parley.url, 'forms@parley.example'))
    await open(page, '/settings', 'Settings')
    await expectTexts(page, ['Profile Information', 'Call Defaults', 'Notifications', 'Security', 'Danger Zone'])
    for (const label of ['Full Name', 'Email Address', 'Phone Number', 'Company', 'Webhook URL'])
      await page.getByLabel(label, { exact: true }).waitFor()
    expect(await page.getByLabel('Email Address').getAttribute('type')).toBe('email')
    expect(await page.getByLabel('Phone Number').getAttribute('type')).toBe('tel')
    expect(await page.getByLabel('Webhook URL').getAttribute('type')).toBe('url')
    const profile = page.locator('form').filter({ has: page.getByRole('button', { name: 'Save Profile' }) })
    expect(await profile.locator('input').count()).toBeGreaterThanOrEqual(4)
    expect(await profile.locator(':required').count()).toBe(0)
    await expectTexts(page, ['Detects the language from the phone number', 'Receives real-time call updates'])
    expect(await chosen(page, 'Timezone')).toBe('UTC')
    expect(await optionsOf(page, 'Timezone')).toEqual(TIMEZONES)
    expect(await chosen(page, 'Default Tone')).toBe('Professional')
    expect((await optionsOf(page, 'Default Tone')).toSorted()).toEqual(['Casual', 'Empathetic', 'Formal', 'Friendly', 'Professional'])
    expect(await valueOf(page, 'Max Call Duration (minutes)')).toBe('10')
    const minutes = page.getByLabel('Max Call Duration (minutes)')
    expect([await minutes.getAttribute('min'), await minutes.getAttribute('max')]).toEqual(['1', '30'])
    expect(await optionsOf(page, 'Default Voice')).toEqual(VOICES)
    expect(await chosen(page, 'Default Language')).toBe('English')
    expect(await optionsOf(page, 'Default Language')).toEqual(SETTINGS_LANGUAGES)
    expect(await page.getByRole('switch', { name: 'Auto-detect language' }).isChecked()).toBe(true)
    expect(await page.getByRole('switch', { name: 'Email Notifications' }).isChecked()).toBe(true)
    for (const name of ['Save Profile', 'Save Call Settings', 'Generate New', 'Delete Account'])
      await page.getByRole('button', { name, exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Sign Out' }).count()).toBeGreaterThanOrEqual(2)
  })

  test('send what was changed alone, so that what was decided elsewhere stays; another address has another secret', async () => {
    const person = await signUp(parley.url, 'another-form@parley.example')
    const path = `/api/user/${person.user.id}`
    await person.send('PATCH', `${path}/settings`, { recordCalls: true, webhookUrl: 'http://127.0.0.1:9/first' })
    const { page } = await visitAs(browser, parley.url, person)
    await open(page, '/settings', 'Settings')
    const recording = page.getByRole('switch', { name: 'Record calls' })
    const secret = page.getByLabel('Signing secret')
    expect(await recording.isChecked()).toBe(true)
    const first = await secret.inputValue()
    await person.send('PATCH', `${path}/settings`, { recordCalls: false })
    await page.getByLabel('Keep calls for (days)').fill('30')
    await page.getByLabel('Webhook URL').fill('http://127.0.0.1:9/second')
    await page.getByRole('button', { name: 'Save Call Settings' }).click()
    await expectText(page, 'Settings Updated')
    const saved = await person.get(`${path}/settings`)
    expect(saved).toMatchObject({ recordCalls: false, retentionDays: 30, webhookUrl: 'http://127.0.0.1:9/second' })
    expect(await recording.isChecked()).toBe(false)
    const webhook = await person.get<{ secret: string }>(`${path}/webhook`)
    expect(webhook.secret).not.toBe(first)
    await expect.poll(() => secret.inputValue(), SEEN).toBe(webhook.secret)
  })
})
