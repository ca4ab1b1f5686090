import { useEffect, useEffectEvent, useState } from 'react'
import { useClearSearch, useSearchParam } from '../../../lib/search.ts'
import { useWords } from '../../../lib/words/index.ts'

/** Why a sign-in elsewhere came back empty-handed. The parameters then leave the address; the sentence stays. */
export function useAuthError(): string | undefined {
  const { landing } = useWords()
  const auth = useSearchParam('auth')
  const message = useSearchParam('message')
  const [text] = useState(() => {
    if (auth !== 'error') return undefined
    return message === 'oauth_temporarily_unavailable' ? landing.googleUnavailable : landing.authFailed
  })
  const clear = useEffectEvent(useClearSearch())
  useEffect(() => {
    if (text) clear()
  }, [text])
  return text
}
