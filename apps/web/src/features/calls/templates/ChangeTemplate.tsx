import { CALL_TEMPLATE_NAME_MAX, type CallTemplate } from '@parley/contract'
import { templatesRoutes } from '@parley/contract/page'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { onSubmitTexts } from '../../../lib/form.ts'
import { request, sentenceOf } from '../../../lib/server/http.ts'
import { keyOf } from '../../../lib/server/queries.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/form/Field.tsx'
import { Input } from '../../../ui/form/Input.tsx'
import { toast } from '../../../ui/toast/toast.ts'

export interface TemplateChange {
  readonly template: CallTemplate
  readonly as: 'rename' | 'delete'
}

interface ChangeTemplateProps {
  readonly change: TemplateChange
  readonly onClose: () => void
}

export function ChangeTemplate({ change: { template, as }, onClose }: ChangeTemplateProps) {
  return as === 'rename' ? (
    <Rename template={template} onClose={onClose} />
  ) : (
    <Delete template={template} onClose={onClose} />
  )
}

interface OneProps {
  readonly template: CallTemplate
  readonly onClose: () => void
}

function Rename({ template, onClose }: OneProps) {
  const { common, templates } = useWords()
  const params = { id: template.id }
  const toasts = useResultToasts(templates.renamed, templates.renameFailed)
  const renaming = useMutation({
    mutationFn: async (name: string) => request(templatesRoutes.rename, { params, body: { name } }),
    ...toasts,
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={templates.renameTitle}>
      <form onSubmit={onSubmitTexts(['name'], ({ name }) => renaming.mutate(name.trim(), { onSuccess: onClose }))}>
        <Field label={templates.name}>
          <Input
            name="name"
            required
            maxLength={CALL_TEMPLATE_NAME_MAX}
            autoComplete="off"
            defaultValue={template.name}
          />
        </Field>
        <div className="mt-5 flex justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" pending={renaming.isPending}>
            {common.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Delete({ template, onClose }: OneProps) {
  const { common, templates } = useWords()
  const toasts = useResultToasts(templates.deleted, templates.deleteFailed)
  const deleting = useMutation({
    mutationFn: async () => request(templatesRoutes.remove, { params: { id: template.id } }),
    ...toasts,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={templates.deleteTitle}
      question={templates.deleteQuestion(template.name)}
      confirm={common.delete}
      pending={deleting.isPending}
      onConfirm={() => deleting.mutate(undefined, { onSuccess: onClose })}
    />
  )
}

/** The toasts of a change. The list is refetched without keeping the dialog open. */
function useResultToasts(done: string, failed: string) {
  const { common } = useWords()
  const client = useQueryClient()
  return {
    onSuccess: () => {
      toast({ tone: 'success', title: done })
      void client.invalidateQueries({ queryKey: keyOf(templatesRoutes.list) })
    },
    onError: (error: Error) => toast({ tone: 'error', title: common.error, description: sentenceOf(error, failed) }),
  }
}
