import { VERIFICATION_BANNER_CLEANUP_MS, VERIFICATION_ERRORS } from '@parley/contract'
import { useEffect, useEffectEvent, useState } from 'react'
import { useClearSearch, useSearchParam } from '../../lib/search.ts'
import { useWords } from '../../words/index.ts'
import { toast } from '../../ui/toast/toast.ts'

interface Banner {
  readonly tone: 'success' | 'error'
  readonly text: string
}

/**
 * The result of a verification link that redirected to the login page. The text stays when the query is cleared after
 * 1 s.
 */
export function useVerificationBanner(): Banner | undefined {
  const { login } = useWords().accounts
  const verified = useSearchParam('verified')
  const code = useSearchParam('error')
  const clearSearch = useClearSearch()
  const [banner] = useState<Banner | undefined>(() => {
    if (verified === 'true') return { tone: 'success', text: login.verified }
    if (verified !== 'false' && code === undefined) return undefined
    const known = VERIFICATION_ERRORS.find((each) => each === code)
    return {
      tone: 'error',
      text: login.verificationFailed + (known ? login.verificationErrors[known] : login.verificationOther),
    }
  })

  const announce = useEffectEvent(() => {
    if (banner?.tone === 'success') toast({ tone: 'success', title: login.verifiedTitle, description: banner.text })
  })
  const clear = useEffectEvent(clearSearch)
  useEffect(() => {
    if (!banner) return
    announce()
    const timer = setTimeout(() => clear(), VERIFICATION_BANNER_CLEANUP_MS)
    return () => clearTimeout(timer)
  }, [banner])

  return banner
}
