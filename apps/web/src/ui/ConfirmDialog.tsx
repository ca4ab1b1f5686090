import { Suspense } from 'react'
import { part } from '../lib/lazyComponent.ts'
import type { ConfirmDialogProps } from './overlays/ConfirmDialog.tsx'

const OpenConfirmDialog = part(async () => ({ default: (await import('./overlays/ConfirmDialog.tsx')).ConfirmDialog }))

/** Asks before an irreversible action; loaded on first use. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return <Suspense>{props.open && <OpenConfirmDialog {...props} />}</Suspense>
}
