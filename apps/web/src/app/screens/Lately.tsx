import { CallEntry } from '../../features/calls/history/CallEntry.tsx'
import { RecentActivity } from '../../features/reports/RecentActivity.tsx'
import { StatCards } from '../../features/reports/StatCards.tsx'

/** The right column of the dashboard: numbers and recent calls. */
export default function Lately() {
  return (
    <div className="grid grid-cols-1 gap-6">
      <StatCards />
      <RecentActivity renderCall={(call) => <CallEntry call={call} />} />
    </div>
  )
}
