import type { CallDetails } from '@parley/contract'
import { reportsRoutes } from '@parley/contract/page'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { request } from '../../../lib/server/http.ts'
import { keyOf } from '../../../lib/server/queries.ts'
import { Button } from '../../../ui/Button.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { useWords } from '../../../words/index.ts'
import { callQuery } from '../api.ts'
import { Summary } from '../Outcome.tsx'

/** The summary of an ended call, and a button that has it written anew. */
export function SummaryTab({ call }: { readonly call: CallDetails }) {
  const { common, calls } = useWords()
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => request(reportsRoutes.makeSummaries, { body: { callId: call.id } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: callQuery(call.id).queryKey })
      void client.invalidateQueries({ queryKey: keyOf(reportsRoutes.summaries) })
      toast({ tone: 'success', title: calls.outcome.summarisedAgain })
    },
    onError: () => toast({ tone: 'error', title: common.error, description: calls.outcome.summariseFailed }),
  })
  return (
    <div className="grid justify-items-start gap-4">
      <Summary call={call} />
      <Button
        variant="secondary"
        size="small"
        icon={<RefreshCw className="size-4" aria-hidden="true" />}
        pending={isPending}
        onClick={() => mutate()}
      >
        {calls.outcome.summariseAgain}
      </Button>
    </div>
  )
}
