import { BRAND } from '@parley/contract'
import { accountsRoutes } from '@parley/contract/page'
import type { Api } from './api.ts'
import type { Bridge } from './bridge.ts'
import type { Vault } from './token.ts'

/** Kept where it survives while Google's page is open, even if the system ends the app meanwhile. */
const VERIFIER = 'sign-in-verifier'
const VERIFIER_BYTES = 32

/**
 * Opens Google's page outside of the web view. Another app may intercept the link back, so its code needs a verifier
 * that never leaves this app (PKCE).
 */
export async function openGoogle({ call }: Bridge, vault: Vault, base: string): Promise<void> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(VERIFIER_BYTES)))
  await vault.set(VERIFIER, verifier)
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const query = new URLSearchParams({ shell: '1', challenge: base64url(new Uint8Array(hash)) })
  const url = `${base}${accountsRoutes.google.path}?${query.toString()}`
  await call('Browser', 'open', { url, toolbarColor: BRAND.toolbarColor })
}

/**
 * Exchanges the code for a session and resolves with the path to show. Refuses a code without a stored verifier: it was
 * planted and would open somebody else's account.
 */
export async function finishSignIn({ tell }: Bridge, vault: Vault, api: Api, answer: URLSearchParams): Promise<string> {
  // iOS keeps the browser open over the app.
  tell('Browser', 'close')
  const code = answer.get('code')
  const verifier = await vault.get(VERIFIER)
  await vault.remove(VERIFIER).catch(() => undefined)
  const isIn = code !== null && verifier !== undefined && (await exchange(api, code, verifier))
  return isIn ? '/' : `/?${new URLSearchParams({ auth: 'error', message: answer.get('error') ?? '' }).toString()}`
}

async function exchange(api: Api, code: string, verifier: string): Promise<boolean> {
  const { method, path } = accountsRoutes.nativeSignIn
  const response = await api.send(path, { method, body: { code, verifier } }).catch(() => undefined)
  return response?.ok === true
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
