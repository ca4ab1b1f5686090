import { NATIVE_RETURN_URL, NATIVE_STATE } from '@parley/contract'
import { accountsRoutes } from '@parley/contract/page'
import { request } from '../server/http.ts'
import { apiUrl, nativeShell } from './native.ts'

/** Stored where it survives while Google's page is open. */
const VERIFIER_KEY = 'parley.sign-in-verifier'
const VERIFIER_BYTES = 32
/** The shell opens parley://auth/google?… as this path. */
const RETURN_PATH = NATIVE_RETURN_URL.replace(/^.*:\/\//, '/')

/**
 * The URL that starts Google sign-in. Another app may intercept the redirect, so its code needs a verifier that never
 * leaves this app (PKCE).
 */
export async function nativeGoogleUrl(): Promise<string> {
  const url = `${apiUrl(accountsRoutes.google.path)}?state=${NATIVE_STATE}`
  const verifier =
    localStorage.getItem(VERIFIER_KEY) ?? base64url(crypto.getRandomValues(new Uint8Array(VERIFIER_BYTES)))
  localStorage.setItem(VERIFIER_KEY, verifier)
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return `${url}&challenge=${base64url(new Uint8Array(hash))}`
}

export function isNativeReturn(): boolean {
  return nativeShell() !== undefined && location.pathname === RETURN_PATH
}

/**
 * Exchanges the code for a session and reloads, signed in or with an error. Refuses a code without a stored verifier:
 * it was planted and would open somebody else's account.
 */
export async function finishNativeSignIn(): Promise<void> {
  const answer = new URLSearchParams(location.search)
  const code = answer.get('code')
  const verifier = localStorage.getItem(VERIFIER_KEY)
  localStorage.removeItem(VERIFIER_KEY)
  const failed = `/?${new URLSearchParams({ auth: 'error', message: answer.get('error') ?? '' }).toString()}`
  const isIn = code !== null && verifier !== null && (await exchange(code, verifier))
  location.replace(isIn ? '/' : failed)
}

async function exchange(code: string, verifier: string): Promise<boolean> {
  try {
    await request(accountsRoutes.nativeSignIn, { body: { code, verifier } })
    return true
  } catch {
    return false
  }
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
