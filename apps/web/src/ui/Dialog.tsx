import { Suspense } from 'react'
import { lazyComponent } from '../lib/lazyComponent.ts'
import type { DialogProps, SheetProps } from './overlays/Dialog.tsx'

// Loaded on first opening: most visits open no dialog.
const OpenDialog = lazyComponent(async () => ({ default: (await import('./overlays/Dialog.tsx')).Dialog }))
const OpenSheet = lazyComponent(async () => ({ default: (await import('./overlays/Dialog.tsx')).Sheet }))

/** Traps the focus and returns it on close. On a phone it rises from the bottom. */
export function Dialog(props: DialogProps) {
  return <Suspense>{props.open && <OpenDialog {...props} />}</Suspense>
}

/** A panel from the edge of the screen: the phone's menu, details beside a list. */
export function Sheet(props: SheetProps) {
  return <Suspense>{props.open && <OpenSheet {...props} />}</Suspense>
}
