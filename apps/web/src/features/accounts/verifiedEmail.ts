const KEY = 'parley.verified-email'

/** The address that was just verified in this tab, to prefill the login; kept out of URL and history. */
export function keepVerifiedEmail(email: string): void {
  try {
    sessionStorage.setItem(KEY, email)
  } catch {
    // Without storage the user types it.
  }
}

export function verifiedEmail(): string {
  try {
    return sessionStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}

export function forgetVerifiedEmail(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Without storage nothing was kept.
  }
}
