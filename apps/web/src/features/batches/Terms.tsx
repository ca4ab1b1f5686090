import { PERMISSIONS, RETRY_OUTCOMES } from '@parley/contract'
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form'
import { useWords } from '../../words/index.ts'
import { Card, CardTitle } from '../../ui/Card.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Input, Textarea } from '../../ui/form/Input.tsx'
import { optionsOf, Select } from '../../ui/form/Select.tsx'
import { Checkbox } from '../../ui/form/Switch.tsx'
import { isRetried, type PlanFields } from './plan.ts'

interface PartProps {
  readonly form: UseFormReturn<PlanFields>
}

/** The consent of the contacts, required before the start. */
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
            <Checkbox
              label={words.marketing}
              hint={words.marketingHint}
              checked={field.value}
              onCheckedChange={field.onChange}
            />
          )}
        />
        <Field label={words.permission} error={form.formState.errors.permission?.message}>
          <Controller
            control={form.control}
            name="permission"
            render={({ field }) => (
              <Select
                ref={field.ref}
                value={field.value}
                onValueChange={field.onChange}
                options={optionsOf(PERMISSIONS, words.permissions)}
                placeholder={words.permissionChoose}
              />
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

/** Not `type="number"`: that returns '' for invalid text, and '' has a meaning here. */
const WHOLE_NUMBER = { inputMode: 'numeric', autoComplete: 'off', className: 'tabular' } as const

interface PaceProps extends PartProps {
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}

/** Pacing and retries; most users keep the defaults. */
export function Pace({ form, open, onOpen }: PaceProps) {
  const words = useWords().batches.form
  const { attempts, callsPerMinute, liveCalls } = form.formState.errors
  return (
    <details
      open={open}
      onToggle={({ currentTarget }) => onOpen(currentTarget.open)}
      className="rounded-base border border-line bg-surface px-5 py-4 shadow-soft sm:px-6"
    >
      <summary className="cursor-pointer font-semibold">{words.pace}</summary>
      <div className="mt-4 grid gap-5 sm:grid-cols-3">
        <Field label={words.attempts} hint={words.attemptsHint} error={attempts?.message}>
          <Input {...WHOLE_NUMBER} {...form.register('attempts')} />
        </Field>
        <Field label={words.callsPerMinute} error={callsPerMinute?.message}>
          <Input {...WHOLE_NUMBER} {...form.register('callsPerMinute')} />
        </Field>
        <Field label={words.liveCalls} hint={words.liveCallsHint} error={liveCalls?.message} optional>
          <Input {...WHOLE_NUMBER} {...form.register('liveCalls')} />
        </Field>
      </div>
      <Waits form={form} />
    </details>
  )
}

/** The delay after each outcome. Only with more than one call per contact. */
function Waits({ form }: PartProps) {
  const words = useWords().batches.form
  const attempts = useWatch({ control: form.control, name: 'attempts' })
  const { waits } = form.formState.errors
  if (!isRetried({ attempts })) return null
  return (
    <fieldset className="mt-5">
      <legend className="font-medium">{words.waits}</legend>
      <p className="mt-1 mb-3 text-sm text-muted">{words.waitsHint}</p>
      <div className="grid grid-cols-2 gap-5 sm:grid-cols-4">
        {RETRY_OUTCOMES.map((outcome) => (
          <Field key={outcome} label={words.outcomes[outcome]} error={waits?.[outcome]?.message}>
            <Input {...WHOLE_NUMBER} {...form.register(`waits.${outcome}`)} />
          </Field>
        ))}
      </div>
    </fieldset>
  )
}

/** Start now, or at a time. */
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
