import { Outlet } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { useWords } from '../words/index.ts'
import { ConnectionBanner } from '../ui/ConnectionBanner.tsx'
import { PageSpinner } from '../ui/Spinner.tsx'
import { begun } from './shell/coldStart.ts'

export function Root() {
  const { common } = useWords()
  useEffect(begun, [])
  return (
    <>
      <ConnectionBanner />
      <Suspense fallback={<PageSpinner label={common.loading} />}>
        <Outlet />
      </Suspense>
    </>
  )
}
