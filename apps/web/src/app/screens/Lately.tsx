import { CallEntry } from '../../features/calls/history/CallEntry.tsx'
import { RecentActivity } from '../../features/reports/RecentActivity.tsx'
import { StatCards } from '../../features/reports/StatCards.tsx'

/** The dashboard's right: figures, and the last calls. */
export default function Lately() {
  return (
    <div className="grid grid-cols-1 gap-6">
      <StatCards />
      <RecentActivity line={(call) => <CallEntry call={call} />} />
    </div>
  )
}
