import { lazy, Suspense, useSyncExternalStore } from 'react'
import { shownToast, toastsInUse, watchToasts } from './toast.ts'

const Toaster = lazy(() => import('./Toaster.tsx'))

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
