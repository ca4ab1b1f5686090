import type { ReactNode } from 'react'
import { AS_WRITTEN, type MandatesTyped } from '../../../lib/mandate/mandateFields.ts'
import { MandateChoice } from './MandateChoice.tsx'
import { type ToRead, useReading } from './useReading.ts'

interface WithMandatesProps {
  /** What the choices are about. */
  readonly order: ToRead
  readonly mandates: MandatesTyped
  readonly onMandates: (mandates: MandatesTyped) => void
  readonly children: (beneath: (objective: string) => ReactNode) => ReactNode
}

/** The choice of what may be agreed to, for beneath each objective. */
export function WithMandates({ order, mandates, onMandates, children }: WithMandatesProps) {
  const reading = useReading(order)
  return children((objective) => (
    <MandateChoice
      objective={objective}
      fields={mandates[objective] ?? AS_WRITTEN}
      onFields={(fields) => onMandates({ ...mandates, [objective]: fields })}
      reading={reading.get(objective)}
    />
  ))
}
