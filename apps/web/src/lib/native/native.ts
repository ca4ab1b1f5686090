/** What the native shell offers the page. It puts itself on the window before the page starts; the web has none. */
export interface NativeShell {
  readonly platform: 'ios' | 'android'
  /** The hosted backend, without a slash at the end. */
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

/** Where requests go: the page's own origin on the web, the hosted backend in the native shell. */
export function apiUrl(path: string): string {
  return `${nativeShell()?.apiBase ?? ''}${path}`
}
