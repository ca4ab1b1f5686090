import { accountsRoutes, confirmationsRoutes, securityRoutes } from '@parley/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ADA, axeFindings, bodiesOf, expectTexts, openScreen, press, serve } from '../testing.tsx'
import {
  aKey,
  askForProofAt,
  expectBusy,
  expectToast,
  PASSKEY_OPTIONS,
  pressIn,
  section,
  stepUpDialog as dialog,
  stubDevice,
} from './testing.tsx'

const WHOLE = { ...aKey(), key: 'parley_Ab12cd34' }
const password = () => dialog().getByLabelText('Password', { exact: true })

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** A server that requires step-up before creating a key, by these proofs. */
function serveProof(...ways: ('password' | 'code' | 'passkey' | 'email')[]) {
  const api = serve()
  askForProofAt(api, securityRoutes.createApiKey, () => api.answer(securityRoutes.createApiKey, WHOLE))
  api.answer(confirmationsRoutes.readStepUp, { ways, until: null })
  return api
}

async function expectDone(): Promise<void> {
  await expect.element(dialog()).not.toBeInTheDocument()
  await expect.element(page.getByLabelText('Your new key')).toHaveValue(WHOLE.key)
}

describe('step-up', () => {
  test('asks for the password, then repeats the request with the typed values', async () => {
    const api = serve()
    askForProofAt(api, accountsRoutes.changeUser, () =>
      api.answer(accountsRoutes.changeUser, {
        ...ADA,
        companyName: 'Analytical Engines',
        pendingEmail: 'next@parley.example',
      }),
    )
    const known = api.hold(confirmationsRoutes.readStepUp)
    await openScreen('/settings')
    await page.getByLabelText('Company').fill('Analytical Engines')
    await page.getByLabelText('Email Address', { exact: true }).fill('next@parley.example')
    await press('Save Profile')
    await expectTexts(['We ask again before sensitive actions. Then you continue where you left off.'], dialog())
    await expect.element(dialog().getByRole('button', { name: 'Confirm', exact: true })).not.toBeInTheDocument()
    known()
    await expect.element(password()).toHaveAttribute('type', 'password')
    expect(await axeFindings()).toEqual([])
    await pressIn(dialog(), 'Confirm')
    await expectTexts(['Please fill in all required fields.'], dialog())
    await password().fill('correct horse battery')
    const answer = api.hold(confirmationsRoutes.stepUp)
    await pressIn(dialog(), 'Confirm')
    await expectBusy('Confirm', dialog())
    answer()
    await expect.element(dialog()).not.toBeInTheDocument()
    await expectToast('Profile Updated')
    await expect.element(page.getByLabelText('Company')).toHaveValue('Analytical Engines')
    const change = { companyName: 'Analytical Engines', email: 'next@parley.example' }
    expect(bodiesOf(api.requests(accountsRoutes.changeUser))).toEqual([change, change])
    expect(bodiesOf(api.requests(confirmationsRoutes.stepUp))).toEqual([{ password: 'correct horse battery' }])
  })

  test.each([
    ['wrong_credentials', 'Email or password is wrong.', 'The password is wrong.'],
    ['rate_limited', 'Too many tries. Wait a minute.', 'Too many tries. Wait a minute.'],
  ] as const)('asks again after %s', async (code, message, sentence) => {
    const api = serveProof('password')
    api.refuse(confirmationsRoutes.stepUp, code, { message })
    await openScreen('/settings')
    await press('Generate New')
    await password().fill('not the password')
    await pressIn(dialog(), 'Confirm')
    await expect.element(dialog().getByRole('alert')).toHaveTextContent(sentence)
    expect(await axeFindings()).toEqual([])
    askForProofAt(api, securityRoutes.createApiKey, () => api.answer(securityRoutes.createApiKey, WHOLE))
    await pressIn(dialog(), 'Confirm')
    await expectDone()
  })

  test('shows an error when the proof cannot be sent', async () => {
    const api = serveProof('password')
    api.lose(confirmationsRoutes.stepUp)
    await openScreen('/settings')
    await press('Generate New')
    await password().fill('correct horse battery')
    await pressIn(dialog(), 'Confirm')
    await expect.element(dialog().getByRole('alert')).toHaveTextContent('This could not be confirmed.')
  })

  test('offers a retry when the available proofs cannot be loaded', async () => {
    const api = serveProof('password')
    api.refuse(confirmationsRoutes.readStepUp, 'unavailable')
    await openScreen('/settings')
    await press('Generate New')
    await expectTexts(['This could not be confirmed.'], dialog())
    expect(await axeFindings()).toEqual([])
    api.answer(confirmationsRoutes.readStepUp, { ways: ['password'], until: null })
    await pressIn(dialog(), 'Try again')
    await expect.element(password()).toBeVisible()
  })

  test('sends nothing when the dialog is closed, also over another dialog', async () => {
    const api = serve()
    askForProofAt(api, accountsRoutes.deleteUser, () => undefined)
    await openScreen('/settings')
    await pressIn(section('Danger Zone'), 'Delete Account')
    await pressIn(page.getByRole('alertdialog'), 'Delete Account')
    await password().fill('something')
    expect(await axeFindings()).toEqual([])
    await pressIn(dialog(), 'Close')
    await expect.element(dialog()).not.toBeInTheDocument()
    await expectToast('Error', 'Please confirm that it is you.')
    expect(api.requests(confirmationsRoutes.stepUp)).toEqual([])
    expect(api.requests(accountsRoutes.deleteUser)).toHaveLength(1)
  })
})

describe('other proofs', () => {
  test('accept a code of the authenticator app, and switch back to the password', async () => {
    const api = serveProof('password', 'code')
    await openScreen('/settings')
    await press('Generate New')
    await pressIn(dialog(), 'Use a code of your authenticator app instead')
    await expect.element(dialog().getByLabelText('Authentication code')).toHaveValue('')
    await pressIn(dialog(), 'Use your password instead')
    await expect.element(password()).toBeVisible()
    await pressIn(dialog(), 'Use a code of your authenticator app instead')
    await dialog().getByLabelText('Authentication code').fill('123456')
    await pressIn(dialog(), 'Confirm')
    await expectDone()
    expect(bodiesOf(api.requests(confirmationsRoutes.stepUp))).toEqual([{ code: '123456' }])
  })

  test('accept a mailed code', async () => {
    const api = serveProof('code', 'email')
    api.lose(confirmationsRoutes.mailStepUpCode)
    await openScreen('/settings')
    await press('Generate New')
    await pressIn(dialog(), 'Use a mailed code instead')
    await expect
      .element(dialog().getByText('A code of six digits is on its way to your email address.'))
      .not.toBeInTheDocument()
    await pressIn(dialog(), 'Mail me a code')
    await expect.element(dialog().getByRole('alert')).toHaveTextContent('This could not be confirmed.')
    api.answer(confirmationsRoutes.mailStepUpCode, { message: 'Mailed.' })
    const mailed = api.hold(confirmationsRoutes.mailStepUpCode)
    await pressIn(dialog(), 'Mail me a code')
    await expectBusy('Mail me a code', dialog())
    mailed()
    await expectTexts(['A code of six digits is on its way to your email address.'], dialog())
    await dialog().getByLabelText('Code from the email').fill('654321')
    await pressIn(dialog(), 'Confirm')
    await expectDone()
    expect(bodiesOf(api.requests(confirmationsRoutes.stepUp))).toEqual([{ emailCode: '654321' }])
  })

  test('accept a passkey; show a refused one, and nothing when the device dialog is canceled', async () => {
    const device = stubDevice()
    const api = serveProof('password', 'passkey')
    api.answer(securityRoutes.passkeySignInOptions, { challenge: PASSKEY_OPTIONS.challenge, rpId: 'localhost' })
    device.get.mockRejectedValueOnce(new DOMException('Not now.', 'NotAllowedError'))
    await openScreen('/settings')
    await press('Generate New')
    await pressIn(dialog(), 'Use a passkey')
    await expect.poll(() => device.get.mock.calls.length).toBe(1)
    await expect.element(dialog().getByRole('button', { name: 'Use a passkey' })).not.toHaveAttribute('aria-disabled')
    await expect.element(dialog().getByRole('alert')).not.toBeInTheDocument()
    api.refuse(confirmationsRoutes.stepUp, 'invalid_token', { message: 'This passkey is not known.' })
    await pressIn(dialog(), 'Use a passkey')
    await expect.element(dialog().getByRole('alert')).toHaveTextContent('This passkey is not known.')
    expect(await axeFindings()).toEqual([])
    askForProofAt(api, securityRoutes.createApiKey, () => api.answer(securityRoutes.createApiKey, WHOLE))
    await pressIn(dialog(), 'Use a passkey')
    await expectDone()
    expect(bodiesOf(api.requests(confirmationsRoutes.stepUp)).at(-1)).toEqual({ passkey: { id: 'made-by-the-device' } })
  })

  test('offer no passkey in a browser without passkey support', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined)
    serveProof('password', 'passkey')
    await openScreen('/settings')
    await press('Generate New')
    await expect.element(password()).toBeVisible()
    await expect.element(dialog().getByRole('button', { name: 'Use a passkey' })).not.toBeInTheDocument()
  })
})
