import type { ComponentProps } from 'react'
import { useWords } from '../../../words/index.ts'
import { Field } from '../../../ui/form/Field.tsx'
import { Input, Textarea } from '../../../ui/form/Input.tsx'
import { Select } from '../../../ui/form/Select.tsx'
import { CURRENCIES, type LimitFields, type MandateFields } from '../../../lib/mandate/mandateFields.ts'

interface LimitInputsProps {
  readonly fields: MandateFields
  readonly onFields: (fields: MandateFields) => void
}

type Typed = Exclude<keyof LimitFields, 'currency' | 'alternatives'>

/** Limits in figures; each may stay empty. */
export function LimitInputs({ fields, onFields }: LimitInputsProps) {
  const { mandate } = useWords().calls
  const put = (change: Partial<LimitFields>) => onFields({ ...fields, ...change })
  const input = (name: Typed, more: ComponentProps<'input'>) => (
    <Field label={mandate.fields[name]}>
      <Input
        {...more}
        value={fields[name]}
        onChange={({ target }) => put({ [name]: target.value })}
        autoComplete="off"
        className="tabular"
      />
    </Field>
  )
  // A template may have another currency than those offered.
  const currencies = CURRENCIES.some((each) => each === fields.currency) ? CURRENCIES : [...CURRENCIES, fields.currency]
  const people = { type: 'number', inputMode: 'numeric', min: 1, step: 1 } as const
  return (
    <div className="mt-3 grid grid-cols-1 gap-4 min-[400px]:grid-cols-2">
      {input('price', { inputMode: 'decimal' })}
      <Field label={mandate.fields.currency}>
        <Select
          value={fields.currency}
          onValueChange={(currency) => put({ currency })}
          options={currencies.map((value) => ({ value, label: value }))}
        />
      </Field>
      {input('timeFrom', { type: 'time' })}
      {input('timeTo', { type: 'time' })}
      {input('dateFrom', { type: 'date' })}
      {input('dateTo', { type: 'date' })}
      {input('peopleMin', people)}
      {input('peopleMax', people)}
      <Field label={mandate.fields.alternatives} hint={mandate.alternativesHint} className="min-[400px]:col-span-2">
        <Textarea
          rows={2}
          value={fields.alternatives}
          onChange={({ target }) => put({ alternatives: target.value })}
          placeholder={mandate.alternativesPlaceholder}
        />
      </Field>
      <p className="text-sm text-muted min-[400px]:col-span-2">{mandate.limitsHint}</p>
    </div>
  )
}
