import { Suspense } from 'react'
import { lazyComponent } from '../lib/lazyComponent.ts'
import type { ConfirmDialogProps } from './overlays/ConfirmDialog.tsx'

const OpenConfirmDialog = lazyComponent(async () => ({
  default: (await import('./overlays/ConfirmDialog.tsx')).ConfirmDialog,
}))

/** Asks before an irreversible action; loaded on first use. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return <Suspense>{props.open && <OpenConfirmDialog {...props} />}</Suspense>
}
