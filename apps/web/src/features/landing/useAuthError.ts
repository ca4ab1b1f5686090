import { useEffect, useState } from 'react'
import { frontWords } from '../../words/front.ts'

/** The reason of a failed Google sign-in. The query is cleared; the text stays. */
export function useAuthError(): string | undefined {
  const [text] = useState(errorInAddress)
  useEffect(() => {
    if (text) history.replaceState(history.state, '', location.pathname)
  }, [text])
  return text
}

function errorInAddress(): string | undefined {
  // Rendered at build time there is no address.
  const search = new URLSearchParams('location' in globalThis ? location.search : '')
  if (search.get('auth') !== 'error') return undefined
  const { landing } = frontWords()
  return search.get('message') === 'oauth_temporarily_unavailable' ? landing.googleUnavailable : landing.authFailed
}
