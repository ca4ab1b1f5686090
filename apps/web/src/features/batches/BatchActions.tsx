import { batchesRoutes, pathOf, type Batch } from '@parley/contract'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Download, Pause, Play, RotateCw, Square, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { request, sentenceOf } from '../../lib/http.ts'
import { apiUrl } from '../../lib/native.ts'
import { useWords } from '../../lib/words/index.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.ts'
import { useChangeBatch, type BatchAction } from './api.ts'

const ICONS = { start: Play, pause: Pause, resume: Play, stop: Square, 'retry-failed': RotateCw } as const
type Action = keyof typeof ICONS

/** What can be done with a batch in the state it is in. */
function actionsOf({ status, contacts }: Batch): Action[] {
  if (status === 'scheduled') return ['start', 'stop']
  if (status === 'running') return ['pause', 'stop']
  if (status === 'paused') return ['resume', 'stop']
  return contacts.failed > 0 ? ['retry-failed'] : []
}

export function BatchActions({ batch }: { readonly batch: Batch }) {
  const { batches, common } = useWords()
  const { run } = batches
  const [asked, setAsked] = useState<'stop' | 'delete'>()
  const change = useChangeBatch(batch.id)
  const labels = { start: run.startNow, pause: run.pause, resume: run.resume, stop: run.stop, 'retry-failed': run.retry } as const
  const act = (action: BatchAction & Action) =>
    change.mutate(
      { action },
      {
        onError: (error) => toast({ tone: 'error', title: common.error, description: sentenceOf(error, run.actionFailed) }),
        onSettled: () => setAsked(undefined),
      },
    )
  const deleting = useDelete(batch.id)
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
            onClick={() => (action === 'stop' ? setAsked('stop') : act(action))}
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
      {isOver && (
        <Button variant="quiet" icon={<Trash2 className="size-4" aria-hidden="true" />} onClick={() => setAsked('delete')}>
          {run.delete}
        </Button>
      )}
      <ConfirmDialog
        open={asked === 'stop'}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={run.stopTitle}
        question={run.stopQuestion}
        confirm={run.stop}
        pending={change.isPending}
        onConfirm={() => act('stop')}
      />
      <ConfirmDialog
        open={asked === 'delete'}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={run.deleteTitle}
        question={run.deleteQuestion}
        confirm={run.delete}
        pending={deleting.isPending}
        onConfirm={() => deleting.mutate()}
      />
    </div>
  )
}

function useDelete(id: string) {
  const { batches, common } = useWords()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async () => request(batchesRoutes.remove, { params: { id } }),
    onSuccess: () => {
      toast({ tone: 'success', title: batches.run.deleted })
      void navigate({ to: '.', search: { tab: 'batch' } })
    },
    onError: (error) => toast({ tone: 'error', title: common.error, description: sentenceOf(error, batches.run.actionFailed) }),
  })
}
