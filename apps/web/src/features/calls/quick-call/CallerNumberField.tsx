import { callerNumbersRoutes } from '@parley/contract/page'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { phoneText } from '../../../lib/format/phone.ts'
import { read } from '../../../lib/server/queries.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { useWords } from '../../../words/index.ts'
import { Field } from '../../../ui/form/Field.tsx'
import { Select } from '../../../ui/form/Select.tsx'
import { type CallFields, NETWORK_NUMBER } from '../placing/callForm.ts'

interface CallerNumberFieldProps {
  readonly form: UseFormReturn<CallFields>
  readonly error: string | undefined
}

/** Which number a call comes from: nothing for an account without numbers. */
export function CallerNumberField({ form, error }: CallerNumberFieldProps) {
  const { form: words } = useWords().calls
  const { id } = useSignedInUser()
  const { data } = useQuery(read(callerNumbersRoutes.list, { params: { id } }))
  const numbers = data?.numbers ?? []
  const usual = numbers.find(({ isDefault }) => isDefault)
  const chosen = useWatch({ control: form.control, name: 'from' })
  // A number that was kept with the form may have been removed since.
  const isGone = data !== undefined && chosen !== '' && chosen !== NETWORK_NUMBER && !isAmong(numbers, chosen)
  useEffect(() => {
    if (isGone) form.setValue('from', '')
  }, [form, isGone])
  if (numbers.length === 0) return null
  const textOf = (phone: string) => phoneText(phone).number
  const options = [
    ...numbers.map(({ phone, isDefault }) => ({
      value: phone,
      label: isDefault ? words.fromDefault(textOf(phone)) : textOf(phone),
    })),
    { value: NETWORK_NUMBER, label: words.fromNetwork },
  ]
  return (
    <Field label={words.from} error={error}>
      <Controller
        control={form.control}
        name="from"
        render={({ field }) => (
          <Select
            value={field.value === '' || isGone ? (usual?.phone ?? NETWORK_NUMBER) : field.value}
            onValueChange={field.onChange}
            options={options}
            ref={field.ref}
            className="tabular"
          />
        )}
      />
    </Field>
  )
}

const isAmong = (numbers: readonly { readonly phone: string }[], phone: string) =>
  numbers.some((each) => each.phone === phone)
