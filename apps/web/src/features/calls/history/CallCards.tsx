import { Fragment } from 'react'
import { duration } from '../../../lib/format/format.ts'
import { endingLabel } from '../../../lib/format/outcomes.ts'
import { phoneText } from '../../../lib/format/phone.ts'
import { useWords } from '../../../words/index.ts'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { endingText } from '../status.ts'
import { StatusBadge } from '../StatusBadge.tsx'
import { CallActions } from './CallActions.tsx'
import type { CallListProps } from './CallTable.tsx'

/** The history on a phone: a card opens the call's details. */
export function CallCards({ calls, onView, onRetry, isRetrying }: CallListProps) {
  const { history } = useWords().calls
  return (
    <ul>
      {calls.map((call) => {
        const { number, country } = phoneText(call.callee)
        return (
          <li key={call.id} className="relative flex gap-2 border-t border-line py-3 pr-2 pl-4 first:border-t-0">
            <div className="min-w-0 flex-1">
              <div className="flex items-center justify-between gap-2">
                {/* The button covers the card; the actions lie above it. */}
                <button
                  type="button"
                  aria-label={history.viewCall(number)}
                  onClick={() => onView(call)}
                  className="tabular truncate text-left font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-offset-[-2px] focus-visible:after:outline-brand"
                >
                  {number}
                </button>
                <StatusBadge call={call} />
              </div>
              <p className="mt-0.5 line-clamp-2">{call.purpose}</p>
              {call.status === 'failed' && endingText(call) && (
                <p className="mt-0.5 text-sm text-danger">{endingText(call)}</p>
              )}
              <p className="tabular mt-1 text-sm text-muted">
                {endingLabel(call) && <span className="text-ink">{endingLabel(call)} · </span>}
                <TimeAgo at={call.createdAt} className="whitespace-nowrap" />
                {[call.durationSeconds && duration(call.durationSeconds), country].filter(Boolean).map((fact) => (
                  <Fragment key={fact}>
                    {' · '}
                    <span className="whitespace-nowrap">{fact}</span>
                  </Fragment>
                ))}
              </p>
            </div>
            <div className="relative self-center">
              <CallActions call={call} onRetry={onRetry} retrying={isRetrying(call)} />
            </div>
          </li>
        )
      })}
    </ul>
  )
}
