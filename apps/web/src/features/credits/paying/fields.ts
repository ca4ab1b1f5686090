import type { PaymentsConfig } from '@parley/contract'
import type { Ref } from 'react'
import type { CardDoor, Intent } from './door.ts'

/** Props of both card forms. They return the CardDoor of their processor. */
export interface FieldsProps {
  readonly door: Ref<CardDoor>
  readonly config: PaymentsConfig
  readonly intent: Intent
  readonly amount: string | undefined
  readonly returnUrl: string
  readonly disabled: boolean
  readonly onOpen: () => void
}
