import { accountsRoutes } from '@parley/contract/page'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { codeOf, request, sentenceOf } from '../../../lib/server/http.ts'
import { signOut } from '../../../lib/server/session.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { toast } from '../../../ui/toast/toast.ts'

export function DangerZone({ userId }: { readonly userId: string }) {
  const { common, settings } = useWords()
  const { danger } = settings
  const [isAsking, setAsking] = useState(false)
  const deleting = useMutation({
    mutationFn: () => request(accountsRoutes.deleteUser, { params: { id: userId } }),
    onSuccess: signOut,
    onError: (error) => {
      setAsking(false)
      // The operator may have switched self-service deletion off.
      if (codeOf(error) === 'switched_off') toast({ title: danger.offTitle, description: danger.off })
      else toast({ tone: 'error', title: common.error, description: sentenceOf(error, danger.failed) })
    },
  })
  return (
    <section aria-label={danger.title} className="mt-8 rounded-base border border-danger/40 p-5">
      <h3 className="font-semibold text-danger">{danger.title}</h3>
      <p className="mt-1 mb-4 text-sm text-muted">{danger.lead}</p>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {danger.delete}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={danger.delete}
        question={danger.question}
        confirm={danger.delete}
        pending={deleting.isPending || deleting.isSuccess}
        onConfirm={() => deleting.mutate()}
      />
    </section>
  )
}
