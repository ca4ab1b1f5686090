import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { platform } from '../lib/platform/index.ts'
import { useWords } from '../words/index.ts'
import { ConnectionBanner } from '../ui/ConnectionBanner.tsx'
import { PageSpinner } from '../ui/Spinner.tsx'
import { begun } from './shell/coldStart.ts'

const AppLock = lazy(() => import('./shell/AppLock.tsx'))

export function Root() {
  const { common } = useWords()
  const { lock } = platform()
  const [isLocked, setLocked] = useState(() => lock?.isOn() ?? false)
  useEffect(begun, [])
  useEffect(() => lock?.onReturn(() => setLocked(lock.isOn())), [lock])
  return (
    <>
      <ConnectionBanner />
      <Suspense fallback={<PageSpinner label={common.loading} />}>
        {isLocked && <AppLock onOpen={() => setLocked(false)} />}
        {/* Kept, with what was typed. */}
        <div className={isLocked ? 'hidden' : 'contents'}>
          <Outlet />
        </div>
      </Suspense>
    </>
  )
}
