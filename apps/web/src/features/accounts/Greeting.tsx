import { GREETING_COUNTDOWN_SECONDS } from '@parley/contract'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSignedInUser } from '../../lib/server/session.ts'
import { useWords } from '../../words/index.ts'
import { Logo } from '../../ui/Logo.tsx'
import { Progress } from '../../ui/Progress.tsx'

const NEW_ACCOUNT_MS = 24 * 60 * 60_000

/** Greets by the first name and, after a countdown, opens the dashboard. */
export default function Greeting() {
  const { greeting } = useWords().accounts
  const user = useSignedInUser()
  const navigate = useNavigate()
  const [secondsLeft, setSecondsLeft] = useState(GREETING_COUNTDOWN_SECONDS)
  const [isNew] = useState(() => Date.now() - Date.parse(user.createdAt) < NEW_ACCOUNT_MS)

  const tick = useEffectEvent(() => {
    setSecondsLeft(Math.max(0, secondsLeft - 1))
    if (secondsLeft <= 1) void navigate({ to: '/dashboard', replace: true })
  })
  useEffect(() => {
    const timer = setInterval(() => tick(), 1000)
    return () => clearInterval(timer)
  }, [])

  return (
    <div className="mx-auto flex min-h-screen-safe max-w-3xl flex-col px-6 py-6">
      <header>
        <Logo />
      </header>
      <main className="flex flex-1 flex-col justify-center gap-8 pb-24">
        <h1 className="text-2xl font-semibold">
          {isNew ? greeting.first(user.firstName) : greeting.back(user.firstName)}
        </h1>
        <div className="grid max-w-lg gap-3">
          <Progress
            label={greeting.progress}
            value={GREETING_COUNTDOWN_SECONDS - secondsLeft}
            max={GREETING_COUNTDOWN_SECONDS}
          />
          <p className="tabular flex flex-wrap justify-between gap-x-4 gap-y-1 text-muted">
            {greeting.countdown(secondsLeft)}
            <Link to="/dashboard" replace className="link">
              {greeting.now}
            </Link>
          </p>
        </div>
      </main>
    </div>
  )
}
