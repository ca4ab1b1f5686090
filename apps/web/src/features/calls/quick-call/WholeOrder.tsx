import type { ReactNode } from 'react'
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form'
import { WithMandates as Mandates } from '../mandate/WithMandates.tsx'
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
  const [purpose, objectives, language] = useWatch({
    control: form.control,
    name: ['purpose', 'objectives', 'language'],
  })
  return (
    <Controller
      control={form.control}
      name="mandates"
      render={({ field: { value, onChange } }) => (
        <Mandates
          order={{ purpose, objectives, language }}
          mandates={value}
          onMandates={(mandates) => {
            onChange(mandates)
            form.clearErrors('objectives')
          }}
        >
          {children}
        </Mandates>
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
