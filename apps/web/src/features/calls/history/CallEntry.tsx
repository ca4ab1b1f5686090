import type { Call } from '@parley/contract'
import { endingLabel } from '../../../lib/format/outcomes.ts'
import { phoneText } from '../../../lib/format/phone.ts'
import { useWords } from '../../../words/index.ts'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { openCall } from '../live/openCall.ts'
import { isLive } from '../status.ts'
import { StatusBadge } from '../StatusBadge.tsx'
import { viewCall } from './viewedCall.ts'

/** A call in two lines, for short lists. Opens its live view, or its details after the end. */
export function CallEntry({ call }: { readonly call: Call }) {
  const { history } = useWords().calls
  const { number } = phoneText(call.callee)
  return (
    <div className="relative">
      <div className="flex items-center justify-between gap-3">
        <button
          type="button"
          aria-label={isLive(call) ? history.watchCall(number) : history.viewCall(number)}
          onClick={() => (isLive(call) ? openCall(call.id) : viewCall(call))}
          className="tabular truncate text-left font-medium outline-none after:absolute after:inset-0 after:rounded-small hover:text-brand focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-brand"
        >
          {number}
        </button>
        <StatusBadge call={call} />
      </div>
      <p className="mt-0.5 flex gap-3 text-sm text-muted">
        <span className="min-w-0 flex-1 truncate">
          {endingLabel(call) && <span className="text-ink">{endingLabel(call)} · </span>}
          <span>{call.purpose}</span>
        </span>
        <TimeAgo at={call.createdAt} className="whitespace-nowrap" />
      </p>
    </div>
  )
}
