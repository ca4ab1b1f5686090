import { accountsRoutes, confirmationsRoutes, securityRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, expectTexts, openScreen, press, serve } from '../testing.tsx'
import { anExport, expectBusy, expectToast, pressIn, section, stepUpDialog } from './testing.tsx'

describe('data export', () => {
  const copies = () => section('Your data')
  const rows = () => copies().getByRole('listitem')

  test('is requested, shows its progress and offers the download when ready', async () => {
    const api = serve()
    const waiting = anExport({ status: 'waiting', progress: 0, bytes: null, expiresAt: null })
    api.answer(securityRoutes.requestExport, waiting)
    await openScreen('/settings')
    await expectTexts(
      [
        'No copy requested yet.',
        'A copy of everything, with recordings, in a zip. We mail you when it is ready; it stays here for 7 days.',
      ],
      copies(),
    )
    const answer = api.hold(securityRoutes.requestExport)
    await press('Request a copy')
    await expectBusy('Making your copy')
    api.answer(securityRoutes.exports, [waiting])
    answer()
    await expectToast('Your copy is being made')
    await expectTexts([/^Requested Nov 20, 2026/, '0% done'], rows())
    await expectBusy('Making your copy')
    api.answer(securityRoutes.exports, [{ ...waiting, status: 'running', progress: 40 }])
    await expectTexts(['40% done'], rows())
    await expect
      .element(rows().getByRole('progressbar', { name: 'Making your copy' }))
      .toHaveAttribute('aria-valuenow', '40')
    expect(await axeFindings()).toEqual([])
    api.answer(securityRoutes.exports, [anExport()])
    await expectTexts(['Ready · 2.5 MB · until Nov 27, 2026'], rows())
    await expect
      .element(rows().getByRole('link', { name: 'Download' }))
      .toHaveAttribute('href', '/api/user/user-ada/exports/export-1/download')
    await expect.element(page.getByRole('button', { name: 'Request a copy' })).toBeVisible()
  })

  test('a failed export says so and can be requested again', async () => {
    const api = serve()
    api.answer(securityRoutes.exports, [anExport({ status: 'failed', progress: 40, bytes: null, expiresAt: null })])
    api.lose(securityRoutes.requestExport)
    await openScreen('/settings')
    await expectTexts(['Failed. Please request it again.'], rows())
    await expect.element(rows().getByRole('link')).not.toBeInTheDocument()
    await press('Request a copy')
    await expectToast('Error', 'Failed to request a copy of your data.')
    api.refuse(securityRoutes.requestExport, 'rate_limited', { message: 'One copy a day is made.' })
    await press('Request a copy')
    await expectToast('Error', 'One copy a day is made.')
  })

  test('is not downloaded when the step-up dialog is closed', async () => {
    const api = serve()
    api.answer(securityRoutes.exports, [anExport()])
    await openScreen('/settings')
    await rows().getByRole('link', { name: 'Download' }).click()
    await pressIn(stepUpDialog(), 'Close')
    await expect.element(stepUpDialog()).not.toBeInTheDocument()
    expect(api.requests(confirmationsRoutes.stepUp)).toEqual([])
    expect(api.requests(securityRoutes.downloadExport)).toEqual([])
  })
})

describe('account deletion', () => {
  const question = () => page.getByRole('alertdialog', { name: 'Delete Account' })

  async function ask() {
    await pressIn(section('Danger Zone'), 'Delete Account')
    await expectTexts(['Are you sure you want to delete your account? This action cannot be undone.'], question())
  }

  test('asks for confirmation; Cancel sends no request', async () => {
    const api = serve()
    await openScreen('/settings')
    await expectTexts(
      ['Deleting your account ends its calls and erases your personal data, contacts and transcripts.'],
      section('Danger Zone'),
    )
    await ask()
    expect(await axeFindings()).toEqual([])
    await pressIn(question(), 'Cancel')
    await expect.element(question()).not.toBeInTheDocument()
    expect(api.requests(accountsRoutes.deleteUser)).toEqual([])
  })

  // screens.md: switched-off-says-without
  test('switched off by the server shows a toast that is not an error', async () => {
    const api = serve()
    api.refuse(accountsRoutes.deleteUser, 'switched_off', { message: 'Off.' })
    await openScreen('/settings')
    await ask()
    const answer = api.hold(accountsRoutes.deleteUser)
    await pressIn(question(), 'Delete Account')
    await expectBusy('Delete Account', question())
    answer()
    await expectToast('Account Deletion', 'Account deletion is not yet implemented.')
    await expect.element(question()).not.toBeInTheDocument()
    await expect.element(page.getByText('Error', { exact: true })).not.toBeInTheDocument()
  })

  test('a failed deletion shows the reason', async () => {
    const api = serve()
    api.lose(accountsRoutes.deleteUser)
    await openScreen('/settings')
    await ask()
    await pressIn(question(), 'Delete Account')
    await expectToast('Error', 'Failed to delete your account.')
    await expect.element(question()).not.toBeInTheDocument()
    api.refuse(accountsRoutes.deleteUser, 'conflict', { message: 'A payment is under way.' })
    await ask()
    await pressIn(question(), 'Delete Account')
    await expectToast('Error', 'A payment is under way.')
  })
})
