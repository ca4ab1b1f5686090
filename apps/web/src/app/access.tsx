import { Navigate, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, useDeferredValue, useEffect, useState } from 'react'
import { isHeaded } from '../lib/heads.ts'
import { hasStoredUser, useUser } from '../lib/server/session.ts'
import { storeTyped } from '../lib/typed.ts'
import { useWords } from '../words/index.ts'
import { PageSpinner } from '../ui/Spinner.tsx'
import { ErrorState } from '../ui/states.tsx'
import { ColdStart, isBeginning } from './shell/coldStart.ts'
import { Frame } from './shell/Frame.tsx'

const loadFront = () => import('./screens/Front.tsx')
const loadGreeting = () => import('../features/accounts/Greeting.tsx')
const Front = lazy(loadFront)
const Greeting = lazy(loadGreeting)

/** The start page: a greeting for members, the landing page for visitors. */
export function Start() {
  const { data: user, isPending } = useUser()
  const { shell } = useWords()
  // Prefetches the likely screen while the session loads.
  useEffect(() => void (hasStoredUser() ? loadGreeting() : loadFront()), [])
  if (isPending) return <PageSpinner label={shell.loadingSession} />
  return user ? <Greeting /> : <Front />
}

/** Visitors see the form at once; a former member waits for the session, so that no form flashes. */
export function SignedOutOnly() {
  const { data: user, isPending } = useUser()
  const { shell } = useWords()
  if (user) return <Navigate to="/dashboard" replace />
  if (isPending && hasStoredUser()) return <PageSpinner label={shell.loadingSession} />
  return <Outlet />
}

export function SignedInOnly() {
  const { data: user, isPending, isFetching, refetch } = useUser()
  const { shell } = useWords()
  const path = useLocation({ select: ({ pathname }) => pathname })
  // Deferred: React draws the screen in slices, which keeps slow phones responsive; a redirect is not deferred.
  const isIn = useDeferredValue(Boolean(user))
  const [isColdStart] = useState(isBeginning)
  if (user && isIn) {
    return (
      <ColdStart value={isColdStart}>
        <Outlet />
      </ColdStart>
    )
  }
  if (isPending || user) return isHeaded(path) ? <Frame path={path} /> : <PageSpinner label={shell.loadingSession} />
  if (user === null) return <ToTheWayIn />
  return (
    <main className="mx-auto grid min-h-screen-safe max-w-lg content-center px-6">
      <ErrorState
        titleAs="h1"
        title={shell.sessionFailed}
        hint={shell.sessionFailedHint}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    </main>
  )
}

function ToTheWayIn() {
  useEffect(storeTyped, [])
  return <Navigate to="/" replace />
}
