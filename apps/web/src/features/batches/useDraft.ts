import { batchDescription, type Batch } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm, type UseFormReturn } from 'react-hook-form'
import { codeOf, sentenceOf } from '../../lib/server/http.ts'
import { useSignedInUser } from '../../lib/server/session.ts'
import { forgetTyped, keepTyped, recallTyped, storeTyped } from '../../lib/typed.ts'
import { useWords } from '../../words/index.ts'
import { toast } from '../../ui/toast/toast.ts'
import { batchQuery, missingQuery, useChangeBatch } from './api.ts'
import { changeOf, consentOf, fieldsOf, planOf, type PlanFields, type Saved, unsavedOf } from './plan.ts'

const SAVE_AFTER_MS = 600

/** The storage name of a batch's typed values; without a batch, of the next one. */
export function typedFor(userId: string, batchId = 'new'): string {
  return `${userId}.batch.${batchId}`
}

/** The fields of a batch: its draft's values, overwritten by typed and unsaved ones. */
export function useDraftForm(draft: Batch | undefined): UseFormReturn<PlanFields> {
  const { id: userId } = useSignedInUser()
  const place = typedFor(userId, draft?.id)
  const [first] = useState(() => ({ ...fieldsOf(draft?.plan, draft?.consent), ...recallTyped<PlanFields>(place) }))
  const form = useForm<PlanFields>({ defaultValues: first })
  useSaved(draft?.id, form, place)
  return form
}

/** Saves the form into the draft as it changes, so that estimate and missing variables are current. */
function useSaved(id: string | undefined, form: UseFormReturn<PlanFields>, place: string): void {
  const client = useQueryClient()
  const { mutateAsync: change } = useChangeBatch(id ?? '')
  useEffect(() => {
    // The form unmounts with its values; the last save reads them from here.
    let typed = structuredClone(form.getValues())
    let timer: ReturnType<typeof setTimeout> | undefined
    let saving = Promise.resolve()
    // The values that form and draft last agreed on: changes from elsewhere must not be reverted.
    let agreed: Saved | undefined = id === undefined ? undefined : client.getQueryData(batchQuery(id).queryKey)
    const keep = (fields: Partial<PlanFields>) => {
      const unsaved = unsavedOf(fields, agreed)
      if (Object.keys(unsaved).length > 0) keepTyped(place, unsaved)
      else forgetTyped(place)
    }
    const saveNow = async () => {
      const wanted = agreed && changeOf(typed, agreed)
      // The start sent everything, including unsaved values.
      const isStarted = id !== undefined && client.getQueryData(batchQuery(id).queryKey)?.status !== 'draft'
      if (!agreed || !wanted || isStarted) return
      await change(wanted)
      agreed = { plan: { ...agreed.plan, ...wanted.plan }, consent: wanted.consent ?? agreed.consent }
      keep(recallTyped<PlanFields>(place) ?? {})
    }
    const save = () => {
      clearTimeout(timer)
      // The next change is computed when the previous save has ended. A refused change is sent again with the start,
      // which reports why.
      saving = saving.then(saveNow).catch(() => undefined)
    }
    const saveSoon = () => {
      clearTimeout(timer)
      timer = setTimeout(save, SAVE_AFTER_MS)
    }
    const onValues = ({ values }: { values: PlanFields }) => {
      typed = structuredClone(values)
      keep(typed)
      saveSoon()
    }
    const onPageHide = ({ persisted }: PageTransitionEvent) => {
      save()
      if (!persisted) storeTyped(place)
    }
    saveSoon()
    const unsubscribe = form.subscribe({ formState: { values: true }, callback: onValues })
    addEventListener('pagehide', onPageHide)
    return () => {
      unsubscribe()
      removeEventListener('pagehide', onPageHide)
      save()
    }
  }, [id, form, place, client, change])
}

/** Saves the last changes and starts or schedules the batch. */
export function useStart(id: string, contacts: number, onStarted: () => void) {
  const { batches, common } = useWords()
  const words = batches.form
  const client = useQueryClient()
  const { id: userId } = useSignedInUser()
  const { mutateAsync: change, isPending } = useChangeBatch(id)
  const start = async (fields: PlanFields) => {
    const { dropIncomplete } = fields
    const consent = consentOf(fields)
    try {
      await change({ plan: planOf(fields), ...(consent && { consent }), description: batchDescription(contacts) })
      if (fields.when === 'now') await change({ action: 'start', dropIncomplete })
      else await change({ action: 'schedule', at: new Date(fields.at).toISOString(), dropIncomplete })
      forgetTyped(typedFor(userId, id))
      toast({ tone: 'success', title: fields.when === 'now' ? words.started : words.scheduled })
      onStarted()
    } catch (error) {
      const isIncomplete = codeOf(error) === 'variables_missing'
      if (isIncomplete) await client.invalidateQueries({ queryKey: missingQuery(id).queryKey })
      toast({
        tone: 'error',
        title: common.error,
        description: isIncomplete ? words.missingRefused : sentenceOf(error, words.failed),
      })
    }
  }
  return { start, isPending }
}
