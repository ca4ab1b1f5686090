import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { useClearSearch } from '../../../lib/search.ts'
import { words } from '../../../words/index.ts'
import { toast } from '../../../ui/toast/toast.ts'
import { recordedBy, recordingQuery } from '../recording.ts'
import { useAnnounced } from '../useAnnounced.ts'
import { returnIn } from './return.ts'

/** After a payment: records and announces it, and clears the query, so that a reload does not repeat it. */
export function usePaymentReturn(): void {
  const search = useSearch({ strict: false })
  const [returned] = useState(() => returnIn(search))
  const clearSearch = useEffectEvent(useClearSearch())

  const intentId = returned?.kind === 'paid' ? returned.intentId : undefined
  const recording = useQuery({ ...recordingQuery(intentId ?? '', 'missed'), enabled: intentId !== undefined })
  const recorded =
    returned?.kind === 'paid' && intentId === undefined ? 'later' : recordedBy(recording.data, recording.error)
  useAnnounced(returned?.kind === 'paid' ? recorded : undefined, recording.data?.credits || (returned?.credits ?? 0))

  useEffect(() => {
    if (!returned) return
    const { payment } = words().credits
    if (returned.kind === 'refused') toast({ tone: 'error', title: payment.failedTitle, description: payment.failed })
    clearSearch()
  }, [returned])
}
