import { useEffect, useState } from 'react'
import { frontWords } from '../../words/front.ts'

/** Why a sign-in elsewhere came back empty-handed. The parameters then leave the address; the sentence stays. */
export function useAuthError(): string | undefined {
  const [text] = useState(errorInAddress)
  useEffect(() => {
    if (text) history.replaceState(history.state, '', location.pathname)
  }, [text])
  return text
}

function errorInAddress(): string | undefined {
  // Rendered ahead, the page has no address yet.
  const search = new URLSearchParams('location' in globalThis ? location.search : '')
  if (search.get('auth') !== 'error') return undefined
  const { landing } = frontWords()
  return search.get('message') === 'oauth_temporarily_unavailable' ? landing.googleUnavailable : landing.authFailed
}
