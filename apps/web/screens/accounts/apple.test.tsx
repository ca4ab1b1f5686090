import { accountsRoutes, securityRoutes } from '@parley/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { setPlatform } from '../../src/lib/platform/index.ts'
import { Device } from '../device.ts'
import { enterShell, leaveShell } from '../shell.ts'
import { axeFindings, bodiesOf, openScreen, press, serve } from '../testing.tsx'

const alert = page.getByRole('alert')

describe('Apple sign-in', () => {
  afterEach(leaveShell)

  /** The landing page on a phone whose Apple dialog does this. */
  async function openOn(platform: 'ios' | 'android', dialog: () => unknown = () => RESULT) {
    const api = serve(null)
    const device = new Device(platform)
    device.answer('SocialLogin', 'initialize', () => ({}))
    device.answer('SocialLogin', 'login', dialog)
    await enterShell(device)
    await openScreen('/')
    return { api, device }
  }
  const RESULT = {
    provider: 'apple',
    result: {
      idToken: 'identity',
      authorizationCode: 'code',
      accessToken: null,
      profile: { user: 'apple.1', email: null, givenName: 'Ada', familyName: null },
    },
  }

  // screens.md: apple-on-ios-alone
  test('is offered on iOS alone', async () => {
    await openOn('android')
    await expect.element(page.getByRole('link', { name: 'Continue with Google' })).toBeVisible()
    expect(page.getByRole('button', { name: 'Continue with Apple' }).elements()).toEqual([])
    leaveShell()
    await openOn('ios')
    await expect.element(page.getByRole('button', { name: 'Continue with Apple' })).toBeVisible()
    expect(await axeFindings()).toEqual([])
  })

  test('refuses elsewhere: iOS only', async () => {
    await openOn('ios')
    await expect.element(page.getByRole('button', { name: 'Continue with Apple' })).toBeVisible()
    setPlatform()
    await press('Continue with Apple')
    await expect.element(alert).toHaveTextContent('Apple Sign-In is only available on iOS devices')
  })

  // screens.md: apple-error-texts
  test.each([
    ['The person said no', 'Apple Sign-In failed: The person said no'],
    ['Not in a Simulator', 'Apple Sign-In is not available in the iOS Simulator. Please test on a physical device.'],
  ])('a failure of the native dialog, %j, shows its reason', async (reason, sentence) => {
    const { device } = await openOn('ios', () => {
      throw new Error(reason)
    })
    await press('Continue with Apple')
    await expect.element(alert).toHaveTextContent(sentence)
    expect(device.secure.size).toBe(0)
  })

  test('a dialog that gives no token shows that, and asks the server nothing', async () => {
    const { api, device } = await openOn('ios', () => ({ ...RESULT, result: { ...RESULT.result, idToken: '' } }))
    await press('Continue with Apple')
    await expect.element(alert).toHaveTextContent('Apple Sign-In failed: Apple returned no identity token.')
    expect([api.requests(accountsRoutes.apple).length, device.secure.size]).toEqual([0, 0])
  })

  // screens.md: apple-error-of-server
  test('shows an error when the server refuses the token or cannot be reached', async () => {
    const { api, device } = await openOn('ios')
    api.refuse(accountsRoutes.apple, 'invalid_token')
    await press('Continue with Apple')
    await expect.element(alert).toHaveTextContent('Authentication failed. Please try again.')
    // Without a redirect, and so that Apple gives a code.
    expect(device.asked('SocialLogin', 'initialize')).toEqual([{ apple: { useProperTokenExchange: true } }])
    const [login] = device.asked('SocialLogin', 'login')
    expect(login).toMatchObject({ provider: 'apple', options: { scopes: ['email', 'name'], state: 'mobile-app' } })
    const { nonce } = login!['options'] as { nonce: string }
    expect(bodiesOf(api.requests(accountsRoutes.apple))).toEqual([
      { identityToken: 'identity', authorizationCode: 'code', nonce, user: RESULT.result.profile },
    ])
    api.lose(accountsRoutes.apple)
    await press('Continue with Apple')
    await expect.element(alert).toHaveTextContent('Apple Sign In failed: Failed to fetch')
    expect(device.secure.size).toBe(0)
  })
})

describe('passkey sign-in', () => {
  const OPTIONS = { challenge: 'AAAA', timeout: 60_000, userVerification: 'required' }

  afterEach(() => void vi.restoreAllMocks())

  /** Stubs the result of the device's dialog. */
  function device(answer: () => Promise<Credential>): void {
    vi.spyOn(navigator.credentials, 'get').mockImplementation(answer)
  }

  test('leaves the form unchanged when the device dialog is closed', async () => {
    const api = serve(null)
    api.answer(securityRoutes.passkeySignInOptions, OPTIONS)
    let times = 0
    device(() => {
      times++
      return Promise.reject(new DOMException('No', 'NotAllowedError'))
    })
    await openScreen('/login')
    await press('Sign in with a passkey')
    await expect.poll(() => times).toBe(1)
    await expect.element(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeEnabled()
    expect(alert.elements()).toEqual([])
  })

  test('shows an error when the server refuses or the device fails', async () => {
    const api = serve(null)
    api.send(securityRoutes.passkeySignInOptions, '', { status: 500 })
    await openScreen('/login')
    await press('Sign in with a passkey')
    await expect.element(alert).toHaveTextContent('Login failed')
    api.answer(securityRoutes.passkeySignInOptions, OPTIONS)
    device(() => Promise.reject(new Error('The device is broken')))
    await press('Sign in with a passkey')
    await expect.element(alert).toHaveTextContent('An error occurred during login')
    expect(await axeFindings()).toEqual([])
  })
})
