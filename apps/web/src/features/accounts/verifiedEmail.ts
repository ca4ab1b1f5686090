const KEY = 'parley.verified-email'

/**
 * The address that was just verified in this tab, so that the login need not ask for it; it is in no address and no
 * history.
 */
export function keepVerifiedEmail(email: string): void {
  try {
    sessionStorage.setItem(KEY, email)
  } catch {
    // A browser that keeps nothing has its person type it.
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
    // Then nothing was kept either.
  }
}
