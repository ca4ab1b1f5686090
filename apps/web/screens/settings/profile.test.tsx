import { accountsRoutes, confirmationsRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ADA, axeFindings, bodiesOf, expectTexts, openScreen, press, serve } from '../testing.tsx'
import { expectBusy, expectToast } from './testing.tsx'

const NEXT = 'next@parley.example'
const WAITING = `Confirm at ${NEXT}: we mailed a link there. Until you open it, ${ADA.email} stays your address.`

const email = () => page.getByLabelText('Email Address', { exact: true })
const company = () => page.getByLabelText('Company', { exact: true })

describe('profile', () => {
  test('starts with the user’s values and sends only the changed ones', async () => {
    const api = serve({ ...ADA, phone: '+44 20 7946 0018' })
    api.answer(accountsRoutes.changeUser, { ...ADA, companyName: 'Analytical Engines', timezone: 'Asia/Tokyo' })
    await openScreen('/settings')
    await expectTexts([
      'Your profile, call defaults, notifications and security.',
      'Profile Information',
      'The agent says your name when it calls for you.',
    ])
    await expect.element(page.getByLabelText('Full Name', { exact: true })).toHaveValue(ADA.fullName)
    await expect.element(email()).toHaveValue(ADA.email)
    await expect.element(page.getByLabelText('Phone Number', { exact: true })).toHaveValue('+44 20 7946 0018')
    await company().fill('Analytical Engines')
    await page.getByRole('combobox', { name: 'Timezone' }).click()
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
    const answer = api.hold(accountsRoutes.changeUser)
    await press('Save Profile')
    await expectBusy('Saving...')
    answer()
    await expectToast('Profile Updated', 'Your profile has been saved successfully')
    await expect.element(page.getByRole('button', { name: 'Save Profile' })).toBeVisible()
    await expect.element(company()).toHaveValue('Analytical Engines')
    expect(bodiesOf(api.requests(accountsRoutes.changeUser))).toEqual([
      { companyName: 'Analytical Engines', timezone: 'Asia/Tokyo' },
    ])
    expect(await axeFindings()).toEqual([])
  })

  // screens.md: server-could-save-says
  test('a failed save shows the reason and keeps the typed values', async () => {
    const api = serve()
    api.send(accountsRoutes.changeUser, '', { status: 500 })
    await openScreen('/settings')
    await company().fill('Another')
    await press('Save Profile')
    await expectToast('Error', 'Failed to update profile.')
    await expect.element(company()).toHaveValue('Another')
    api.refuse(accountsRoutes.changeUser, 'invalid_input', { message: 'All fields are required' })
    await press('Save Profile')
    await expectToast('Error', 'All fields are required')
    expect(await axeFindings()).toEqual([])
  })

  test('an invalid email address is not sent', async () => {
    const api = serve()
    await openScreen('/settings')
    await email().fill('ada at home')
    await press('Save Profile')
    await expectTexts(['Please enter a valid email address'])
    await expect.element(email()).toHaveFocus()
    expect(api.requests(accountsRoutes.changeUser)).toEqual([])
  })
})

describe('change of the email address', () => {
  test('is pending until confirmed, and the field keeps the current address', async () => {
    const api = serve()
    api.answer(accountsRoutes.changeUser, { ...ADA, pendingEmail: NEXT })
    await openScreen('/settings')
    await email().fill(NEXT)
    await press('Save Profile')
    await expectToast(
      'Confirm your new email address',
      `We mailed a link to ${NEXT}. Your address changes when you open it.`,
    )
    await expectTexts([WAITING])
    await expect.element(page.getByText('Profile Updated')).not.toBeInTheDocument()
    await expect.element(email()).toHaveValue(ADA.email)
    expect(bodiesOf(api.requests(accountsRoutes.changeUser))).toEqual([{ email: NEXT }])
    expect(await axeFindings()).toEqual([])
  })

  test('together with another field saves that field and keeps the address pending', async () => {
    const api = serve()
    api.answer(accountsRoutes.changeUser, { ...ADA, companyName: 'Analytical Engines', pendingEmail: NEXT })
    await openScreen('/settings')
    await company().fill('Analytical Engines')
    await email().fill(NEXT)
    await userEvent.keyboard('{Enter}')
    await expectToast('Profile Updated', 'Your profile has been saved successfully')
    await expectTexts([WAITING])
    await expect.element(email()).toHaveValue(ADA.email)
  })

  test('resends the confirmation mail and shows a failure', async () => {
    const api = serve({ ...ADA, pendingEmail: NEXT })
    api.answer(confirmationsRoutes.resendEmailChange, { ...ADA, pendingEmail: NEXT })
    await openScreen('/settings')
    await expectTexts([WAITING])
    const answer = api.hold(confirmationsRoutes.resendEmailChange)
    await press('Resend')
    await expectBusy('Resend')
    await expect.element(page.getByRole('button', { name: 'Cancel the change' })).toBeDisabled()
    answer()
    await expectToast('Check your email', `The link is on its way to ${NEXT} again.`)
    api.send(confirmationsRoutes.resendEmailChange, '', { status: 500 })
    await press('Resend')
    await expectToast('Error', 'That did not work, and your email address is unchanged. Please try again.')
    api.refuse(confirmationsRoutes.resendEmailChange, 'conflict', {
      message: 'No other address waits to be confirmed.',
    })
    await press('Resend')
    await expectToast('Error', 'No other address waits to be confirmed.')
    expect(api.requests(confirmationsRoutes.resendEmailChange)).toHaveLength(3)
  })

  test('is canceled; a failed cancellation keeps the address pending', async () => {
    const api = serve({ ...ADA, pendingEmail: NEXT })
    api.lose(confirmationsRoutes.cancelEmailChange)
    await openScreen('/settings')
    await press('Cancel the change')
    await expectToast('Error', 'That did not work, and your email address is unchanged. Please try again.')
    await expectTexts([WAITING])
    api.answer(confirmationsRoutes.cancelEmailChange, ADA)
    const answer = api.hold(confirmationsRoutes.cancelEmailChange)
    await press('Cancel the change')
    await expectBusy('Cancel the change')
    await expect.element(page.getByRole('button', { name: 'Resend' })).toBeDisabled()
    answer()
    await expectToast('Your email address stays as it is')
    await expect.element(page.getByText(WAITING)).not.toBeInTheDocument()
  })
})
