import type { ReactNode } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { MandateChoice } from '../mandate/MandateChoice.tsx'
import { AS_WRITTEN } from '../mandate/mandateFields.ts'
import { useReading } from '../mandate/useReading.ts'
import type { CallFields } from '../placing/callForm.ts'
import { vaultProblemIn } from '../vault/vaultFields.ts'
import { VaultSection } from '../vault/VaultSection.tsx'

// What Make Call has and Quick Call has not.

export interface WithMandatesProps {
  readonly form: UseFormReturn<CallFields>
  readonly children: (beneath: (objective: string) => ReactNode) => ReactNode
}

/** The choice of what may be agreed to, for beneath each objective. */
export function WithMandates({ form, children }: WithMandatesProps) {
  const reading = useReading(form)
  return (
    <Controller
      control={form.control}
      name="mandates"
      render={({ field: { value, onChange } }) => (
        <>
          {children((objective) => (
            <MandateChoice
              objective={objective}
              fields={value[objective] ?? AS_WRITTEN}
              onFields={(fields) => {
                onChange({ ...value, [objective]: fields })
                form.clearErrors('objectives')
              }}
              reading={reading.get(objective)}
            />
          ))}
        </>
      )}
    />
  )
}

export interface PrivateValuesProps {
  readonly form: UseFormReturn<CallFields>
  readonly error: string | undefined
}

export function PrivateValues({ form, error }: PrivateValuesProps) {
  return (
    <Controller
      control={form.control}
      name="vault"
      render={({ field: { value, onChange, ref } }) => (
        <VaultSection vault={value} onVault={onChange} problem={problemOf(value, error)} focusRef={ref} />
      )}
    />
  )
}

/** Until it is mended; what only the server has found stands at the first. */
function problemOf(vault: CallFields['vault'], error: string | undefined) {
  if (error === undefined || vault.length === 0) return undefined
  return vaultProblemIn(vault) ?? { problem: error, place: 0, field: 'value' as const }
}
