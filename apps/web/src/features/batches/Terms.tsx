import {
  BATCH_ATTEMPTS_MAX,
  BATCH_CALLS_PER_MINUTE_MAX,
  BATCH_LIVE_CALLS_MAX,
  PERMISSIONS,
  RETRY_OUTCOMES,
  RETRY_WAIT_MINUTES_MAX,
} from '@parley/contract'
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form'
import { useWords } from '../../lib/words/index.ts'
import { Card, CardTitle } from '../../ui/Card.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input, Textarea } from '../../ui/Input.tsx'
import { optionsOf, Select } from '../../ui/Select.tsx'
import { Checkbox } from '../../ui/Switch.tsx'
import type { PlanFields } from './plan.ts'

interface PartProps {
  readonly form: UseFormReturn<PlanFields>
}

/** What permission the contacts gave, asked before anybody is called. */
export function Consent({ form }: PartProps) {
  const words = useWords().batches.form
  const [marketing, permission] = useWatch({ control: form.control, name: ['marketing', 'permission'] })
  const needsDetails = marketing || permission === 'written' || permission === 'spoken'
  return (
    <Card aria-labelledby="batch-consent">
      <CardTitle id="batch-consent" title={words.consent} />
      <div className="grid grid-cols-1 gap-5">
        <Controller
          control={form.control}
          name="marketing"
          render={({ field }) => (
            <Checkbox label={words.marketing} hint={words.marketingHint} checked={field.value} onCheckedChange={field.onChange} />
          )}
        />
        <Field label={words.permission}>
          <Controller
            control={form.control}
            name="permission"
            render={({ field }) => (
              <Select value={field.value} onValueChange={field.onChange} options={optionsOf(PERMISSIONS, words.permissions)} />
            )}
          />
        </Field>
        {needsDetails && (
          <Field label={words.details} hint={words.detailsHint} error={form.formState.errors.details?.message}>
            <Textarea rows={2} maxLength={2000} {...form.register('details')} />
          </Field>
        )}
      </div>
    </Card>
  )
}

/** How fast, and how often. Most leave this as it is. */
export function Pace({ form }: PartProps) {
  const words = useWords().batches.form
  return (
    <details className="rounded-base border border-line bg-surface px-5 py-4 shadow-soft sm:px-6">
      <summary className="cursor-pointer font-semibold">{words.pace}</summary>
      <div className="mt-4 grid gap-5 sm:grid-cols-3">
        <Field label={words.attempts} hint={words.attemptsHint}>
          <Input type="number" inputMode="numeric" min={1} max={BATCH_ATTEMPTS_MAX} {...form.register('attempts')} className="tabular" />
        </Field>
        <Field label={words.callsPerMinute}>
          <Input
            type="number"
            inputMode="numeric"
            min={1}
            max={BATCH_CALLS_PER_MINUTE_MAX}
            {...form.register('callsPerMinute')}
            className="tabular"
          />
        </Field>
        <Field label={words.liveCalls} hint={words.liveCallsHint} optional>
          <Input type="number" inputMode="numeric" min={1} max={BATCH_LIVE_CALLS_MAX} {...form.register('liveCalls')} className="tabular" />
        </Field>
      </div>
      <Waits form={form} />
    </details>
  )
}

/** Which outcomes are tried again, and when. Only where there is a second call to make. */
function Waits({ form }: PartProps) {
  const words = useWords().batches.form
  const attempts = useWatch({ control: form.control, name: 'attempts' })
  if (!(Number(attempts) > 1)) return null
  return (
    <fieldset className="mt-5">
      <legend className="font-medium">{words.waits}</legend>
      <p className="mt-1 mb-3 text-sm text-muted">{words.waitsHint}</p>
      <div className="grid grid-cols-2 gap-5 sm:grid-cols-4">
        {RETRY_OUTCOMES.map((outcome) => (
          <Field key={outcome} label={words.outcomes[outcome]}>
            <Input
              type="number"
              inputMode="numeric"
              min={1}
              max={RETRY_WAIT_MINUTES_MAX}
              {...form.register(`waits.${outcome}`)}
              className="tabular"
            />
          </Field>
        ))}
      </div>
    </fieldset>
  )
}

/** Now, or at a time. */
export function When({ form }: PartProps) {
  const words = useWords().batches.form
  const when = useWatch({ control: form.control, name: 'when' })
  return (
    <fieldset className="grid grid-cols-1 gap-3">
      <legend className="mb-2 font-semibold">{words.when}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {(['now', 'later'] as const).map((each) => (
          <label key={each} className="flex min-h-9 items-center gap-2">
            <input type="radio" value={each} {...form.register('when')} className="size-5 accent-brand" />
            {each === 'now' ? words.now : words.later}
          </label>
        ))}
      </div>
      {when === 'later' && (
        <Field label={words.at} error={form.formState.errors.at?.message} className="max-w-64">
          <Input type="datetime-local" {...form.register('at')} />
        </Field>
      )}
    </fieldset>
  )
}
