import { minutesWithRoom, SETTINGS_DEFAULTS, type Tone } from '@parley/contract'
import { accountsRoutes } from '@parley/contract/page'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useForm, type UseFormReturn } from 'react-hook-form'
import { selectFirstBlank } from '../../../lib/blanks.ts'
import { read } from '../../../lib/server/queries.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { forgetTyped, keepTyped, recallTyped } from '../../../lib/typed.ts'
import { words } from '../../../words/index.ts'
import { toast } from '../../../ui/toast/toast.ts'
import { withoutValues } from '../vault/vaultFields.ts'
import { emptyFields, fieldsOf, isTyped, type Manner, type CallFields } from './callForm.ts'

export interface CallFormState {
  readonly form: UseFormReturn<CallFields>
  /** Fills the form from a template and selects the first placeholder. */
  readonly startFrom: (manner: Manner) => void
  readonly clear: () => void
  /** From the settings, regardless of the credits. */
  readonly usualMinutes: number
}

/**
 * The state of a call form, empty or prefilled. Typed values are kept under the form's name until the call is placed.
 */
export function useCallForm(name: string, defaultTone: Tone, begun: Partial<CallFields> = {}): CallFormState {
  const { id, creditBalance } = useSignedInUser()
  const { usualMinutes, ...blank } = useBlankFields(id, defaultTone, Number(creditBalance))
  const place = `${id}.${name}`
  const [first] = useState(() => ({ ...blank, ...begun, ...recallTyped<CallFields>(place) }))
  const form = useForm<CallFields>({ defaultValues: first })
  // Settings that load later replace values the user has not changed.
  const [isUnchosen] = useState(() => begun.tone === undefined && recallTyped(place) === undefined)
  const { tone, maxDurationMinutes } = blank
  const suggested = useRef(first.maxDurationMinutes)
  useEffect(() => {
    if (!isUnchosen) return
    if (form.getValues('tone') === first.tone) form.setValue('tone', tone)
    if (form.getValues('maxDurationMinutes') === suggested.current)
      form.setValue('maxDurationMinutes', maxDurationMinutes)
    suggested.current = maxDurationMinutes
  }, [form, first, isUnchosen, tone, maxDurationMinutes])
  useEffect(() => {
    const keep = (values: CallFields) =>
      isTyped(values) || values.callee.trim() !== ''
        ? keepTyped(place, { ...values, vault: withoutValues(values.vault) })
        : forgetTyped(place)
    return form.subscribe({ formState: { values: true }, callback: ({ values }) => keep(values) })
  }, [form, place])
  const put = (fields: CallFields) => form.reset(fields, { keepDefaultValues: true, keepFieldsRef: true })
  return {
    form,
    usualMinutes,
    startFrom(manner) {
      const before = form.getValues()
      put({ callee: before.callee, from: before.from, ...fieldsOf(manner), vault: before.vault })
      form.setFocus('purpose')
      selectFirstBlank(manner.purpose)
      const { common, templates } = words()
      if (isTyped(before)) toast({ title: templates.filled, action: { label: common.undo, onAct: () => put(before) } })
    },
    clear() {
      form.reset(blank)
      forgetTyped(place)
    },
  }
}

/** The initial values of the form: the user's settings, else the form's defaults. */
function useBlankFields(
  userId: string,
  formTone: Tone,
  credits: number,
): CallFields & { readonly usualMinutes: number } {
  const { data: settings } = useQuery(read(accountsRoutes.getSettings, { params: { id: userId } }))
  const blank = emptyFields(formTone)
  const { defaultTone, defaultMaxDurationMinutes: usualMinutes } = settings ?? SETTINGS_DEFAULTS
  const tone = defaultTone === SETTINGS_DEFAULTS.defaultTone ? formTone : defaultTone
  return { ...blank, tone, usualMinutes, maxDurationMinutes: String(minutesWithRoom(usualMinutes, credits)) }
}
