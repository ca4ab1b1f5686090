import type { Call, CallDetails } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { phoneText } from '../../../lib/phone.ts'
import { useWords } from '../../../lib/words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState, Skeleton } from '../../../ui/states.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { callQuery } from '../api.ts'
import { Outcome } from '../Outcome.tsx'
import { RecordedTranscript } from '../sound/RecordedTranscript.tsx'
import { CallFacts } from './CallFacts.tsx'
import { downloadTranscript } from './download.ts'

interface CallDialogProps {
  readonly call: Call
  readonly onClose: () => void
}

/** One call: what was said, how it went, what came of it. */
export function CallDialog({ call, onClose }: CallDialogProps) {
  const { common, calls } = useWords()
  const { data, isError, isFetching, refetch } = useQuery(callQuery(call.id))
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={calls.details.title}
      lead={<span className="tabular">{phoneText(call.callee).number}</span>}
      wide
    >
      {/* One height for all tabs, so that the dialog stands still under the hand. */}
      <div className="min-h-[min(26rem,55dvh)]">
        {data && <CallTabs call={data} />}
        {!data && isError && <ErrorState title={calls.details.failedTitle} retrying={isFetching} onRetry={() => void refetch()} />}
        {!data && !isError && <LoadingTabs />}
      </div>
      <div className="sticky -bottom-6 -mx-5 mt-6 -mb-6 flex justify-end gap-3 border-t border-line bg-surface px-5 py-4 sm:-mx-6 sm:px-6">
        {call.status === 'completed' && call.transcript && (
          <Button variant="secondary" icon={<Download className="size-4" aria-hidden="true" />} onClick={() => downloadTranscript(call)}>
            {calls.history.download}
          </Button>
        )}
        <Button onClick={onClose}>{common.close}</Button>
      </div>
    </Dialog>
  )
}

type Tab = 'transcript' | 'details' | 'summary'

function CallTabs({ call }: { readonly call: CallDetails }) {
  const { details } = useWords().calls
  const [tab, setTab] = useState<Tab>('transcript')
  const [target, setTarget] = useState<number>()
  const quote = (turn: number) => {
    setTarget(turn)
    setTab('transcript')
  }
  return (
    <Tabs<Tab>
      label={details.tabs}
      value={tab}
      onValueChange={setTab}
      tabs={[
        {
          value: 'transcript',
          label: details.transcript,
          content:
            call.turns.length > 0 ? (
              <RecordedTranscript call={call} target={target} />
            ) : (
              <p className="text-muted">{call.endMessage ?? details.noTranscript}</p>
            ),
        },
        { value: 'details', label: details.details, content: <CallFacts call={call} /> },
        { value: 'summary', label: details.summary, content: <Outcome call={call} onQuote={quote} /> },
      ]}
    />
  )
}

function LoadingTabs() {
  return (
    <div className="grid gap-5" aria-busy="true">
      <Skeleton className="mb-2 h-9 w-72 max-w-full" />
      <Skeleton className="h-14 w-3/4" />
      <Skeleton className="ml-auto h-14 w-1/2" />
      <Skeleton className="h-14 w-2/3" />
    </div>
  )
}
