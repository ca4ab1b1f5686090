import type { OutboxMail } from '@parley/contract'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectText, press, SEEN, visit, visitAs } from '../../../standalone/src/browser.ts'
import { watchComplaints, joinWorld } from '../testing.ts'
import { openDatabase } from '../../../standalone/src/testing.ts'
import { mailedLink, type Person, signUp, storedMails, until } from '../../../standalone/src/world.ts'

// Longer than 20 s: four journeys of new users with mailed codes, in two browsers.

const PASSWORD = 'correct horse battery'
const { parley, browser } = await joinWorld()
const complaints = watchComplaints()

async function visitor(path: string): Promise<Page> {
  const { page, complaints: own } = await visit(browser, parley.url)
  complaints.push(own)
  await page.goto(path)
  return page
}

async function settingsOf(email: string): Promise<{ page: Page; person: Person }> {
  const person = await signUp(parley.url, email, PASSWORD)
  const { page, complaints: own } = await visitAs(browser, parley.url, person)
  complaints.push(own)
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Save Call Settings' }).waitFor()
  return { page, person }
}

/** Makes the person's sessions need a step-up again; only theirs, because other files share the database. */
async function ageSessions({ user }: Person): Promise<void> {
  const database = await openDatabase(parley)
  await database.pool.query('update session set stepped_up_at = null where user_id = $1', [user.id])
  await database.close()
}

async function newestMail(email: string, words: string): Promise<OutboxMail> {
  return until(`a mail to ${email} about "${words}"`, async () => {
    const mails = await storedMails(parley.url)
    return mails.find(({ to, text }) => to === email && text.includes(words))
  })
}

async function fillRegistration(page: Page, email: string): Promise<void> {
  await page.getByLabel('Full name').fill('Ana Poe')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm password').fill(PASSWORD)
  await press(page, 'Create account')
}

describe('first login', () => {
  test('in the browser that opened the link has the address filled in; the mail can be sent again', async () => {
    const email = 'same-browser@parley.example'
    const page = await visitor('/register')
    await fillRegistration(page, email)
    await expectText(page, `We mailed a link to ${email}. Open it to verify your address, then log in.`)
    await press(page, 'Mail it again')
    await expectText(page, 'Check your email')
    await page.goto(await mailedLink(parley.url, email))
    await page.getByRole('link', { name: 'Continue to Login' }).click()
    await page.waitForURL(`${parley.url}/login`)
    expect(await page.getByLabel('Email address').inputValue()).toBe(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await page.waitForURL('**/dashboard')
  })

  test('in another browser asks for a mailed code and keeps the typed address', async () => {
    const email = 'desk@parley.example'
    const desk = await visitor('/register')
    await fillRegistration(desk, email)
    await expectText(desk, 'Please check your email to verify your account.')
    const phone = await visitor(await mailedLink(parley.url, email))
    await expectText(phone, 'Email Verified!')
    await desk.goto('/login')
    await desk.getByLabel('Email address').fill(email)
    await desk.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await desk.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expectText(desk, 'We mailed you a code of 6 digits, to be sure that this address is yours. Please enter it.')
    expect(await desk.getByLabel('Email address').inputValue()).toBe(email)
    const { text } = await newestMail(email, 'Your code:')
    await desk.getByLabel('Code from the email').fill(/Your code: (\d{6})/.exec(text)?.[1] ?? '')
    await desk.getByRole('button', { name: 'Sign In', exact: true }).click()
    await desk.waitForURL('**/dashboard')
  })
})

describe('change of the email address', () => {
  test('requires step-up once, and stays pending after a reload until canceled', async () => {
    const { page, person } = await settingsOf('present@parley.example')
    await ageSessions(person)
    await page.getByLabel('Company').fill('Analytical Engines')
    await page.getByLabel('Email Address', { exact: true }).fill('next@parley.example')
    await press(page, 'Save Profile')
    const dialog = page.getByRole('dialog', { name: "Confirm that it's you" })
    await dialog.getByLabel('Password', { exact: true }).fill('not the password')
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
    await dialog.getByText('The password is wrong.', { exact: true }).waitFor()
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await expectText(page, 'Profile Updated')
    expect(await page.getByLabel('Company').inputValue()).toBe('Analytical Engines')
    expect(await page.getByLabel('Email Address', { exact: true }).inputValue()).toBe(person.user.email)
    const waiting =
      'Confirm at next@parley.example: we mailed a link there. Until you open it, present@parley.example stays your address.'
    await expectText(page, waiting)
    await press(page, 'Generate New')
    await page.getByLabel('Your new key').waitFor()
    expect(await dialog.count()).toBe(0)
    await page.reload()
    await expectText(page, waiting)
    await press(page, 'Resend')
    await expectText(page, 'The link is on its way to next@parley.example again.')
    await press(page, 'Cancel the change')
    await expectText(page, 'Your email address stays as it is')
    await expect.poll(() => page.getByText(waiting).count(), SEEN).toBe(0)
  })

  test('is stopped by the link mailed to the current address, which can end every session', async () => {
    const { page } = await settingsOf('robbed@parley.example')
    await page.getByLabel('Email Address', { exact: true }).fill('robber@parley.example')
    await press(page, 'Save Profile')
    await expectText(page, 'Confirm your new email address')
    const { text } = await newestMail('robbed@parley.example', 'asked to move your account')
    const owner = await visitor(/https?:\/\/\S+/.exec(text)?.[0] ?? '')
    await expectText(owner, 'Stop the change of your email address?')
    await press(owner, 'Stop it and log out everywhere')
    await expectText(owner, 'The change was stopped')
    await page.goto('/settings')
    await page.waitForURL(`${parley.url}/`)
    expect((await newestMail('robbed@parley.example', '/reset-password?token=')).subject).toContain('password')
  })
})
