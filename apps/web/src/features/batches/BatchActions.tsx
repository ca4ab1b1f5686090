import { pathOf, type Batch } from '@parley/contract'
import { batchesRoutes } from '@parley/contract/page'
import { Download, Pause, Play, RotateCw, Square } from 'lucide-react'
import { useState } from 'react'
import { sentenceOf } from '../../lib/server/http.ts'
import { apiUrl } from '../../lib/platform/index.ts'
import { useWords } from '../../words/index.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { useChangeBatch, type BatchAction } from './api.ts'
import { DeleteBatch } from './DeleteBatch.tsx'

const ICONS = { start: Play, pause: Pause, resume: Play, stop: Square, 'retry-failed': RotateCw } as const
type Action = keyof typeof ICONS

/** The actions that a batch allows in its status. */
function actionsOf({ status, pausedBy, contacts }: Batch): Action[] {
  if (status === 'scheduled') return ['start', 'stop']
  if (status === 'running') return ['pause', 'stop']
  // Paused by calling hours it resumes by itself, so it offers Pause, not Resume.
  if (status === 'paused') return pausedBy === 'hours' ? ['pause', 'stop'] : ['resume', 'stop']
  return contacts.failed > 0 ? ['retry-failed'] : []
}

export function BatchActions({ batch }: { readonly batch: Batch }) {
  const { batches, common } = useWords()
  const { run } = batches
  const [isStopAsked, setIsStopAsked] = useState(false)
  const change = useChangeBatch(batch.id)
  const labels = {
    start: run.startNow,
    pause: run.pause,
    resume: run.resume,
    stop: run.stop,
    'retry-failed': run.retry,
  } as const
  const act = (action: BatchAction & Action) =>
    change.mutate(
      { action },
      {
        onError: (error) =>
          toast({ tone: 'error', title: common.error, description: sentenceOf(error, run.actionFailed) }),
        onSettled: () => setIsStopAsked(false),
      },
    )
  const isOver = batch.status === 'done' || batch.status === 'stopped'
  return (
    <div className="flex flex-wrap gap-2">
      {actionsOf(batch).map((action) => {
        const Icon = ICONS[action]
        const isPending = change.isPending && change.variables?.action === action
        return (
          <Button
            key={action}
            variant={action === 'stop' ? 'secondary' : 'primary'}
            pending={isPending}
            icon={<Icon className="size-4" aria-hidden="true" />}
            onClick={() => (action === 'stop' ? setIsStopAsked(true) : act(action))}
          >
            {labels[action]}
          </Button>
        )
      })}
      {(['csv', 'json'] as const).map((format) => (
        <ButtonLink key={format} variant="secondary">
          <a href={`${apiUrl(pathOf(batchesRoutes.results, { id: batch.id }))}?format=${format}`} download>
            <Download className="size-4" aria-hidden="true" />
            {format === 'csv' ? run.csv : run.json}
          </a>
        </ButtonLink>
      ))}
      {isOver && <DeleteBatch id={batch.id} />}
      <ConfirmDialog
        open={isStopAsked}
        onOpenChange={setIsStopAsked}
        title={run.stopTitle}
        question={run.stopQuestion}
        confirm={run.stop}
        pending={change.isPending}
        onConfirm={() => act('stop')}
      />
    </div>
  )
}
