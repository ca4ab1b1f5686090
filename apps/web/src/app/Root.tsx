import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useWords } from '../lib/words/index.ts'
import { ConnectionBanner } from '../ui/ConnectionBanner.tsx'
import { PageSpinner } from '../ui/Spinner.tsx'

export function Root() {
  const { common } = useWords()
  return (
    <>
      <ConnectionBanner />
      <Suspense fallback={<PageSpinner label={common.loading} />}>
        <Outlet />
      </Suspense>
    </>
  )
}
