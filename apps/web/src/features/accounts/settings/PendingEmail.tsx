import type { User } from '@parley/contract'
import { confirmationsRoutes as routes } from '@parley/contract/page'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { request, sentenceOf } from '../../../lib/server/http.ts'
import { changeUser } from '../../../lib/server/session.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { toast } from '../../../ui/toast/toast.ts'

/** A new address pending confirmation; until then the current one stays. */
export function PendingEmail({ user, pendingEmail }: { readonly user: User; readonly pendingEmail: string }) {
  const { common, settings } = useWords()
  const { pendingEmail: words } = settings
  const client = useQueryClient()
  const params = { id: user.id }
  const onError = (error: unknown) =>
    toast({ tone: 'error', title: common.error, description: sentenceOf(error, words.failed) })
  const resending = useMutation({
    mutationFn: () => request(routes.resendEmailChange, { params }),
    onSuccess: (changed) => {
      changeUser(client, changed)
      toast({ tone: 'success', title: words.resentTitle, description: words.resent(pendingEmail) })
    },
    onError,
  })
  const canceling = useMutation({
    mutationFn: () => request(routes.cancelEmailChange, { params }),
    onSuccess: (changed) => {
      changeUser(client, changed)
      toast({ title: words.canceled })
    },
    onError,
  })
  const isBusy = resending.isPending || canceling.isPending
  return (
    <Notice tone="info" className="mb-5">
      <p className="wrap-anywhere">{words.waiting(pendingEmail, user.email)}</p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button
          variant="secondary"
          size="small"
          pending={resending.isPending}
          disabled={isBusy}
          onClick={() => resending.mutate()}
        >
          {words.resend}
        </Button>
        <Button
          variant="quiet"
          size="small"
          pending={canceling.isPending}
          disabled={isBusy}
          onClick={() => canceling.mutate()}
        >
          {words.cancel}
        </Button>
      </div>
    </Notice>
  )
}
