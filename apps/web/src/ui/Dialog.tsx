import { Suspense } from 'react'
import { part } from '../lib/lazyComponent.ts'
import type { DialogProps, SheetProps } from './overlays/Dialog.tsx'

// What lies over a screen is fetched when it is first opened: most visits open nothing.
const OpenDialog = part(async () => ({ default: (await import('./overlays/Dialog.tsx')).Dialog }))
const OpenSheet = part(async () => ({ default: (await import('./overlays/Dialog.tsx')).Sheet }))

/** Takes the focus in, gives it back to what opened it. On a phone it rises from the bottom. */
export function Dialog(props: DialogProps) {
  return <Suspense>{props.open && <OpenDialog {...props} />}</Suspense>
}

/** A panel from the edge of the screen: the drawer of the phone's menu, details beside a list. */
export function Sheet(props: SheetProps) {
  return <Suspense>{props.open && <OpenSheet {...props} />}</Suspense>
}
