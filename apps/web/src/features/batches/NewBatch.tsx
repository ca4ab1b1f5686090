import { type Batch, type BatchImport, secretIn } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Phone } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { Controller, useWatch, type FieldPath, type UseFormReturn } from 'react-hook-form'
import { blanksIn } from '../../lib/blanks.ts'
import { count } from '../../lib/format/format.ts'
import { useSignedInUser } from '../../lib/server/session.ts'
import { forgetTyped, keepTyped, recallTyped } from '../../lib/typed.ts'
import { useWords } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Checkbox } from '../../ui/form/Switch.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { missingQuery } from './api.ts'
import { ContactFile } from './ContactFile.tsx'
import { DeleteBatch } from './DeleteBatch.tsx'
import { Estimate } from './Estimate.tsx'
import { isTooLate, limitProblem, planOf, wrongNumbers, type PlanFields } from './plan.ts'
import { Script, type SharedParts } from './Script.tsx'
import { Consent, Pace, When } from './Terms.tsx'
import { typedFor, useDraftForm, useStart } from './useDraft.ts'

interface NewBatchProps {
  readonly draft: Batch | undefined
  readonly list: BatchImport | undefined
  readonly parts: SharedParts
}

interface Problem {
  readonly name: FieldPath<PlanFields>
  readonly message: string
}

/** The form of a batch: contacts, script, terms, time and start. */
export function NewBatch({ draft, list, parts }: NewBatchProps) {
  const { batches, common, templates } = useWords()
  const words = batches.form
  const navigate = useNavigate()
  const { id: userId } = useSignedInUser()
  const form = useDraftForm(draft)
  const [isPaceOpen, setIsPaceOpen] = useState(false)
  const open = (batch: string) => void navigate({ to: '.', search: { tab: 'batch', batch } })
  const contacts = list?.contacts ?? 0
  const { start, isPending } = useStart(list?.batchId ?? '', contacts, () => open(list?.batchId ?? ''))
  const when = useWatch({ control: form.control, name: 'when' })
  /** Reports all errors: the first in a toast, each at its field. */
  const showError = (...problems: readonly Problem[]) => {
    for (const [index, { name, message }] of problems.entries()) {
      if (index === 0) toast({ tone: 'error', title: common.error, description: message })
      form.setError(name, { message }, { shouldFocus: index === 0 })
    }
  }
  const submit = (fields: PlanFields) => {
    if (isTooLate(fields)) return form.setError('at', { message: words.timeWrong }, { shouldFocus: true })
    const isBlank = fields.purpose.trim() === '' || contacts === 0
    const blanks = blanksIn([fields.purpose, ...fields.objectives, fields.nextObjective])
    if (isBlank || blanks.length > 0) {
      const message = isBlank ? words.required : templates.blanks(blanks.join(', '))
      const name = isBlank || blanksIn([fields.purpose]).length > 0 ? 'purpose' : 'objectives'
      return showError({ name, message })
    }
    const secret = secretIn(planOf(fields))
    if (secret)
      return showError({
        name: secret.field === 'objectives' ? 'objectives' : 'purpose',
        message: templates.secret(secret),
      })
    const problem = limitProblem(fields)
    if (problem !== undefined) return showError({ name: 'objectives', message: problem })
    if (fields.permission === '') return showError({ name: 'permission', message: words.permissionMissing })
    const wrong = wrongNumbers(fields)
    if (wrong.length === 0) return start(fields)
    // A field in a collapsed section cannot be focused.
    if (wrong.some(({ name }) => name !== 'minutes')) flushSync(() => setIsPaceOpen(true))
    return showError(...wrong.map(({ name, most }) => ({ name, message: words.numberWrong(count(most)) })))
  }
  const label = when === 'now' ? words.start : words.schedule
  return (
    <form
      noValidate
      onSubmit={form.handleSubmit(submit)}
      className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]"
    >
      <div className="grid grid-cols-1 gap-6">
        <ContactFile
          list={list}
          onImported={(batch) => {
            // The typed values belong to the draft made from the file. A form left meanwhile has discarded them.
            const place = typedFor(userId, draft?.id)
            keepTyped(typedFor(userId, batch), { ...form.getValues(), ...recallTyped<PlanFields>(place) })
            if (!draft) forgetTyped(place)
            open(batch)
          }}
        />
        <Script form={form} columns={list?.columns ?? []} parts={parts} />
        <Consent form={form} />
        <Pace form={form} open={isPaceOpen} onOpen={setIsPaceOpen} />
      </div>
      <div className="grid grid-cols-1 gap-5 rounded-base border border-line bg-surface p-5 shadow-soft xl:sticky xl:top-6">
        <When form={form} />
        {draft && <Estimate estimate={draft.estimate} startsNow={when === 'now'} />}
        {draft && <Missing id={draft.id} form={form} />}
        <Button
          type="submit"
          size="large"
          disabled={contacts === 0}
          pending={isPending}
          icon={<Phone className="size-5" aria-hidden="true" />}
        >
          {isPending ? words.starting : label(contacts, count(contacts))}
        </Button>
        {draft && <DeleteBatch id={draft.id} />}
      </div>
    </form>
  )
}

/** Variables without a value in some rows, shown before the start. */
function Missing({ id, form }: { readonly id: string; readonly form: UseFormReturn<PlanFields> }) {
  const words = useWords().batches.form
  const { data: missing = [] } = useQuery(missingQuery(id))
  if (missing.length === 0) return null
  return (
    <Notice tone="info">
      <ul className="mb-3 grid gap-1 text-sm">
        {missing.map(({ variable, rows }) => (
          <li key={variable}>{words.missing(variable, rows, count(rows))}</li>
        ))}
      </ul>
      <Controller
        control={form.control}
        name="dropIncomplete"
        render={({ field }) => (
          <Checkbox label={words.dropIncomplete} checked={field.value} onCheckedChange={field.onChange} />
        )}
      />
    </Notice>
  )
}
