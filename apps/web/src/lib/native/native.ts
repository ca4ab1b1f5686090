/** The API of the native shell, set on window before the page starts; undefined on the web. */
export interface NativeShell {
  readonly platform: 'ios' | 'android'
  /** The hosted backend, without a trailing slash. */
  readonly apiBase: string
  signInWithApple(request: { redirectUri: string; scopes: string; state: string }): Promise<AppleCredential>
}

interface AppleCredential {
  readonly identityToken: string
  readonly authorizationCode: string
  readonly user?: unknown
  readonly nonce?: string
}

declare global {
  var parleyShell: NativeShell | undefined
}

export function nativeShell(): NativeShell | undefined {
  return globalThis.parleyShell
}

/** The URL of a path: same origin on the web, the hosted backend in the native shell. */
export function apiUrl(path: string): string {
  return `${nativeShell()?.apiBase ?? ''}${path}`
}
