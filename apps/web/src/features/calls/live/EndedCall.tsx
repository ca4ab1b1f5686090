import type { CallDetails } from '@parley/contract'
import { useState } from 'react'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Scroller } from '../../../ui/Scroller.tsx'
import { Outcome, Part, Summary } from '../Outcome.tsx'
import { AgainActions } from '../placing/AgainActions.tsx'
import { RecordedTranscript } from '../sound/RecordedTranscript.tsx'
import type { Jump } from '../Transcript.tsx'
import { closeCall } from './openCall.ts'

/** The live view after the end: the outcome beside the transcript. */
export function EndedCall({ call }: { readonly call: CallDetails }) {
  const { common, calls } = useWords()
  const [jump, setJump] = useState<Jump>()
  return (
    <>
      <div className="min-h-0 flex-1 max-md:overflow-y-auto md:grid md:auto-cols-fr md:grid-flow-col">
        <Scroller
          aria-label={calls.outcome.label}
          className="p-4 outline-offset-[-2px] sm:p-6 md:overflow-y-auto md:p-8"
        >
          <div className="grid gap-6">
            <Outcome call={call} onQuote={(turn) => setJump({ turn })} />
            {(call.status === 'completed' || call.summary !== null) && (
              <Part title={calls.outcome.summary}>
                <Summary call={call} />
              </Part>
            )}
            {/* The retried call replaces this one in the view. */}
            <AgainActions call={call} onLeave={closeCall} />
          </div>
        </Scroller>
        {call.turns.length > 0 && (
          <Scroller
            aria-label={calls.live.transcript}
            className="border-line p-4 outline-offset-[-2px] max-md:border-t sm:p-6 md:overflow-y-auto md:border-l md:p-8"
          >
            <h3 className="mb-4 text-sm font-medium text-muted">{calls.live.transcript}</h3>
            <RecordedTranscript call={call} jump={jump} />
          </Scroller>
        )}
      </div>
      <footer className="flex justify-end gap-3 border-t border-line p-3 pb-[max(0.75rem,var(--safe-bottom))] sm:px-6 sm:py-4">
        <Button onClick={closeCall}>{common.close}</Button>
      </footer>
    </>
  )
}
