import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import type { DataExport } from '@parley/contract'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectText, press, SEEN, visit, visitAs } from '../../../standalone/src/browser.ts'
import { watchComplaints, joinWorld } from '../testing.ts'
import { mailedLink, type Person, signIn, signUp, until } from '../../../standalone/src/world.ts'

// Longer than 20 s: ten journeys, each of a new user, with codes from mails and calls.

const PASSWORD = 'correct horse battery'
const { parley, browser } = await joinWorld()
const complaints = watchComplaints()

async function settingsOf(email: string, options?: BrowserContextOptions): Promise<{ page: Page; person: Person }> {
  const person = await signUp(parley.url, email, PASSWORD)
  const { page, complaints: own } = await visitAs(browser, parley.url, person, options)
  complaints.push(own)
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Save Call Settings' }).waitFor()
  return { page, person }
}

const section = (page: Page, name: string) => page.getByRole('region', { name })

/** The code of an authenticator app for a secret: RFC 6238, 6 digits, 30 s. */
function codeOf(secret: string): string {
  const bits = Array.from(secret, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const hash = createHmac('sha1', key).update(step).digest()
  const number = hash.readUInt32BE(hash.readUInt8(19) & 15) & 0x7f_ff_ff_ff
  return String(number % 1_000_000).padStart(6, '0')
}

describe('profile and call settings', () => {
  // screens.md: saved-and-kept
  test('are saved with a toast and kept after a reload', async () => {
    const { page } = await settingsOf('profile@parley.example')
    expect(await page.getByLabel('Full Name').inputValue()).toBe('Ada Lovelace')
    await page.getByLabel('Company').fill('Analytical Engines')
    await page.getByLabel('Phone Number').fill('+44 20 7946 0018')
    await press(page, 'Save Profile')
    await expectText(page, 'Profile Updated')

    await page.getByLabel('Max Call Duration (minutes)').fill('7')
    await page.getByRole('switch', { name: 'Record calls' }).click()
    await page.getByLabel('Keep calls for (days)').fill('30')
    await page.getByRole('switch', { name: 'Email Notifications' }).click()
    const sent = page.waitForRequest((request) => request.method() === 'PATCH' && request.url().endsWith('/settings'))
    await press(page, 'Save Call Settings')
    expect((await sent).postDataJSON()).toMatchObject({ defaultMaxDurationMinutes: 7, emailNotifications: false })
    await expectText(page, 'Settings Updated')

    await page.reload()
    await page.getByRole('button', { name: 'Save Call Settings' }).waitFor()
    expect(await page.getByLabel('Company').inputValue()).toBe('Analytical Engines')
    expect(await page.getByLabel('Max Call Duration (minutes)').inputValue()).toBe('7')
    expect(await page.getByLabel('Keep calls for (days)').inputValue()).toBe('30')
    expect(await page.getByRole('switch', { name: 'Record calls' }).isChecked()).toBe(true)
    expect(await page.getByRole('switch', { name: 'Email Notifications' }).isChecked()).toBe(false)
  })
})

describe('numbers to call from', () => {
  test('a phone is called, told a code and then called from', async () => {
    const { page } = await settingsOf('caller@parley.example')
    const numbers = section(page, 'Numbers to call from')
    await numbers.getByLabel('Phone to verify').fill('+1 202 555 0100')
    await press(page, 'Call me with a code')
    const heard = numbers.locator('q')
    await heard.waitFor(SEEN)
    const code = /code is: ((?:\d, ){5}\d)\./.exec(await heard.innerText())?.[1]?.replaceAll(/\D/g, '') ?? ''
    await numbers.getByLabel('Code that you heard').fill(code)
    await press(page, 'Confirm')
    await expectText(page, 'Your own phone, verified')
    await press(page, 'Use for every call: +1 202 555 0100')
    await expectText(page, 'For every call')

    await page.goto('/make-call')
    await page.getByRole('combobox', { name: 'Call from' }).waitFor()
    await page.getByLabel('Phone Number').fill('+1 202 555 0101')
    await page.getByLabel('Purpose').fill('Ask')
    const placed = page.waitForResponse(
      (response) => response.url().endsWith('/api/calls') && response.request().method() === 'POST',
    )
    await press(page, 'Start Call')
    expect(await (await placed).json()).toMatchObject({ from: '+12025550100' })
  })
})

/** A webhook receiver that keeps events and answers with a configurable status. */
async function startReceiver() {
  const receiver = { status: 200, events: [] as { id: string; signature: string; timestamp: string; body: string }[] }
  const server = createServer((request, response) => {
    const header = (name: string) => String(request.headers[`webhook-${name}`])
    const signed = { id: header('id'), signature: header('signature'), timestamp: header('timestamp') }
    void text(request).then((body) => {
      receiver.events.push({ ...signed, body })
      response.writeHead(receiver.status).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const close = () => new Promise((done) => server.close(done).closeAllConnections())
  return Object.assign(receiver, { url: `http://127.0.0.1:${port}/hook`, close })
}

/** The expected Standard Webhooks signature of an event. */
function signatureOf(secret: string, { id, timestamp, body }: { id: string; timestamp: string; body: string }): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

describe('webhook', () => {
  test('refuses private addresses, sends signed test events, lists deliveries and replays a failed one', async () => {
    const receiver = await startReceiver()
    const { page, person } = await settingsOf('webhook@parley.example')
    for (const [url, sentence] of [
      ['http://192.168.0.1/hook', 'The webhook URL must begin with https://.'],
      ['https://169.254.169.254/latest', 'The webhook URL must be an address on the public internet.'],
      ['https://me:secret@hooks.example.org/', 'The webhook URL must not carry a user name or a password.'],
    ] as const) {
      await page.getByLabel('Webhook URL').fill(url)
      await press(page, 'Save Call Settings')
      await expectText(page, sentence)
      expect(await person.get(`/api/user/${person.user.id}/settings`)).toMatchObject({ webhookUrl: null })
      expect(await page.getByRole('button', { name: 'Send test' }).count()).toBe(0)
    }
    await page.getByLabel('Webhook URL').fill(receiver.url)
    await press(page, 'Save Call Settings')
    await expectText(page, 'Settings Updated')
    await expectText(page, `A test event to ${receiver.url}`)
    await expectText(page, 'Nothing sent yet. Send a test, or place a call.')

    await press(page, 'Send test')
    await expectText(page, 'Your webhook took the test event.')
    const secret = await page.getByLabel('Signing secret').inputValue()
    const [first] = receiver.events
    expect(JSON.parse(first!.body)).toMatchObject({ type: 'test' })
    expect(first!.signature.split(' ')).toContain(signatureOf(secret, first!))
    const rows = page.getByRole('list', { name: 'Recent deliveries' }).getByRole('listitem')
    await rows.first().getByText('Delivered').waitFor()

    receiver.status = 500
    await press(page, 'Send test')
    await expectText(page, 'It answered 500.')
    await rows.first().getByText('Failed').waitFor()
    expect(await rows.count()).toBe(2)
    receiver.status = 200
    await press(page, 'Send again: test')
    await expectText(page, 'Sent again')
    await expect.poll(() => receiver.events.length, SEEN).toBe(3)
    expect(receiver.events[2]!.id).toBe(receiver.events[1]!.id)
    // Waiting deliveries are polled until decided, without a reload.
    await expect.poll(() => rows.getByText('Delivered').count(), SEEN).toBe(2)
    await rows.getByText('2 attempts').waitFor()
    await page.getByLabel('Webhook URL').fill('')
    await press(page, 'Save Call Settings')
    await expect.poll(() => page.getByRole('button', { name: 'Send test' }).count(), SEEN).toBe(0)
    await receiver.close()
  })
})

describe('security', () => {
  const email = 'owner@parley.example'
  let page: Page
  let person: Person

  beforeAll(async () => {
    ;({ page, person } = await settingsOf(email))
  })

  // screens.md: new-password-mail-gives
  test('a password reset signs nobody in when a second factor is on', async () => {
    const address = 'two-steps@parley.example'
    const forgetful = await signUp(parley.url, address, PASSWORD)
    const path = `/api/user/${forgetful.user.id}/second-factor`
    const { secret } = (await (await forgetful.send('POST', path, {})).json()) as { secret: string }
    expect((await forgetful.send('POST', `${path}/confirm`, { code: codeOf(secret) })).ok).toBe(true)
    await forgetful.send('POST', '/api/auth/forgot-password', { email: address })
    const link = await until('the link', async () => {
      const newest = await mailedLink(parley.url, address)
      return newest.includes('/reset-password') && newest
    })
    const { page: fresh, complaints: own } = await visit(browser, parley.url)
    complaints.push(own)
    await fresh.goto(link)
    await fresh.getByLabel('New password').fill('a new battery')
    await fresh.getByLabel('Confirm password').fill('a new battery')
    await press(fresh, 'Reset password')
    await expectText(fresh, 'Your password has been changed.')
    await fresh.getByRole('link', { name: 'Go to Login' }).click()
    await fresh.waitForURL('**/login')
    expect((await fresh.request.get('/api/auth/user')).status()).toBe(401)
  })

  // screens.md: new-api-key-shown
  test('a new API key is shown once in full, works, and stops working when revoked', async () => {
    await press(page, 'Generate New')
    const key = await page.getByLabel('Your new key').inputValue()
    const ask = () => fetch(`${parley.url}/api/auth/user`, { headers: { authorization: `Bearer ${key}` } })
    expect((await ask()).status).toBe(200)
    await page.reload()
    const masked = page.getByLabel('API Key', { exact: true })
    await expect.poll(() => masked.inputValue(), SEEN).toMatch(/^parley_.*…/)
    expect(await masked.evaluate((input: HTMLInputElement) => input.readOnly)).toBe(true)
    expect(await page.content()).not.toContain(key)
    await page.getByRole('button', { name: /^Revoke the key/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await expectText(page, 'Key revoked')
    expect((await ask()).status).toBe(401)
  })

  test('sessions elsewhere are listed and can be ended', async () => {
    const others = [await signIn(parley.url, email, PASSWORD), await signIn(parley.url, email, PASSWORD)]
    await page.reload()
    const list = section(page, 'Where you are signed in')
    await list.getByText('This device').waitFor()
    await list
      .getByRole('button', { name: /^End the session on/ })
      .first()
      .click()
    await expectText(page, 'Session ended')
    await expect.poll(() => list.getByRole('listitem').count(), SEEN).toBe(2)
    await press(page, 'End all others')
    await expectText(page, 'All other sessions ended')
    await expect.poll(() => list.getByRole('listitem').count(), SEEN).toBe(1)
    for (const other of others) await expect(other.get('/api/auth/user')).rejects.toThrow('401')
    await person.get('/api/auth/user')
    await section(page, 'Recent security activity').getByText('Session ended').first().waitFor()
  })

  test('an authenticator app is set up, required at the next sign-in, and switched off', async () => {
    await page.goto('/settings')
    await press(page, 'Set up an authenticator app')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    const secret = await dialog.getByLabel('Or type this key into the app').inputValue()
    await dialog.getByLabel('Code of the app').fill('not a code')
    await press(page, 'Switch on')
    await expectText(page, 'The code is wrong or was already used.')
    await dialog.getByLabel('Code of the app').fill(codeOf(secret))
    await press(page, 'Switch on')
    const shown = dialog.getByRole('list', { name: 'Recovery codes' })
    await shown.waitFor()
    const codes = await shown.getByRole('listitem').allInnerTexts()
    expect(new Set(codes).size).toBe(10)
    const download = page.waitForEvent('download')
    await press(page, 'Download')
    expect((await download).suggestedFilename()).toBe('parley-recovery-codes.txt')
    await press(page, 'I have kept them')
    await expectText(page, '10 unused recovery codes')

    const { page: fresh } = await visit(browser, parley.url)
    await fresh.goto('/login')
    await fresh.getByLabel('Email address').fill(email)
    await fresh.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await press(fresh, 'Sign In')
    await fresh.getByLabel('Authentication code').fill(codes[0]!)
    await press(fresh, 'Sign In')
    await fresh.waitForURL('**/dashboard')

    await page.reload()
    await expectText(page, '9 unused recovery codes')
    await press(page, 'Switch off')
    await dialog.getByLabel('Code of the app, or a recovery code').fill(codes[1]!)
    await dialog.getByRole('button', { name: 'Switch off' }).click()
    await expectText(page, 'Two-step sign-in is off')
    await page.getByRole('button', { name: 'Set up an authenticator app' }).waitFor()
  })

  test('a passkey is added, signs in without a password, and is removed', async () => {
    await page.goto('/settings')
    const device = await page.context().newCDPSession(page)
    await device.send('WebAuthn.enable')
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    } as const
    await device.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, automaticPresenceSimulation: true },
    })
    const list = section(page, 'Passkeys')
    await list.getByText('No passkey yet.').waitFor()
    await list.getByLabel('Name of the new passkey').fill('My laptop')
    await press(page, 'Add a passkey')
    await list.getByRole('listitem').getByText('My laptop').waitFor()

    await page.context().clearCookies()
    await page.goto('/login')
    await press(page, 'Sign in with a passkey')
    await page.waitForURL('**/dashboard')
    await page.goto('/settings')
    await press(page, 'Remove the passkey My laptop')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expectText(page, 'Passkey removed')
    await list.getByText('No passkey yet.').waitFor()
  })

  test('a data export is requested, made and downloaded', async () => {
    await page.goto('/settings')
    const copies = section(page, 'Your data')
    await copies.getByText('No copy requested yet.').waitFor()
    await press(page, 'Request a copy')
    await expectText(page, 'Your copy is being made')
    const download = page.waitForEvent('download')
    await copies.getByRole('link', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toBe('parley-export.zip')
    expect(await person.get<DataExport[]>(`/api/user/${person.user.id}/exports`)).toMatchObject([
      { status: 'ready', progress: 100 },
    ])
  })
})

describe('account deletion', () => {
  // screens.md: account-deleted-after-question
  test('asks for confirmation; afterwards the password no longer signs in', async () => {
    const email = 'leaving@parley.example'
    const { page } = await settingsOf(email)
    await press(page, 'Delete Account')
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Are you sure you want to delete your account? This action cannot be undone.').waitFor()
    await dialog.getByRole('button', { name: 'Delete Account' }).click()
    await page.waitForURL(`${parley.url}/`)
    await page.getByRole('link', { name: 'Get Started for Free' }).waitFor()
    await expect(signIn(parley.url, email, PASSWORD)).rejects.toThrow('401')
  })
})
