import {
  CALL_LANGUAGES,
  CALL_MINUTES_MAX,
  CALL_MINUTES_MIN,
  type CallLanguage,
  TONES,
  variablesOf,
} from '@parley/contract'
import type { ReactNode } from 'react'
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form'
import { selectFirstBlank } from '../../lib/blanks.ts'
import type { MandatesTyped } from '../../lib/mandate/mandateFields.ts'
import { useWords } from '../../words/index.ts'
import { Card, CardTitle } from '../../ui/Card.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Input, Textarea } from '../../ui/form/Input.tsx'
import { optionsOf, Select } from '../../ui/form/Select.tsx'
import { type PlanFields, scriptFields, type ScriptTemplate } from './plan.ts'

interface ObjectivesProps {
  readonly objectives: readonly string[]
  readonly onObjectives: (objectives: string[]) => void
  readonly typed: string
  readonly onTyped: (typed: string) => void
  /** What may be agreed to, and what else it is read from. */
  readonly mandates: MandatesTyped
  readonly onMandates: (mandates: MandatesTyped) => void
  readonly purpose: string
  readonly language: CallLanguage
}

/** Parts of the single call's form, passed in by the screen that shows both. */
export interface SharedParts {
  readonly objectivesInput: (props: ObjectivesProps) => ReactNode
  readonly templatePicker: (onUse: (template: ScriptTemplate) => void) => ReactNode
}

interface ScriptProps {
  readonly form: UseFormReturn<PlanFields>
  readonly columns: readonly string[]
  readonly parts: SharedParts
}

const COLUMNS_SHOWN = 12

/** What every call is about, with columns of the file as variables. */
export function Script({ form, columns, parts }: ScriptProps) {
  const { batches, calls } = useWords()
  const words = batches.form
  const { purpose: wrongPurpose, objectives: wrongObjectives, minutes: wrongMinutes } = form.formState.errors
  const [typed, mandates, purpose, language] = useWatch({
    control: form.control,
    name: ['nextObjective', 'mandates', 'purpose', 'language'],
  })
  const insert = (column: string) => {
    if (variablesOf(purpose).includes(column)) return
    form.setValue('purpose', `${purpose}${purpose === '' || purpose.endsWith(' ') ? '' : ' '}{{${column}}}`, {
      shouldDirty: true,
    })
    form.setFocus('purpose')
  }
  const startFrom = (template: ScriptTemplate) => {
    form.reset({ ...form.getValues(), ...scriptFields(template) }, { keepDefaultValues: true, keepFieldsRef: true })
    form.setFocus('purpose')
    selectFirstBlank(template.purpose)
  }
  return (
    <Card aria-labelledby="batch-script">
      <CardTitle id="batch-script" title={words.what} lead={words.whatLead} aside={parts.templatePicker(startFrom)} />
      <div className="grid grid-cols-1 gap-5">
        <div>
          <Field label={words.purpose} error={wrongPurpose?.message}>
            <Textarea required maxLength={2000} placeholder={words.purposePlaceholder} {...form.register('purpose')} />
          </Field>
          {columns.length > 0 && (
            <p className="mt-2 flex flex-wrap items-center gap-1.5 text-sm text-muted">
              {words.variables}
              {columns.slice(0, COLUMNS_SHOWN).map((column) => (
                <button
                  key={column}
                  type="button"
                  aria-label={words.insert(column)}
                  onClick={() => insert(column)}
                  className="min-h-8 rounded-full border border-edge/60 px-2.5 font-mono text-sm text-ink hover:bg-mint"
                >
                  {`{{${column}}}`}
                </button>
              ))}
            </p>
          )}
        </div>
        <Controller
          control={form.control}
          name="objectives"
          render={({ field: objectives }) => (
            <Field label={words.objectives} hint={words.objectivesHint} error={wrongObjectives?.message} optional>
              {parts.objectivesInput({
                objectives: objectives.value,
                onObjectives: objectives.onChange,
                typed,
                onTyped: (next) => form.setValue('nextObjective', next, { shouldDirty: true }),
                mandates,
                onMandates: (chosen) => {
                  form.setValue('mandates', chosen, { shouldDirty: true })
                  form.clearErrors('objectives')
                },
                purpose,
                language,
              })}
            </Field>
          )}
        />
        <p className="text-sm text-muted">{words.noPrivateValues}</p>
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <Field label={words.tone}>
            <Controller
              control={form.control}
              name="tone"
              render={({ field }) => (
                <Select value={field.value} onValueChange={field.onChange} options={optionsOf(TONES, calls.tones)} />
              )}
            />
          </Field>
          <Field label={words.minutes} error={wrongMinutes?.message}>
            <Input
              type="number"
              inputMode="numeric"
              min={CALL_MINUTES_MIN}
              max={CALL_MINUTES_MAX}
              {...form.register('minutes')}
              className="tabular"
            />
          </Field>
          <Field label={words.language} className="sm:col-span-2">
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
      </div>
    </Card>
  )
}
