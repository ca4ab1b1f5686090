import { Navigate, Outlet } from '@tanstack/react-router'
import { lazy, useEffect } from 'react'
import { hasStoredUser, useUser } from '../lib/session.ts'
import { useWords } from '../lib/words/index.ts'
import { PageSpinner } from '../ui/Spinner.tsx'
import { ErrorState } from '../ui/states.tsx'

const loadLanding = () => import('../features/accounts/landing/Landing.tsx')
const loadGreeting = () => import('../features/accounts/Greeting.tsx')
const Landing = lazy(loadLanding)
const Greeting = lazy(loadGreeting)

/** The start page: a greeting for whoever is signed in, the landing page for everybody else. */
export function Start() {
  const { data: user, isPending } = useUser()
  const { shell } = useWords()
  // What will most likely be shown is fetched while the session is asked for.
  useEffect(() => void (hasStoredUser() ? loadGreeting() : loadLanding()), [])
  if (isPending) return <PageSpinner label={shell.loadingSession} />
  return user ? <Greeting /> : <Landing />
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
  if (user) return <Outlet />
  if (isPending) return <PageSpinner label={shell.loadingSession} />
  if (user === null) return <Navigate to="/" replace />
  return (
    <main className="mx-auto grid min-h-dvh max-w-lg content-center px-6">
      <ErrorState title={shell.sessionFailed} hint={shell.sessionFailedHint} retrying={isFetching} onRetry={() => void refetch()} />
    </main>
  )
}
