import type { CallDetails } from '@parley/contract'
import type { ReactNode } from 'react'
import { useNow } from '../../lib/format/useNow.ts'
import { useWords } from '../../words/index.ts'
import { Skeleton } from '../../ui/states.tsx'
import { Objectives } from './Objectives.tsx'
import { withPrivateNames } from './vault/privateNames.ts'
import { headlineOf, isBeingWrittenUp, objectivesOf } from './status.ts'

interface OutcomeProps {
  readonly call: CallDetails
  readonly onQuote: (turn: number) => void
}

/** The outcome of a call: objectives first, then next steps. */
export function Outcome({ call, onQuote }: OutcomeProps) {
  const { outcome } = useWords().calls
  const writing = isBeingWrittenUp(call, useNow(1000))
  return (
    <div className="grid gap-6">
      <div className="grid gap-4">
        <h3 className="text-lg font-semibold">{writing ? outcome.writing : headlineOf(call)}</h3>
        {call.objectives.length > 0 &&
          (writing ? (
            <Lines count={call.objectives.length} />
          ) : (
            <Objectives objectives={objectivesOf(call)} vault={call.vault} onQuote={onQuote} />
          ))}
      </div>
      {call.nextSteps.length > 0 && (
        <Part title={outcome.nextSteps}>
          <ul className="ml-5 grid list-disc gap-1 marker:text-brand">
            {call.nextSteps.map((step) => (
              <li key={step}>{withPrivateNames(step, call.vault)}</li>
            ))}
          </ul>
        </Part>
      )}
    </div>
  )
}

/** The summary. A failed call has none, and its reason is shown elsewhere. */
export function Summary({ call }: { readonly call: CallDetails }) {
  const { outcome } = useWords().calls
  const writing = isBeingWrittenUp(call, useNow(1000))
  return writing ? (
    <Lines count={3} />
  ) : (
    <p className={call.summary ? 'max-w-prose' : 'text-muted'}>
      {call.summary === null ? outcome.noSummary : withPrivateNames(call.summary, call.vault)}
    </p>
  )
}

export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h4 className="mb-1.5 text-sm font-medium text-muted">{title}</h4>
      {children}
    </section>
  )
}

function Lines({ count }: { readonly count: number }) {
  return (
    <div className="grid gap-3">
      {Array.from({ length: count }, (_, line) => line).map((line) => (
        <Skeleton key={line} className="h-5 w-full last:w-2/3" />
      ))}
    </div>
  )
}
