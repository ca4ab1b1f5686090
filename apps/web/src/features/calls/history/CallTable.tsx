import type { Call } from '@parley/contract'
import { endingLabel } from '../../../lib/format/outcomes.ts'
import { phoneText } from '../../../lib/format/phone.ts'
import { duration } from '../../../lib/format/format.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Table } from '../../../ui/Table.tsx'
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

export function CallTable({ calls, onView, onRetry, isRetrying }: CallListProps) {
  const { columns, title } = useWords().calls.history
  return (
    <Table
      caption={title}
      isFixed
      rows={calls}
      rowKey={({ id }) => id}
      columns={[
        {
          name: columns.callee,
          // The words of a call that broke off have no View of their own.
          cell: (call) => (
            <PhoneNumber phone={call.callee} onOpen={isBrokenOff(call) ? () => onView(call) : undefined} />
          ),
          className: 'w-46',
        },
        { name: columns.purpose, cell: (call) => <PurposeCell call={call} /> },
        {
          name: columns.status,
          cell: (call) => (
            <>
              <StatusBadge call={call} />
              {endingLabel(call) && <p className="mt-0.5 text-sm text-muted">{endingLabel(call)}</p>}
            </>
          ),
          className: 'w-32',
        },
        {
          name: columns.duration,
          cell: ({ durationSeconds }) => durationSeconds !== null && duration(durationSeconds),
          className: 'w-26 whitespace-nowrap max-xl:hidden',
        },
        {
          name: columns.date,
          cell: ({ createdAt }) => <TimeAgo at={createdAt} className="whitespace-nowrap" />,
          className: 'w-32',
        },
        {
          name: columns.transcript,
          cell: (call) => <TranscriptCell call={call} onView={onView} />,
          className: 'w-28',
        },
        {
          name: columns.actions,
          isNameHidden: true,
          cell: (call) => (
            // The button's icon, not its edge, ends where the columns do.
            <div className="-mr-2">
              <CallActions call={call} onRetry={onRetry} retrying={isRetrying(call)} />
            </div>
          ),
          className: 'w-17',
        },
      ]}
    />
  )
}

function PurposeCell({ call }: { readonly call: Call }) {
  const ending = endingText(call)
  return (
    <>
      <p className="line-clamp-2">{call.purpose}</p>
      {call.status === 'failed' && ending && <p className="text-sm text-danger">{ending}</p>}
    </>
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
