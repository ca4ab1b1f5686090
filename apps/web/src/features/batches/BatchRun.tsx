import type { Batch } from '@parley/contract'
import { type ReactNode, useEffect, useRef } from 'react'
import { count, credits, exactTime } from '../../lib/format/format.ts'
import { useWords } from '../../words/index.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Card } from '../../ui/Card.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { useBatchProgress } from './api.ts'
import { BatchActions } from './BatchActions.tsx'
import { BatchPeople } from './BatchPeople.tsx'
import { doneOf } from './plan.ts'
import { messageOf, toneOf } from './status.ts'

/** A running or ended batch: progress, credits, actions and contacts. */
export function BatchRun({
  batch,
  onOpenCall,
}: {
  readonly batch: Batch
  readonly onOpenCall: (callId: string) => void
}) {
  const { run, statuses, form } = useWords().batches
  useBatchProgress(batch.id)
  const { contacts, totalCalls, estimate, status } = batch
  const done = doneOf(contacts)
  const message = messageOf(batch)
  const name = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The pressed button is gone: focus the heading.
    if (document.activeElement === document.body) name.current?.focus()
  }, [])
  const isUnderWay = status === 'running' || status === 'paused'
  return (
    <>
      <Card aria-labelledby="batch-name">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0">
            <h2 ref={name} id="batch-name" tabIndex={-1} className="text-lg font-semibold">
              {batch.name}
            </h2>
            <p className="text-sm text-muted">{batch.description}</p>
          </div>
          <Badge tone={toneOf(status)} pulse={status === 'running'}>
            {statuses[status]}
          </Badge>
        </div>
        <p className="tabular mt-5 mb-2" aria-live="polite">
          {run.progress(count(done), count(totalCalls))}
        </p>
        <Progress
          label={run.progress(count(done), count(totalCalls))}
          value={done}
          max={Math.max(1, totalCalls)}
          className="h-3"
        />
        <p className="tabular mt-2 text-sm text-muted">
          {run.credits(credits(batch.creditsCharged))}
          {isUnderWay &&
            estimate.calls > 0 &&
            ` · ${run.remaining(credits(estimate.likelyCredits))}, ${form.minutesText(estimate.minutes)}`}
          {status === 'scheduled' && ` · ${run.scheduledFor(exactTime(batch.scheduledFor))}`}
        </p>
        {message && (
          <Notice tone="info" className="mt-4">
            {message} {batch.goesOnAt && run.goesOnAt(exactTime(batch.goesOnAt))}
          </Notice>
        )}
        <dl className="my-5 grid grid-cols-2 gap-4 sm:grid-cols-4">
          <Figure name={run.left}>{count(contacts.waiting)}</Figure>
          <Figure name={run.calling}>{count(contacts.calling)}</Figure>
          <Figure name={run.completed}>{count(contacts.completed)}</Figure>
          <Figure name={run.failed}>{count(contacts.failed)}</Figure>
        </dl>
        <BatchActions batch={batch} />
      </Card>
      <BatchPeople id={batch.id} onOpenCall={onOpenCall} />
    </>
  )
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="tabular text-xl font-semibold">{children}</dd>
    </div>
  )
}
