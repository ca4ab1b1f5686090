import { useLayoutEffect, useState } from 'react'
import { frontWords } from '../../../lib/words/front.ts'

/** Why a sign-in elsewhere came back empty-handed. The parameters then leave the address; the sentence stays. */
export function useAuthError(): string | undefined {
  const [text, setText] = useState<string>()
  // What was rendered ahead knows no address, so it is read when the page stands, before it is painted.
  useLayoutEffect(() => {
    const { landing } = frontWords()
    const search = new URLSearchParams(location.search)
    if (search.get('auth') !== 'error') return
    const isUnavailable = search.get('message') === 'oauth_temporarily_unavailable'
    setText(isUnavailable ? landing.googleUnavailable : landing.authFailed)
    history.replaceState(history.state, '', location.pathname)
  }, [])
  return text
}
