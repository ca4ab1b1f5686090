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

/** The start page: a greeting for whoever is signed in, the landing page for everybody else. */
export function Start() {
  const { data: user, isPending } = useUser()
  const { shell } = useWords()
  // What will most likely be shown is fetched while the session is asked for.
  useEffect(() => void (hasStoredUser() ? loadGreeting() : loadFront()), [])
  if (isPending) return <PageSpinner label={shell.loadingSession} />
  return user ? <Greeting /> : <Front />
}

/** Visitors see the form at once; whoever was signed in here waits for the answer, so that no form flashes by. */
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
  // A whole screen is drawn in slices, so that a slow phone can still be touched meanwhile; who has left is sent away
  // at once.
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
    <main className="mx-auto grid min-h-dvh max-w-lg content-center px-6">
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
