import type { Call, CallDetails } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { phoneText } from '../../../lib/format/phone.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { ErrorState, Skeleton } from '../../../ui/states.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { callQuery } from '../api.ts'
import { Outcome } from '../Outcome.tsx'
import { AgainActions } from '../placing/AgainActions.tsx'
import { RecordedTranscript } from '../sound/RecordedTranscript.tsx'
import { endingText, isLive } from '../status.ts'
import type { Jump } from '../Transcript.tsx'
import { CallFacts } from './CallFacts.tsx'
import { downloadJson, downloadTranscript } from './download.ts'
import { SummaryTab } from './SummaryTab.tsx'

interface CallDialogProps {
  readonly call: Call
  readonly onClose: () => void
}

/** Call details: outcome first, then transcript and facts. */
export function CallDialog({ call, onClose }: CallDialogProps) {
  const { calls } = useWords()
  const { data, isError, isFetching, refetch } = useQuery(callQuery(call.id))
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={calls.details.title}
      lead={
        <>
          <span className="tabular">{phoneText(call.callee).number}</span>
          {call.isTest && ` · ${calls.testCall}`}
        </>
      }
      wide
    >
      {/* One height for all tabs, so that the dialog does not resize. */}
      <div className="min-h-[min(26rem,55dvh)]">
        {data && <About call={data} onClose={onClose} />}
        {!data && isError && (
          <ErrorState title={calls.details.failedTitle} retrying={isFetching} onRetry={() => void refetch()} />
        )}
        {!data && !isError && <LoadingTabs />}
      </div>
      <Foot call={data ?? call} details={data} onClose={onClose} />
    </Dialog>
  )
}

interface FootProps extends CallDialogProps {
  readonly details: CallDetails | undefined
}

function Foot({ call, details, onClose }: FootProps) {
  const { common, calls } = useWords()
  // On a phone the three share one line.
  const icon = <Download className="size-4 max-sm:hidden" aria-hidden="true" />
  return (
    <div className="sticky -bottom-6 -mx-5 mt-6 -mb-6 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-surface px-5 py-4 sm:-mx-6 sm:gap-3 sm:px-6">
      {!isLive(call) && call.transcript && (
        <Button
          variant="secondary"
          icon={icon}
          aria-label={calls.history.download}
          onClick={() => downloadTranscript(call)}
        >
          <span className="sm:hidden">{calls.history.downloadShort}</span>
          <span className="max-sm:hidden">{calls.history.download}</span>
        </Button>
      )}
      {details && !isLive(details) && (
        <Button
          variant="secondary"
          icon={icon}
          aria-label={calls.history.downloadJson}
          onClick={() => downloadJson(details)}
        >
          {calls.history.json}
        </Button>
      )}
      <Button onClick={onClose}>{common.close}</Button>
    </div>
  )
}

type Tab = 'transcript' | 'details' | 'summary'

function About({ call, onClose }: { readonly call: CallDetails; readonly onClose: () => void }) {
  const { details } = useWords().calls
  const [tab, setTab] = useState<Tab>('transcript')
  const [jump, setJump] = useState<Jump>()
  const quote = (turn: number) => {
    setJump({ turn })
    setTab('transcript')
  }
  return (
    <>
      {!isLive(call) && (
        <div className="mb-6 grid gap-5 rounded-base bg-paper p-4 sm:p-5">
          <Outcome call={call} onQuote={quote} />
          <AgainActions call={call} onLeave={onClose} />
        </div>
      )}
      <Tabs<Tab>
        label={details.tabs}
        value={tab}
        onValueChange={setTab}
        tabs={[
          {
            value: 'transcript',
            label: details.transcript,
            content: <Words call={call} jump={jump} />,
          },
          { value: 'details', label: details.details, content: <CallFacts call={call} /> },
          { value: 'summary', label: details.summary, content: <SummaryTab call={call} /> },
        ]}
      />
    </>
  )
}

interface WordsProps {
  readonly call: CallDetails
  readonly jump: Jump | undefined
}

/** The transcript, and why it ends early or is missing. */
export function Words({ call, jump }: WordsProps) {
  const { details } = useWords().calls
  const isWithheld = call.wordsKeptUntil !== null
  return (
    <>
      {call.turns.length > 0 && <RecordedTranscript call={call} jump={jump} />}
      {call.turns.length === 0 && !isWithheld && (
        <p className="text-muted">{endingText(call) ?? details.noTranscript}</p>
      )}
      {isWithheld && (
        <Notice tone="info" className="mt-5">
          {details.wordsNotKept}
        </Notice>
      )}
    </>
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
