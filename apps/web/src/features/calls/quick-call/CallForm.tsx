import { CALL_LANGUAGES, CALL_MINUTES_MAX, CALL_MINUTES_MIN, TONES, type Tone } from '@parley/contract'
import { Phone } from 'lucide-react'
import { Controller, useForm, type UseFormReturn } from 'react-hook-form'
import { HttpError } from '../../../lib/http.ts'
import { useWords } from '../../../lib/words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Input, Textarea } from '../../../ui/Input.tsx'
import { optionsOf, Select } from '../../../ui/Select.tsx'
import { toast } from '../../../ui/toast.ts'
import { checkOrder, emptyFields, type OrderField, type OrderFields } from '../placing/order.ts'
import { usePlaceCall } from '../placing/usePlaceCall.tsx'
import { ObjectivesInput } from './ObjectivesInput.tsx'

interface CallFormProps {
  readonly tones?: readonly Tone[]
  readonly defaultTone: Tone
  /** Stands in the number's field from the start. */
  readonly callee?: string
}

/** Everything a call needs, and the button that places it. */
export function CallForm({ tones = TONES, defaultTone, callee = '' }: CallFormProps) {
  const { common, calls } = useWords()
  const words = calls.form
  const form = useForm<OrderFields>({ defaultValues: { ...emptyFields(defaultTone), callee } })
  const { place, pending, refusal, hasCredits, confirmation } = usePlaceCall(() => form.reset())

  const submit = (fields: OrderFields) => {
    const checked = checkOrder(fields)
    if ('order' in checked) return place(checked.order)
    toast({ tone: 'error', title: common.error, description: checked.problem })
    for (const name of checked.fields) form.setError(name, { message: checked.problem }, { shouldFocus: name === checked.fields[0] })
  }
  const { errors } = form.formState
  const errorOf = (name: OrderField) => errors[name]?.message ?? refusalAt(name, refusal)

  return (
    <form noValidate onSubmit={form.handleSubmit(submit)}>
      <div className="grid gap-5">
        <Field label={words.phone} hint={words.phoneHint} error={errorOf('callee')}>
          <Input
            type="tel"
            inputMode="tel"
            autoComplete="off"
            required
            placeholder={words.phonePlaceholder}
            {...form.register('callee')}
            className="tabular"
          />
        </Field>
        <Field label={words.purpose} error={errorOf('purpose')}>
          <Textarea required maxLength={2000} placeholder={words.purposePlaceholder} {...form.register('purpose')} />
        </Field>
        <Controller
          control={form.control}
          name="objectives"
          render={({ field: objectives }) => (
            <Controller
              control={form.control}
              name="nextObjective"
              render={({ field: typed }) => (
                <Field label={words.objectives} hint={words.objectivesHint} error={errorOf('objectives')} optional>
                  <ObjectivesInput
                    objectives={objectives.value}
                    onObjectives={objectives.onChange}
                    typed={typed.value}
                    onTyped={typed.onChange}
                  />
                </Field>
              )}
            />
          )}
        />
        <Manner form={form} tones={tones} errorOf={errorOf} />
        <Field label={words.context} hint={words.contextHint} error={errorOf('context')} optional>
          <Textarea
            rows={2}
            spellCheck={false}
            placeholder={words.contextPlaceholder}
            {...form.register('context')}
            className="font-mono text-sm"
          />
        </Field>
      </div>
      <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-3">
        <Button
          type="submit"
          size="large"
          className="max-sm:w-full"
          disabled={!hasCredits}
          pending={pending !== undefined}
          icon={<Phone className="size-5" aria-hidden="true" />}
        >
          {pending ? words.starting : hasCredits ? words.start : words.addCredits}
        </Button>
        {!hasCredits && <p className="text-sm text-danger">{words.noCredits}</p>}
      </div>
      {confirmation}
    </form>
  )
}

/** The server's complaint, at the field it is about. The question about the hour is asked in a dialog instead. */
function refusalAt(name: OrderField, refusal: Error | null): string | undefined {
  const isAboutIt = refusal instanceof HttpError && refusal.field === name && refusal.code !== 'outside_calling_hours'
  return isAboutIt ? refusal.sentence : undefined
}

interface MannerProps {
  readonly form: UseFormReturn<OrderFields>
  readonly tones: readonly Tone[]
  readonly errorOf: (name: OrderField) => string | undefined
}

/** How the call should sound, and for how long. */
function Manner({ form, tones, errorOf }: MannerProps) {
  const { calls } = useWords()
  const words = calls.form
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label={words.tone} error={errorOf('tone')}>
        <Controller
          control={form.control}
          name="tone"
          render={({ field }) => <Select value={field.value} onValueChange={field.onChange} options={optionsOf(tones, calls.tones)} />}
        />
      </Field>
      <Field label={words.minutes} error={errorOf('maxDurationMinutes')}>
        <Input
          type="number"
          inputMode="numeric"
          min={CALL_MINUTES_MIN}
          max={CALL_MINUTES_MAX}
          step={1}
          {...form.register('maxDurationMinutes')}
          className="tabular"
        />
      </Field>
      <Field label={words.language} error={errorOf('language')} className="sm:col-span-2">
        <Controller
          control={form.control}
          name="language"
          render={({ field }) => (
            <Select value={field.value} onValueChange={field.onChange} options={optionsOf(CALL_LANGUAGES, calls.languages)} />
          )}
        />
      </Field>
    </div>
  )
}
