import { batchDescription, type Batch } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { codeOf, sentenceOf } from '../../lib/http.ts'
import { useWords } from '../../lib/words/index.ts'
import { toast } from '../../ui/toast.ts'
import { missingQuery, useChangeBatch } from './api.ts'
import { consentOf, planOf, type PlanFields } from './plan.ts'

const SAVE_AFTER_MS = 600

/** Keeps the draft as the form has it, so that its estimate and its missing variables are those of what is typed. */
export function useSavedDraft(draft: Batch | undefined, form: UseFormReturn<PlanFields>): void {
  const id = draft?.id
  const { mutateAsync: change } = useChangeBatch(id ?? '')
  useEffect(() => {
    if (id === undefined) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const save = () => {
      clearTimeout(timer)
      // What cannot be saved now is sent again with the start, which says what is wrong.
      timer = setTimeout(() => void change({ plan: planOf(form.getValues()) }).catch(() => undefined), SAVE_AFTER_MS)
    }
    if (form.getValues('purpose') !== '') save()
    const unsubscribe = form.subscribe({ formState: { values: true }, callback: save })
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [id, form, change])
}

/** Sends the last of the form and starts the batch, now or at its time. */
export function useStart(id: string, contacts: number, onStarted: () => void) {
  const { batches, common } = useWords()
  const words = batches.form
  const client = useQueryClient()
  const { mutateAsync: change, isPending } = useChangeBatch(id)
  const start = async (fields: PlanFields) => {
    const { dropIncomplete } = fields
    try {
      await change({ plan: planOf(fields), consent: consentOf(fields), description: batchDescription(contacts) })
      if (fields.when === 'now') await change({ action: 'start', dropIncomplete })
      else await change({ action: 'schedule', at: new Date(fields.at).toISOString(), dropIncomplete })
      toast({ tone: 'success', title: fields.when === 'now' ? words.started : words.scheduled })
      onStarted()
    } catch (error) {
      const isIncomplete = codeOf(error) === 'variables_missing'
      if (isIncomplete) await client.invalidateQueries({ queryKey: missingQuery(id).queryKey })
      toast({ tone: 'error', title: common.error, description: isIncomplete ? words.missingRefused : sentenceOf(error, words.failed) })
    }
  }
  return { start, isPending }
}
