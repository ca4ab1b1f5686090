import { accountsRoutes, securityRoutes } from '@parley/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { NativeShell } from '../../src/lib/native/native.ts'
import { axeFindings, bodiesOf, openScreen, press, serve } from '../testing.tsx'

const alert = page.getByRole('alert')

describe('Apple sign-in', () => {
  const CREDENTIAL = { identityToken: 'identity', authorizationCode: 'code' }

  afterEach(() => {
    globalThis.parleyShell = undefined
  })

  async function openIn(platform: NativeShell['platform'], signInWithApple: NativeShell['signInWithApple']) {
    const api = serve(null)
    globalThis.parleyShell = { platform, apiBase: location.origin, signInWithApple }
    await openScreen('/')
    await press('Continue with Apple')
    return api
  }

  test('refuses on Android: iOS only', async () => {
    await openIn('android', () => Promise.resolve(CREDENTIAL))
    await expect.element(alert).toHaveTextContent('Apple Sign-In is only available on iOS devices')
    expect(await axeFindings()).toEqual([])
  })

  test.each([
    ['The person said no', 'Apple Sign-In failed: The person said no'],
    ['Not in a Simulator', 'Apple Sign-In is not available in the iOS Simulator. Please test on a physical device.'],
  ])('a failure of the native dialog, %j, shows its reason', async (reason, sentence) => {
    await openIn('ios', () => Promise.reject(new Error(reason)))
    await expect.element(alert).toHaveTextContent(sentence)
  })

  test('shows an error when the server refuses the token or cannot be reached', async () => {
    const wanted: unknown[] = []
    const api = serve(null)
    api.refuse(accountsRoutes.apple, 'invalid_token')
    globalThis.parleyShell = {
      platform: 'ios',
      apiBase: location.origin,
      signInWithApple: async (request) => {
        wanted.push(request)
        return CREDENTIAL
      },
    }
    await openScreen('/')
    await press('Continue with Apple')
    await expect.element(alert).toHaveTextContent('Authentication failed. Please try again.')
    const redirectUri = `${location.origin}/api/auth/apple/callback`
    expect(wanted).toEqual([{ redirectUri, scopes: 'email name', state: 'mobile-app' }])
    expect(bodiesOf(api.requests(accountsRoutes.apple))).toEqual([CREDENTIAL])
    api.lose(accountsRoutes.apple)
    await press('Continue with Apple')
    await expect.element(alert).toHaveTextContent('Apple Sign In failed: Failed to fetch')
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
