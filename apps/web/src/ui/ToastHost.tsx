import { Suspense, useSyncExternalStore } from 'react'
import { part } from '../lib/part.ts'
import { shownToast, toastsInUse, watchToasts } from './toast.ts'

const Toaster = part(() => import('./Toaster.tsx'))

/** Brings the toaster in with the first toast, so that a page without one does not pay for it. */
export function ToastHost() {
  const shown = useSyncExternalStore(watchToasts, shownToast)
  const isInUse = useSyncExternalStore(watchToasts, toastsInUse)
  return isInUse ? (
    <Suspense>
      <Toaster shown={shown} />
    </Suspense>
  ) : null
}
