import type { Batch, BatchImport } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import { Controller, useForm, useWatch, type UseFormReturn } from 'react-hook-form'
import { count } from '../../lib/format.ts'
import { useWords } from '../../lib/words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Checkbox } from '../../ui/Switch.tsx'
import { toast } from '../../ui/toast.ts'
import { missingQuery } from './api.ts'
import { ContactFile } from './ContactFile.tsx'
import { Estimate } from './Estimate.tsx'
import { fieldsOf, isTooLate, type PlanFields } from './plan.ts'
import { Script, type ObjectivesProps } from './Script.tsx'
import { Consent, Pace, When } from './Terms.tsx'
import { useSavedDraft, useStart } from './useDraft.ts'

interface NewBatchProps {
  readonly draft: Batch | undefined
  readonly list: BatchImport | undefined
  /** What was typed before there was this draft. */
  readonly typed: PlanFields | undefined
  /** A file has become a draft, to which belongs what stands in the form. */
  readonly onImported: (batchId: string, typed: PlanFields) => void
  readonly objectivesInput: (props: ObjectivesProps) => ReactNode
}

/** Who to call, what to say, under which terms, when: and the button that starts it. */
export function NewBatch({ draft, list, typed, onImported, objectivesInput }: NewBatchProps) {
  const { batches, common } = useWords()
  const words = batches.form
  const navigate = useNavigate()
  const form = useForm<PlanFields>({ defaultValues: typed ?? fieldsOf(draft?.plan, draft?.consent) })
  useSavedDraft(draft, form)
  const open = (batch: string) => void navigate({ to: '.', search: { tab: 'batch', batch } })
  const contacts = list?.contacts ?? 0
  const { start, isPending } = useStart(list?.batchId ?? '', contacts, () => open(list?.batchId ?? ''))
  const when = useWatch({ control: form.control, name: 'when' })
  const submit = (fields: PlanFields) => {
    if (isTooLate(fields)) return form.setError('at', { message: words.timeWrong }, { shouldFocus: true })
    if (fields.purpose.trim() !== '' && contacts > 0) return start(fields)
    toast({ tone: 'error', title: common.error, description: words.required })
    return form.setError('purpose', { message: words.required }, { shouldFocus: true })
  }
  const label = when === 'now' ? words.start : words.schedule
  return (
    <form noValidate onSubmit={form.handleSubmit(submit)} className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid grid-cols-1 gap-6">
        <ContactFile
          list={list}
          onImported={(batch) => {
            onImported(batch, form.getValues())
            open(batch)
          }}
        />
        <Script form={form} columns={list?.columns ?? []} objectivesInput={objectivesInput} />
        <Consent form={form} />
        <Pace form={form} />
      </div>
      <div className="grid grid-cols-1 gap-5 rounded-base border border-line bg-surface p-5 shadow-soft xl:sticky xl:top-6">
        <When form={form} />
        {draft && <Estimate estimate={draft.estimate} />}
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
      </div>
    </form>
  )
}

/** Variables that some rows have no value for, seen before anybody is called with a gap in the sentence. */
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
        render={({ field }) => <Checkbox label={words.dropIncomplete} checked={field.value} onCheckedChange={field.onChange} />}
      />
    </Notice>
  )
}
