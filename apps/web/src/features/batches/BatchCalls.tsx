import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useSearchParam } from '../../lib/search.ts'
import { useWords } from '../../words/index.ts'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { batchQuery, importQuery, useListProgress } from './api.ts'
import { BatchList } from './BatchList.tsx'
import { BatchRun } from './BatchRun.tsx'
import { NewBatch } from './NewBatch.tsx'
import type { SharedParts } from './Script.tsx'

interface PartsProps {
  readonly parts: SharedParts
  /** Opens a call of a contact. */
  readonly onOpenCall: (callId: string) => void
}

/** A new batch, or the one in the address: a draft opens its form, any other its progress. */
export function BatchCalls({ parts, onOpenCall }: PartsProps) {
  const { run } = useWords().batches
  const id = useSearchParam('batch')
  useListProgress()
  if (id !== undefined)
    return (
      <>
        <Link to="." search={{ tab: 'batch' }} className="link mb-4 inline-flex min-h-9 items-center gap-2 text-sm">
          <ArrowLeft className="size-4" aria-hidden="true" />
          {run.back}
        </Link>
        <OpenBatch key={id} id={id} parts={parts} onOpenCall={onOpenCall} />
      </>
    )
  return (
    <>
      <NewBatch key="new" draft={undefined} list={undefined} parts={parts} />
      <BatchList />
    </>
  )
}

function OpenBatch({ id, parts, onOpenCall }: PartsProps & { readonly id: string }) {
  const { run } = useWords().batches
  const batch = useQuery({ ...batchQuery(id), refetchOnMount: 'always' })
  const isDraft = batch.data?.status === 'draft'
  const list = useQuery({ ...importQuery(id), enabled: isDraft })
  const failed = [batch, list].find((query) => query.isError && !query.data)
  if (failed)
    return <ErrorState title={run.failedTitle} retrying={failed.isFetching} onRetry={() => void failed.refetch()} />
  // Cached data may be older than the draft, and would overwrite it.
  const isOld = batch.isFetching && !batch.isFetchedAfterMount
  if (!batch.data || (isDraft && (isOld || !list.data))) return <Skeleton className="h-96 rounded-base" />
  if (!isDraft) return <BatchRun batch={batch.data} onOpenCall={onOpenCall} />
  return <NewBatch draft={batch.data} list={list.data} parts={parts} />
}
