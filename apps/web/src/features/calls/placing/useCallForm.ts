import type { Tone } from '@parley/contract'
import { useForm, type UseFormReturn } from 'react-hook-form'
import { firstBlank } from '../templates/blanks.ts'
import { emptyFields, fieldsOf, type Manner, type OrderFields } from './order.ts'

export interface CallFormState {
  readonly form: UseFormReturn<OrderFields>
  /** Puts an order into the fields, and leads to the first thing that must be filled in. */
  readonly startFrom: (manner: Manner) => void
  readonly clear: () => void
}

/** The fields of a call, empty or begun. */
export function useCallForm(defaultTone: Tone, begun: Partial<OrderFields> = {}): CallFormState {
  const form = useForm<OrderFields>({ defaultValues: { ...emptyFields(defaultTone), ...begun } })
  return {
    form,
    startFrom(manner) {
      form.reset({ callee: form.getValues('callee'), ...fieldsOf(manner) }, { keepDefaultValues: true, keepFieldsRef: true })
      form.setFocus('purpose')
      const blank = firstBlank(manner.purpose)
      // The focus comes in a turn of its own; what is selected, after it.
      if (blank) setTimeout(() => selectInFocus(blank))
    },
    clear: () => form.reset(emptyFields(defaultTone)),
  }
}

function selectInFocus(range: readonly [number, number]): void {
  const field = document.activeElement
  if (field instanceof HTMLTextAreaElement) field.setSelectionRange(...range)
}
