import { securityRoutes } from '@parley/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, bodiesOf, expectTexts, openScreen, press, serve } from '../testing.tsx'
import { aPasskey, expectBusy, expectToast, PASSKEY_OPTIONS, pressIn, section, stubDevice } from './testing.tsx'

const passkeys = () => section('Passkeys')
const rows = () => passkeys().getByRole('listitem')
const question = () => page.getByRole('alertdialog', { name: 'Remove this passkey?' })

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('without a passkey explains passkeys', async () => {
  serve()
  await openScreen('/settings')
  await expectTexts(
    ['No passkey yet.', 'Sign in with your fingerprint, your face or the lock of your device, without a password.'],
    passkeys(),
  )
  await expect.element(page.getByLabelText('Name of the new passkey')).toHaveValue('My device')
})

test('a browser without passkey support hides the form and says so', async () => {
  vi.stubGlobal('PublicKeyCredential', undefined)
  const api = serve()
  api.answer(securityRoutes.passkeys, [aPasskey()])
  await openScreen('/settings')
  await expectTexts(['This browser does not support passkeys.', 'My laptop'], passkeys())
  await expect.element(page.getByRole('button', { name: 'Add a passkey' })).not.toBeInTheDocument()
  expect(await axeFindings()).toEqual([])
})

describe('new passkey', () => {
  test.each([
    ['My laptop', 'My laptop'],
    ['  ', 'My device'],
  ])('named "%s" is saved as %s', async (typed, name) => {
    stubDevice()
    const api = serve()
    api.answer(securityRoutes.passkeyOptions, PASSKEY_OPTIONS)
    api.answer(securityRoutes.addPasskey, aPasskey({ name }))
    await openScreen('/settings')
    await page.getByLabelText('Name of the new passkey').fill(typed)
    const answer = api.hold(securityRoutes.addPasskey)
    await press('Add a passkey')
    await expectBusy('Add a passkey')
    api.answer(securityRoutes.passkeys, [aPasskey({ name })])
    answer()
    await expectTexts([name, 'Added Nov 1, 2026 · never used'], rows())
    expect(bodiesOf(api.requests(securityRoutes.addPasskey))).toEqual([
      { name, response: { id: 'made-by-the-device' } },
    ])
  })

  test('shows a failure of the server, and nothing when the device dialog is canceled', async () => {
    const device = stubDevice()
    const api = serve()
    api.lose(securityRoutes.passkeyOptions)
    await openScreen('/settings')
    await press('Add a passkey')
    await expectToast('Error', 'Failed to add the passkey.')
    api.answer(securityRoutes.passkeyOptions, PASSKEY_OPTIONS)
    api.refuse(securityRoutes.addPasskey, 'conflict', { message: 'This device has a passkey already.' })
    await press('Add a passkey')
    await expectToast('Error', 'This device has a passkey already.')
    await pressIn(page.getByRole('region', { name: /^Notifications/ }), 'Close')
    device.create.mockRejectedValue(new DOMException('Not now.', 'NotAllowedError'))
    await press('Add a passkey')
    await expect.poll(() => device.create.mock.calls.length).toBe(2)
    await expect.element(page.getByRole('button', { name: 'Add a passkey' })).not.toHaveAttribute('aria-disabled')
    await expect.element(page.getByText('Failed to add the passkey.')).not.toBeInTheDocument()
    expect(api.requests(securityRoutes.addPasskey)).toHaveLength(1)
  })
})

describe('passkey', () => {
  const used = aPasskey({ lastUsedAt: '2026-11-20T10:00:00.000Z' })

  test('shows its creation and last use, and is removed after confirmation', async () => {
    const api = serve()
    api.answer(securityRoutes.passkeys, [used])
    await openScreen('/settings')
    await expectTexts(['Added Nov 1, 2026 · last used Nov 20, 2026'], rows())
    await press('Remove the passkey My laptop')
    await expectTexts(['You can no longer sign in with it.'], question())
    expect(await axeFindings()).toEqual([])
    await pressIn(question(), 'Cancel')
    await expect.element(question()).not.toBeInTheDocument()
    await press('Remove the passkey My laptop')
    api.answer(securityRoutes.removePasskey, { message: 'Removed.' })
    const answer = api.hold(securityRoutes.removePasskey)
    await pressIn(question(), 'Remove')
    await expectBusy('Remove', question())
    api.answer(securityRoutes.passkeys, [])
    answer()
    await expectToast('Passkey removed')
    await expectTexts(['No passkey yet.'], passkeys())
    expect(api.requests(securityRoutes.removePasskey).map(({ params }) => params['passkeyId'])).toEqual(['passkey-1'])
  })

  test('a failed removal shows the error and keeps the passkey', async () => {
    const api = serve()
    api.answer(securityRoutes.passkeys, [used])
    api.send(securityRoutes.removePasskey, '', { status: 500 })
    await openScreen('/settings')
    await press('Remove the passkey My laptop')
    await pressIn(question(), 'Remove')
    await expectToast('Error', 'Failed to remove the passkey.')
    await expectTexts(['My laptop'], rows())
  })
})
