import { BRAND } from '@parley/contract'
import { Link } from '@tanstack/react-router'
import { Suspense, use, useEffect } from 'react'
import { PhoneNotice } from '../../features/calls/placing/PhoneNotice.tsx'
import { QuickCall } from '../../features/calls/quick-call/QuickCall.tsx'
import { Drawn } from '../../lib/drawn.ts'
import { useHead } from '../../lib/heads.ts'
import { lazyComponent } from '../../lib/lazyComponent.ts'
import { useWords } from '../../words/index.ts'
import { PageHead } from '../../ui/Card.tsx'
import { LoadingRows } from '../../ui/states.tsx'

// Lazy: beside and below the first view.
const loadLately = () => import('./Lately.tsx')
const loadHistory = async () => ({
  default: (await import('../../features/calls/history/CallHistory.tsx')).CallHistory,
})
const Lately = lazyComponent(loadLately)
const CallHistory = lazyComponent(loadHistory)

/** Quick call at the left, recent calls at the right, the history below. */
export default function Dashboard() {
  const { calls } = useWords()
  const isRestDue = use(Drawn) >= 3
  // Loaded while the previous steps are drawn.
  useEffect(() => void Promise.allSettled([loadLately(), loadHistory()]), [])
  return (
    <>
      <PageHead {...useHead('/dashboard')} />
      <PhoneNotice />
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,1fr)_21rem]">
        <QuickCall />
        <Suspense fallback={<LatelyPlace />}>{isRestDue ? <Lately /> : <LatelyPlace />}</Suspense>
      </div>
      <section aria-labelledby="all-calls" className="mt-10">
        <h2 id="all-calls" className="mb-4 text-lg font-semibold">
          {calls.history.title}
        </h2>
        <Suspense fallback={<LoadingRows />}>{isRestDue ? <CallHistory /> : <LoadingRows />}</Suspense>
      </section>
      <Footer />
    </>
  )
}

function LatelyPlace() {
  return <div className="min-h-120" />
}

function Footer() {
  const { dashboard } = useWords().reports
  return (
    <footer className="mt-16 flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-t border-line pt-6 text-sm text-muted">
      <a href={BRAND.parentCompanyUrl} className="link" target="_blank" rel="noreferrer">
        {dashboard.footer(BRAND.parentCompany)}
      </a>
      <nav aria-label={dashboard.footerNavigation} className="flex flex-wrap gap-x-6 gap-y-2">
        <Link to="/privacy-policy" className="link">
          {dashboard.privacy}
        </Link>
        <Link to="/terms-of-service" className="link">
          {dashboard.terms}
        </Link>
        <a href={`mailto:${BRAND.supportEmail}`} className="link">
          {dashboard.contact}
        </a>
      </nav>
    </footer>
  )
}
