import type { Call } from '@parley/contract'
import { endingLabel } from '../../../lib/format/outcomes.ts'
import { phoneText } from '../../../lib/format/phone.ts'
import { duration } from '../../../lib/format/format.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { PhoneNumber } from '../PhoneNumber.tsx'
import { endingText, isBrokenOff } from '../status.ts'
import { StatusBadge } from '../StatusBadge.tsx'
import { CallActions } from './CallActions.tsx'

export interface CallListProps {
  readonly calls: readonly Call[]
  readonly onView: (call: Call) => void
  readonly onRetry: (call: Call) => void
  /** Whether it is about to be placed again. */
  readonly isRetrying: (call: Call) => boolean
}

const CELL = 'border-t border-line px-2.5 py-3 first:pl-5 last:pr-3'

export function CallTable({ calls, onView, onRetry, isRetrying }: CallListProps) {
  const { columns, title } = useWords().calls.history
  return (
    <table className="w-full table-fixed border-collapse text-left">
      <caption className="sr-only">{title}</caption>
      <thead>
        <tr className="text-sm text-muted *:px-2.5 *:py-3 *:font-medium *:first:pl-5">
          <th scope="col" className="w-46">
            {columns.callee}
          </th>
          <th scope="col">{columns.purpose}</th>
          <th scope="col" className="w-32">
            {columns.status}
          </th>
          <th scope="col" className="w-26 max-xl:hidden">
            {columns.duration}
          </th>
          <th scope="col" className="w-32">
            {columns.date}
          </th>
          <th scope="col" className="w-28">
            {columns.transcript}
          </th>
          <th scope="col" className="w-17">
            <span className="sr-only">{columns.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <tr key={call.id}>
            <td className={CELL}>
              {/* The words of a call that broke off have no View of their own. */}
              <PhoneNumber phone={call.callee} onOpen={isBrokenOff(call) ? () => onView(call) : undefined} />
            </td>
            <td className={CELL}>
              <p className="line-clamp-2">{call.purpose}</p>
              {call.status === 'failed' && endingText(call) && (
                <p className="text-sm text-danger">{endingText(call)}</p>
              )}
            </td>
            <td className={CELL}>
              <StatusBadge call={call} />
              {endingLabel(call) && <p className="mt-0.5 text-sm text-muted">{endingLabel(call)}</p>}
            </td>
            <td className={`${CELL} tabular whitespace-nowrap max-xl:hidden`}>
              {call.durationSeconds !== null && duration(call.durationSeconds)}
            </td>
            <td className={CELL}>
              <TimeAgo at={call.createdAt} className="whitespace-nowrap" />
            </td>
            <td className={CELL}>
              <TranscriptCell call={call} onView={onView} />
            </td>
            <td className={CELL}>
              <CallActions call={call} onRetry={onRetry} retrying={isRetrying(call)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** View once there is something to read; until then, or where there never will be, a word that says so. */
function TranscriptCell({ call, onView }: { readonly call: Call; readonly onView: (call: Call) => void }) {
  const { history } = useWords().calls
  if (call.status !== 'completed') return <span className="text-sm text-muted">{history.notAvailable}</span>
  if (!call.transcript) return <span className="text-sm text-muted">{history.processing}</span>
  return (
    <Button
      variant="secondary"
      size="small"
      aria-label={history.viewCall(phoneText(call.callee).number)}
      onClick={() => onView(call)}
    >
      {history.view}
    </Button>
  )
}
