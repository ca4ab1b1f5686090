import { CALL_LANGUAGES, CALL_MINUTES_MAX, CALL_MINUTES_MIN, minutesWithRoom, TONES, type Tone } from '@parley/contract'
import { Phone } from 'lucide-react'
import { lazy, Suspense, useEffect, useId, type ComponentType, type ReactNode } from 'react'
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form'
import { platform } from '../../../lib/platform/index.ts'
import { HttpError } from '../../../lib/server/http.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/form/Field.tsx'
import { Input, Textarea } from '../../../ui/form/Input.tsx'
import { optionsOf, Select } from '../../../ui/form/Select.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import {
  checkManner,
  checkNewCall,
  type Manner as CallManner,
  type CallField,
  type CallFields,
} from '../placing/callForm.ts'
import type { CallFormState } from '../placing/useCallForm.ts'
import { usePlaceCall } from '../placing/usePlaceCall.tsx'
import { SaveAsTemplate } from '../templates/SaveAsTemplate.tsx'
import { CallerNumberField } from './CallerNumberField.tsx'
import { ObjectivesInput } from './ObjectivesInput.tsx'
import type { PrivateValuesProps, WithMandatesProps } from './WholeOrder.tsx'

const PickContact = lazy(() => import('../../../ui/form/PickContact.tsx'))

interface CallFormProps {
  readonly state: CallFormState
  readonly tones?: readonly Tone[]
  /** What Make Call has and Quick Call has not: its screen must not load it. */
  readonly parts?: {
    readonly WithMandates: ComponentType<WithMandatesProps>
    readonly PrivateValues: ComponentType<PrivateValuesProps>
  }
}

/** Fields that can be focused. */
const FIELDS = ['callee', 'from', 'purpose', 'maxDurationMinutes', 'context'] as const satisfies readonly CallField[]

/** The fields of a call and its start button. */
export function CallForm({ state: { form, clear, usualMinutes }, tones = TONES, parts }: CallFormProps) {
  const { calls } = useWords()
  const words = calls.form
  const id = useId()
  const { place, pending, refusal, lack, confirmation } = usePlaceCall(clear)
  const showError = useShowError(form)

  const submit = (fields: CallFields) => {
    const checked = checkNewCall(fields)
    if ('newCall' in checked) place(checked.newCall)
    else showError(checked)
  }
  const kept = (): CallManner | undefined => {
    const checked = checkManner(form.getValues())
    if ('manner' in checked) return checked.manner
    showError(checked)
    return undefined
  }
  // A server error focuses its field like a local one.
  const refusedField =
    refusal instanceof HttpError ? FIELDS.find((name) => refusalAt(name, refusal) !== undefined) : undefined
  useEffect(() => {
    if (refusedField) form.setFocus(refusedField)
  }, [form, refusedField, refusal])
  const { errors } = form.formState
  const errorOf = (name: CallField) => {
    const message = errors[name]?.message
    return typeof message === 'string' ? message : refusalAt(name, refusal)
  }

  return (
    <>
      <form id={id} noValidate onSubmit={form.handleSubmit(submit)}>
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
          {platform().pickContact && (
            <Suspense>
              <PickContact onPick={({ phone }) => form.setValue('callee', phone, { shouldValidate: true })} />
            </Suspense>
          )}
          <CallerNumberField form={form} error={errorOf('from')} />
          <Field label={words.purpose} error={errorOf('purpose')}>
            <Textarea required maxLength={2000} placeholder={words.purposePlaceholder} {...form.register('purpose')} />
          </Field>
          {parts ? (
            <parts.WithMandates form={form}>
              {(beneath) => <Aims form={form} error={errorOf('objectives')} beneath={beneath} />}
            </parts.WithMandates>
          ) : (
            <Aims form={form} error={errorOf('objectives')} />
          )}
          <Manner form={form} tones={tones} usualMinutes={usualMinutes} errorOf={errorOf} />
          <Field label={words.context} hint={words.contextHint} error={errorOf('context')} optional>
            <Textarea
              rows={2}
              spellCheck={false}
              placeholder={words.contextPlaceholder}
              {...form.register('context')}
              className="font-mono text-sm"
            />
          </Field>
          {parts && <parts.PrivateValues form={form} error={errorOf('vault')} />}
        </div>
      </form>
      {/* Outside the form: submitting the template dialog must not place the call. */}
      <div className="mt-6 flex flex-wrap items-center gap-x-3 gap-y-3">
        <Button
          type="submit"
          form={id}
          size="large"
          className="max-sm:w-full"
          disabled={lack !== undefined}
          pending={pending !== undefined}
          icon={<Phone className="size-5" aria-hidden="true" />}
        >
          {pending ? words.starting : lack === undefined ? words.start : words.addCredits}
        </Button>
        <SaveAsTemplate manner={kept} variant="quiet" size="large" className="max-sm:w-full" />
        {lack !== undefined && <p className="text-sm text-danger">{lack}</p>}
      </div>
      {confirmation}
    </>
  )
}

interface AimsProps {
  readonly form: UseFormReturn<CallFields>
  readonly error: string | undefined
  readonly beneath?: (objective: string) => ReactNode
}

function Aims({ form, error, beneath }: AimsProps) {
  const words = useWords().calls.form
  return (
    <Controller
      control={form.control}
      name="objectives"
      render={({ field: objectives }) => (
        <Controller
          control={form.control}
          name="nextObjective"
          render={({ field: typed }) => (
            <Field label={words.objectives} hint={words.objectivesHint} error={error} optional>
              <ObjectivesInput
                objectives={objectives.value}
                onObjectives={objectives.onChange}
                typed={typed.value}
                onTyped={typed.onChange}
                {...(beneath && { beneath })}
              />
            </Field>
          )}
        />
      )}
    />
  )
}

/** Reports errors: in one toast, and at each field. */
function useShowError(form: UseFormReturn<CallFields>) {
  const { common } = useWords()
  return ({ problem, fields }: { readonly problem: string; readonly fields: readonly CallField[] }) => {
    toast({ tone: 'error', title: common.error, description: problem })
    for (const name of fields) form.setError(name, { message: problem }, { shouldFocus: name === fields[0] })
  }
}

/** The server's message for a field. outside_calling_hours has a dialog instead. */
function refusalAt(name: CallField, refusal: Error | null): string | undefined {
  const isAboutIt = refusal instanceof HttpError && refusal.field === name && refusal.code !== 'outside_calling_hours'
  return isAboutIt ? refusal.sentence : undefined
}

interface MannerProps {
  readonly form: UseFormReturn<CallFields>
  readonly tones: readonly Tone[]
  readonly usualMinutes: number
  readonly errorOf: (name: CallField) => string | undefined
}

/** A hint on how the duration affects the credits. */
function useMinutesHint(form: UseFormReturn<CallFields>, usual: number): string | undefined {
  const words = useWords().calls.form
  const credits = Number(useSignedInUser().creditBalance)
  const minutes = Number(useWatch({ control: form.control, name: 'maxDurationMinutes' }))
  if (credits > 1 && minutes >= credits) return words.minutesTakeAll
  return minutes < usual && minutes === minutesWithRoom(usual, credits) ? words.minutesWithRoom(usual) : undefined
}

/** Tone, duration and language. */
function Manner({ form, tones, usualMinutes, errorOf }: MannerProps) {
  const { calls } = useWords()
  const words = calls.form
  const tone = useWatch({ control: form.control, name: 'tone' })
  const minutesHint = useMinutesHint(form, usualMinutes)
  // A template may have a tone that this form does not offer; the selected one is always listed.
  const offered = tones.includes(tone) ? tones : [...tones, tone]
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label={words.tone} error={errorOf('tone')}>
        <Controller
          control={form.control}
          name="tone"
          render={({ field }) => (
            <Select value={field.value} onValueChange={field.onChange} options={optionsOf(offered, calls.tones)} />
          )}
        />
      </Field>
      <Field label={words.minutes} hint={minutesHint} error={errorOf('maxDurationMinutes')}>
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
            <Select
              value={field.value}
              onValueChange={field.onChange}
              options={optionsOf(CALL_LANGUAGES, calls.languages)}
            />
          )}
        />
      </Field>
    </div>
  )
}
