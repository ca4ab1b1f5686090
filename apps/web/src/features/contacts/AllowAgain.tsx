import type { DoNotCallEntry } from '@parley/contract'
import { consentRoutes } from '@parley/contract/page'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { onSubmitTexts } from '../../lib/form.ts'
import { request, sentenceOf } from '../../lib/server/http.ts'
import { phoneText } from '../../lib/format/phone.ts'
import { keyOf } from '../../lib/server/queries.ts'
import { useSignedInUser } from '../../lib/server/session.ts'
import { useWords } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Textarea } from '../../ui/form/Input.tsx'
import { toast } from '../../ui/toast/toast.ts'

/** Removes a number from the do-not-call list. For a callee's opt-out the user states the permission given since. */
export function AllowAgain({ entry, onClose }: { readonly entry: DoNotCallEntry; readonly onClose: () => void }) {
  const { common, contacts } = useWords()
  const { dnc } = contacts
  const { id } = useSignedInUser()
  const client = useQueryClient()
  const removing = useMutation({
    mutationFn: async (permission: string) =>
      request(consentRoutes.remove, { params: { id, phone: entry.phone }, query: permission ? { permission } : {} }),
    onSuccess: () => {
      toast({ tone: 'success', title: dnc.removed })
      void client.invalidateQueries({ queryKey: keyOf(consentRoutes.list) })
    },
    onError: (error) => toast({ tone: 'error', title: common.error, description: sentenceOf(error, dnc.removeFailed) }),
  })
  const question = `${phoneText(entry.phone).number}. ${dnc.removeQuestion}`
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={dnc.removeTitle} lead={question}>
      <form
        onSubmit={onSubmitTexts(['permission'], ({ permission }) =>
          removing.mutate(permission.trim(), { onSuccess: onClose }),
        )}
      >
        {entry.source === 'callee' && (
          <Field label={dnc.permission} hint={dnc.permissionHint}>
            <Textarea name="permission" required maxLength={2000} />
          </Field>
        )}
        <div className="mt-5 flex justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" pending={removing.isPending}>
            {dnc.remove}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
