import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParam } from '../../lib/search.ts'
import { useWords } from '../../lib/words/index.ts'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { batchQuery, importQuery } from './api.ts'
import { BatchList } from './BatchList.tsx'
import { BatchRun } from './BatchRun.tsx'
import { NewBatch } from './NewBatch.tsx'
import type { PlanFields } from './plan.ts'
import type { ObjectivesProps } from './Script.tsx'

interface BatchCallsProps {
  readonly objectivesInput: (props: ObjectivesProps) => ReactNode
}

/** A new batch, or the one that the address names: a draft goes on being written, the others are watched. */
export function BatchCalls({ objectivesInput }: BatchCallsProps) {
  const { run } = useWords().batches
  const id = useSearchParam('batch')
  const [carried, setCarried] = useState<{ readonly batchId: string; readonly typed: PlanFields }>()
  const typed = carried?.batchId === id ? carried?.typed : undefined
  const shared = { objectivesInput, onImported: (batchId: string, fields: PlanFields) => setCarried({ batchId, typed: fields }) }
  const batch = useQuery({ ...batchQuery(id ?? ''), enabled: id !== undefined })
  const isDraft = batch.data?.status === 'draft'
  const list = useQuery({ ...importQuery(id ?? ''), enabled: isDraft })
  if (id === undefined)
    return (
      <>
        <NewBatch key="new" draft={undefined} list={undefined} typed={undefined} {...shared} />
        <BatchList />
      </>
    )
  const failed = [batch, list].find((query) => query.isError && !query.data)
  if (failed) return <ErrorState title={run.failedTitle} retrying={failed.isFetching} onRetry={() => void failed.refetch()} />
  if (!batch.data || (isDraft && !list.data)) return <Skeleton className="h-96 rounded-base" />
  if (!isDraft) return <BatchRun batch={batch.data} />
  return <NewBatch key={id} draft={batch.data} list={list.data} typed={typed} {...shared} />
}
