import { Link, Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { Menu } from 'lucide-react'
import { startTransition, Suspense, use, useEffect, useState } from 'react'
import { CreditsBar } from '../../features/credits/CreditsBar.tsx'
import { LowBalance } from '../../features/credits/LowBalance.tsx'
import { Drawn } from '../../lib/drawn.ts'
import { count } from '../../lib/format/format.ts'
import { HEADED_PATHS, isHeaded } from '../../lib/heads.ts'
import { fetchAhead, lazyComponent } from '../../lib/lazyComponent.ts'
import { useSignedInUser } from '../../lib/server/session.ts'
import { useLiveChannel } from '../../lib/live/useLive.ts'
import { useWords } from '../../words/index.ts'
import { Sheet } from '../../ui/Dialog.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { ColdStart } from './coldStart.ts'
import { Beginning } from './Frame.tsx'
import { Sidebar } from './Sidebar.tsx'

/** Drawn after the shell: lib/drawn.ts. */
const STEPS = 3

const LiveCalls = lazyComponent(() => import('../../features/calls/live/LiveCalls.tsx'))

/** The shell around every member screen: sidebar or drawer, credits, and the live socket. */
export default function Shell() {
  const user = useSignedInUser()
  useLiveChannel(user.id)
  const { common, shell } = useWords()
  // First the shell, then the screen in steps.
  const isColdStart = use(ColdStart)
  const [steps, setSteps] = useState(isColdStart ? 0 : STEPS)
  useEffect(() => startTransition(() => setSteps((taken) => Math.min(taken + 1, STEPS))), [steps])
  const pathname = useLocation({ select: (location) => location.pathname })
  // Prefetch the other screens, so that they work without network.
  const router = useRouter()
  useEffect(() => fetchAhead(HEADED_PATHS.map((to) => () => router.preloadRoute({ to }))), [pathname, router])
  const [openAt, setOpenAt] = useState<string>()
  // Navigation closes the drawer, and back does not reopen it.
  if (openAt !== undefined && openAt !== pathname) setOpenAt(undefined)

  return (
    <>
      <a
        href="#content"
        className="fixed top-[calc(0.5rem+var(--safe-top))] left-2 z-50 -translate-y-40 rounded-base bg-brand px-4 py-2 text-on-brand focus:translate-y-0"
      >
        {shell.skip}
      </a>
      <div className="lg:grid lg:grid-cols-[16.5rem_minmax(0,1fr)]">
        <aside className="sticky top-0 hidden h-dvh border-r border-line bg-surface lg:block">
          <Sidebar user={user} />
        </aside>
        <div className="flex min-h-screen-safe min-w-0 flex-col">
          <header
            data-app-head
            className="sticky top-(--safe-top) z-30 flex h-14 items-center justify-between gap-2 border-b border-line bg-surface pr-4 pl-1 lg:hidden"
          >
            <div className="flex items-center gap-1">
              <button
                type="button"
                aria-label={shell.openMenu}
                onClick={() => setOpenAt(pathname)}
                className="grid size-11 place-items-center rounded-base hover:bg-mint"
              >
                <Menu className="size-5" aria-hidden="true" />
              </button>
              <Link to="/dashboard" aria-label={shell.home} className="rounded-base">
                <Logo />
              </Link>
            </div>
            <p className="text-sm text-muted">
              {shell.credits}{' '}
              <strong className="tabular text-base font-semibold text-ink">{count(user.creditBalance)}</strong>
            </p>
          </header>
          <CreditsBar balance={user.creditBalance} />
          <LowBalance user={user} />
          <main
            id="content"
            tabIndex={-1}
            className="mx-auto w-full max-w-6xl flex-1 px-4 pt-6 pb-16 outline-none sm:px-8 sm:pt-8"
          >
            <Drawn value={steps}>
              {steps === 0 && isHeaded(pathname) ? <Beginning path={pathname} label={common.loading} /> : <Outlet />}
            </Drawn>
          </main>
        </div>
      </div>
      <Sheet
        side="left"
        open={openAt === pathname}
        onOpenChange={(open) => setOpenAt(open ? pathname : undefined)}
        title={shell.menu}
      >
        <Sidebar user={user} inDrawer />
      </Sheet>
      <Suspense>
        <LiveCalls />
      </Suspense>
    </>
  )
}
