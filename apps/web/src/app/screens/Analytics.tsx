import type { Call } from '@parley/contract'
import { CallEntry } from '../../features/calls/history/CallEntry.tsx'
import { Analytics } from '../../features/reports/analytics/Analytics.tsx'

export default function AnalyticsScreen() {
  return <Analytics renderCall={(call) => <CallEntry call={asShown(call)} />} />
}

/** Analytics shows a connected call as in progress (specification). */
function asShown(call: Call): Call {
  return call.status === 'connected' ? { ...call, status: 'in_progress' } : call
}
