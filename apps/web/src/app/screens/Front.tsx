import { lazy, Suspense } from 'react'
import { GoogleButton } from '../../features/accounts/GoogleButton.tsx'
import Landing from '../../features/landing/Landing.tsx'
import { platform } from '../../lib/platform/index.ts'

const AppleButton = lazy(() => import('../../features/accounts/AppleButton.tsx'))

/** The landing page with the sign-in buttons that need no form. */
export default function Front() {
  const apple = platform().offersApple && (
    <Suspense>
      <AppleButton />
    </Suspense>
  )
  return <Landing apple={apple} google={<GoogleButton />} />
}
