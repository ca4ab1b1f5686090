import { Suspense } from 'react'
import { part } from '../lib/lazyComponent.ts'
import type { ConfirmDialogProps } from './overlays/ConfirmDialog.tsx'

const OpenConfirmDialog = part(async () => ({ default: (await import('./overlays/ConfirmDialog.tsx')).ConfirmDialog }))

/** A question before something that cannot be taken back; its code comes with the first one. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return <Suspense>{props.open && <OpenConfirmDialog {...props} />}</Suspense>
}
