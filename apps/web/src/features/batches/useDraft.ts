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

/** Under which name what is typed for a list is kept; without a list, for the one that is to come. */
export function typedFor(userId: string, batchId = 'new'): string {
  return `${userId}.batch.${batchId}`
}

/** The fields of a list: as its draft has them, and over that what was typed since and is not saved yet. */
export function useDraftForm(draft: Batch | undefined): UseFormReturn<PlanFields> {
  const { id: userId } = useSignedInUser()
  const place = typedFor(userId, draft?.id)
  const [first] = useState(() => ({ ...fieldsOf(draft?.plan, draft?.consent), ...recallTyped<PlanFields>(place) }))
  const form = useForm<PlanFields>({ defaultValues: first })
  useSaved(draft?.id, form, place)
  return form
}

/** Keeps the draft as the form has it, so that its estimate and its missing variables are those of what is typed. */
function useSaved(id: string | undefined, form: UseFormReturn<PlanFields>, place: string): void {
  const client = useQueryClient()
  const { mutateAsync: change } = useChangeBatch(id ?? '')
  useEffect(() => {
    // The form forgets what stands in it as it goes; what is still to be saved then is read from here.
    let typed = structuredClone(form.getValues())
    let timer: ReturnType<typeof setTimeout> | undefined
    let saving = Promise.resolve()
    // What this form and its draft agreed on last: what others have changed since is not this form's to change back.
    let agreed: Saved | undefined = id === undefined ? undefined : client.getQueryData(batchQuery(id).queryKey)
    const keep = (fields: Partial<PlanFields>) => {
      const unsaved = unsavedOf(fields, agreed)
      if (Object.keys(unsaved).length > 0) keepTyped(place, unsaved)
      else forgetTyped(place)
    }
    const saveNow = async () => {
      const wanted = agreed && changeOf(typed, agreed)
      // The start has told everything, also what was not saved before.
      const isStarted = id !== undefined && client.getQueryData(batchQuery(id).queryKey)?.status !== 'draft'
      if (!agreed || !wanted || isStarted) return
      await change(wanted)
      agreed = { plan: { ...agreed.plan, ...wanted.plan }, consent: wanted.consent ?? agreed.consent }
      keep(recallTyped<PlanFields>(place) ?? {})
    }
    const save = () => {
      clearTimeout(timer)
      // What is new is known only when the save before has ended. What cannot be saved is sent with the start, which
      // says why.
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

/** Sends the last of the form and starts the batch, now or at its time. */
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
