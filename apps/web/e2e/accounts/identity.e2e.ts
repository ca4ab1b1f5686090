import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectText, NARROW, press, SEEN, visit } from '../../../standalone/src/browser.ts'
import { watchComplaints, joinWorld } from '../testing.ts'
import { mailedLink, signUp, until } from '../../../standalone/src/world.ts'

const PASSWORD = 'correct horse battery'
const { parley, browser } = await joinWorld()
const complaints = watchComplaints()

async function visitor(path: string): Promise<Page> {
  const { page, complaints: own } = await visit(browser, parley.url)
  complaints.push(own)
  await page.goto(path)
  return page
}

describe('log in', () => {
  const fill = async (page: Page, email: string, password: string) => {
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await press(page, 'Sign In')
  }

  // screens.md: refuses-wrong-password-greets
  test('refuses a wrong password; the right one greets by name and opens the dashboard', async () => {
    await signUp(parley.url, 'login@parley.example', PASSWORD)
    const page = await visitor('/login')
    await fill(page, 'login@parley.example', 'not the password')
    expect(await page.getByRole('alert').innerText()).toMatch(/password/i)
    await fill(page, 'login@parley.example', PASSWORD)
    await expectText(page, 'Login successful')
    await expectText(page, 'Welcome back, Ada Lovelace!')
    await page.waitForURL('**/dashboard')
    expect(await page.evaluate(() => localStorage.getItem('parley.user'))).toContain('login@parley.example')
  })

  test('Google sign-in without keys shows that it is unavailable', async () => {
    const page = await visitor('/login')
    await page.getByRole('link', { name: 'Continue with Google' }).click()
    await expectText(page, 'Google sign-in is temporarily unavailable. Please try again later or contact support.')
  })
})

describe('password reset', () => {
  const fill = async (page: Page, password: string, confirmation = password) => {
    await page.getByLabel('New password').fill(password)
    await page.getByLabel('Confirm password').fill(confirmation)
    await press(page, 'Reset password')
  }

  // screens.md: needs-token-mail-mailed
  test('refuses an invalid token; the mailed link sets the password and signs in', async () => {
    const email = 'forgetful@parley.example'
    const person = await signUp(parley.url, email, PASSWORD)
    const page = await visitor('/reset-password?token=made-up')
    await fill(page, 'a new battery')
    await expectText(page, 'The password reset link is invalid or has already been used.')
    await person.send('POST', '/api/auth/forgot-password', { email })
    await page.goto(await newLink(email, '/reset-password'))
    await fill(page, 'a new battery')
    await page.waitForURL('**/dashboard')
  })
})

/** The mailed link to a page; another mail may have arrived before it. */
async function newLink(email: string, path: string): Promise<string> {
  return until(`a link to ${path}`, async () => {
    const link = await mailedLink(parley.url, email)
    return link.includes(path) && link
  })
}

describe('email verification', () => {
  // screens.md: goes-mailed-link-opened
  test('the mailed link, opened on a phone, verifies the account for login', async () => {
    const email = 'phone@parley.example'
    const desk = await visitor('/register')
    await desk.getByLabel('Full name').fill('Ana Poe')
    await desk.getByLabel('Email address').fill(email)
    await desk.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await desk.getByLabel('Confirm password').fill(PASSWORD)
    await press(desk, 'Create account')
    await expectText(desk, 'Please check your email to verify your account.')

    const { page, complaints: own } = await visit(browser, parley.url, {
      viewport: NARROW,
      isMobile: true,
      hasTouch: true,
    })
    complaints.push(own)
    await page.goto(await mailedLink(parley.url, email))
    await expectText(page, 'Email Verified!')
    await page.getByRole('link', { name: 'Continue to Login' }).tap()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign In', exact: true }).tap()
    await page.waitForURL('**/dashboard')
    await expect.poll(() => page.getByRole('banner').innerText(), SEEN).toMatch(/Credits\s*10/)
  })
})
