import { BRAND } from '@parley/contract'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { CallLine } from '../../features/calls/history/CallLine.tsx'
import { LoadingRows } from '../../features/calls/history/LoadingRows.tsx'
import { QuickCall } from '../../features/calls/quick-call/QuickCall.tsx'
import { RecentActivity } from '../../features/reports/RecentActivity.tsx'
import { StatCards } from '../../features/reports/StatCards.tsx'
import { useWords } from '../../lib/words/index.ts'
import { PageHead } from '../../ui/Card.tsx'

// Below what is seen first: the page need not wait for it.
const CallHistory = lazy(async () => ({ default: (await import('../../features/calls/history/CallHistory.tsx')).CallHistory }))

/** The next call at the left, the last ones at the right, all of them below. */
export default function Dashboard() {
  const { calls, reports, titles } = useWords()
  const { dashboard } = reports
  return (
    <>
      <PageHead title={titles['/dashboard']} lead={dashboard.lead} />
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,1fr)_21rem]">
        <QuickCall />
        <div className="grid grid-cols-1 gap-6">
          <StatCards />
          <RecentActivity line={(call) => <CallLine call={call} />} />
        </div>
      </div>
      <section aria-labelledby="all-calls" className="mt-10">
        <h2 id="all-calls" className="mb-4 text-lg font-semibold">
          {calls.history.title}
        </h2>
        <Suspense fallback={<LoadingRows />}>
          <CallHistory />
        </Suspense>
      </section>
      <Footer />
    </>
  )
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
