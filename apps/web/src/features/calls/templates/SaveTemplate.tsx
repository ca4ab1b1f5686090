import { CALL_TEMPLATE_NAME_MAX } from '@parley/contract'
import { templatesRoutes } from '@parley/contract/page'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { onSubmitTexts } from '../../../lib/form.ts'
import { HttpError, request, sentenceOf } from '../../../lib/server/http.ts'
import { keyOf } from '../../../lib/server/queries.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/form/Field.tsx'
import { Input } from '../../../ui/form/Input.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import type { Manner } from '../placing/callForm.ts'

interface SaveTemplateProps {
  readonly manner: Manner
  readonly onClose: () => void
}

/** Asks for a name and saves the template. Must not be inside another form, whose submit it would trigger. */
export function SaveTemplate({ manner, onClose }: SaveTemplateProps) {
  const { common, templates } = useWords()
  const { id: userId } = useSignedInUser()
  const client = useQueryClient()
  const [unnamed, setUnnamed] = useState(false)
  const saving = useMutation({
    mutationFn: async (name: string) =>
      request(templatesRoutes.save, { body: { userId, name, ...manner, objectives: [...manner.objectives] } }),
    onSuccess: () => {
      toast({ tone: 'success', title: templates.saved })
      void client.invalidateQueries({ queryKey: keyOf(templatesRoutes.list) })
    },
    onError: (error) => {
      if (refusalOf(error) === undefined)
        toast({ tone: 'error', title: common.error, description: templates.saveFailed })
    },
  })
  const submit = ({ name }: { readonly name: string }) => {
    setUnnamed(name.trim() === '')
    if (name.trim() !== '') saving.mutate(name.trim(), { onSuccess: onClose })
  }
  const problem = unnamed ? templates.nameRequired : refusalOf(saving.error)
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={templates.saveTitle} lead={templates.saveLead}>
      <form noValidate onSubmit={onSubmitTexts(['name'], submit)}>
        <Field label={templates.name} error={problem}>
          <Input
            name="name"
            required
            maxLength={CALL_TEMPLATE_NAME_MAX}
            autoComplete="off"
            defaultValue={suggestedName(manner.purpose)}
          />
        </Field>
        <div className="mt-5 flex justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" pending={saving.isPending}>
            {common.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The server's message, if it is about the name. */
function refusalOf(error: Error | null): string | undefined {
  return error instanceof HttpError && error.status < 500 ? sentenceOf(error, error.message) : undefined
}

const NAME_WORDS = 6

/** The first words of the purpose. */
export function suggestedName(purpose: string): string {
  const [sentence = ''] = purpose.trim().split(/[.!?\n]/)
  return sentence
    .split(/\s+/)
    .slice(0, NAME_WORDS)
    .join(' ')
    .replace(/[,;:]$/, '')
    .slice(0, CALL_TEMPLATE_NAME_MAX)
}
