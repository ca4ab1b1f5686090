import type { ObjectiveReading } from '@parley/contract'
import { useId } from 'react'
import { classes } from '../../../lib/classes.ts'
import { useWords } from '../../../words/index.ts'
import { LimitInputs } from './LimitInputs.tsx'
import {
  AS_WRITTEN,
  mandateFieldsOf,
  RULES,
  type MandateFields,
  type Rule,
} from '../../../lib/mandate/mandateFields.ts'

interface MandateChoiceProps {
  readonly objective: string
  readonly fields: MandateFields
  readonly onFields: (fields: MandateFields) => void
  /** What its words are understood to allow, once it is known. */
  readonly reading: ObjectiveReading | undefined
}

/** A line of choices of what may be agreed to for one objective, and what is understood from its words. */
export function MandateChoice({ objective, fields, onFields, reading }: MandateChoiceProps) {
  const { mandate } = useWords().calls
  const name = useId()
  const choose = (rule: Rule) => {
    const begins = rule === 'within_limits' && isUntouched(fields) && reading?.mandate?.rule === 'within_limits'
    onFields(begins ? mandateFieldsOf(reading.mandate) : { ...fields, rule })
  }
  const hint = fields.rule === 'exactly' || fields.rule === 'ask_me' ? mandate.hints[fields.rule] : undefined
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{mandate.legend(objective)}</legend>
      <div className="flex flex-wrap gap-1.5">
        {RULES.map((rule) => (
          <label
            key={rule}
            className={classes(
              'relative cursor-pointer rounded-full border px-3 py-1.5 text-sm transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand',
              fields.rule === rule
                ? 'border-brand bg-mint font-medium text-ink'
                : 'border-line text-muted hover:border-ink/60 hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              value={rule}
              checked={fields.rule === rule}
              onChange={() => choose(rule)}
              className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
            />
            {mandate.rules[rule]}
          </label>
        ))}
      </div>
      {hint && <p className="mt-1.5 text-sm text-muted">{hint}</p>}
      {/* Stays, so that a screen reader hears what comes into it. */}
      <p aria-live="polite" className="mt-1.5 text-sm text-muted empty:hidden">
        {reading?.understood && mandate.understood(reading.understood)}
      </p>
      {fields.rule === 'within_limits' && <LimitInputs fields={fields} onFields={onFields} />}
    </fieldset>
  )
}

function isUntouched(fields: MandateFields): boolean {
  return JSON.stringify({ ...fields, rule: 'as_written' }) === JSON.stringify(AS_WRITTEN)
}
