import { NATIVE_STATE } from '@parley/contract'
import { type AppleCredential, AppleUnavailable } from '../port.ts'
import { type Bridge, fieldsOf, textOf } from './bridge.ts'

const PLUGIN = 'SocialLogin'
const NONCE_BYTES = 16

/** Apple's own dialog. Without a redirect the plugin gives token and code to the app itself. */
export async function signInWithApple({ platform, call }: Bridge): Promise<AppleCredential> {
  if (platform !== 'ios') throw new AppleUnavailable('Apple Sign In only available on iOS')
  const nonce = hex(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)))
  await call(PLUGIN, 'initialize', { apple: { useProperTokenExchange: true } })
  const { result } = await call(PLUGIN, 'login', {
    provider: 'apple',
    options: { scopes: ['email', 'name'], state: NATIVE_STATE, nonce },
  })
  const { idToken, authorizationCode, profile } = fieldsOf(result)
  const identityToken = textOf(idToken)
  if (!identityToken) throw new Error('Apple returned no identity token.')
  return {
    identityToken,
    authorizationCode: textOf(authorizationCode),
    nonce,
    ...(profile !== undefined && { user: profile }),
  }
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
