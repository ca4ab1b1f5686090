import { batchesRoutes } from '@parley/contract/page'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { request, sentenceOf } from '../../lib/server/http.ts'
import { keyOf } from '../../lib/server/queries.ts'
import { useSignedInUser } from '../../lib/server/session.ts'
import { forgetTyped } from '../../lib/typed.ts'
import { useWords } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { batchQuery, importQuery, missingQuery } from './api.ts'
import { typedFor } from './useDraft.ts'

/** Deletes a batch without running calls, after confirmation. */
export function DeleteBatch({ id }: { readonly id: string }) {
  const { run } = useWords().batches
  const [isAsked, setIsAsked] = useState(false)
  const deleting = useDelete(id)
  return (
    <>
      <Button variant="quiet" icon={<Trash2 className="size-4" aria-hidden="true" />} onClick={() => setIsAsked(true)}>
        {run.delete}
      </Button>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setIsAsked}
        title={run.deleteTitle}
        question={run.deleteQuestion}
        confirm={run.delete}
        pending={deleting.isPending}
        onConfirm={() => deleting.mutate()}
      />
    </>
  )
}

/** Goes back to the list and removes the batch from the cache. */
function useDelete(id: string) {
  const { batches, common } = useWords()
  const { id: userId } = useSignedInUser()
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async () => request(batchesRoutes.remove, { params: { id } }),
    onSuccess: async () => {
      toast({ tone: 'success', title: batches.run.deleted })
      // The list is not mounted beside an open batch; updating the cache keeps the deleted one from flashing.
      client.removeQueries({ queryKey: keyOf(batchesRoutes.list) })
      await navigate({ to: '.', search: { tab: 'batch' }, replace: true })
      forgetTyped(typedFor(userId, id))
      const ofIt = [
        batchQuery(id).queryKey,
        importQuery(id).queryKey,
        missingQuery(id).queryKey,
        keyOf(batchesRoutes.contacts, 'page', { id }),
      ]
      for (const queryKey of ofIt) client.removeQueries({ queryKey })
    },
    onError: (error) =>
      toast({ tone: 'error', title: common.error, description: sentenceOf(error, batches.run.actionFailed) }),
  })
}
