import { Suspense } from 'react'
import { lazyComponent } from '../../lib/lazyComponent.ts'
import { useShownToast } from './toast.ts'

const Toaster = lazyComponent(() => import('./Toaster.tsx'))

/**
 * Brings the toaster in with the first toast, so that a page without one does not pay for it. It goes with the last
 * one: a toast that was closed while it had the focus would leave the clock of the next one standing still.
 */
export function ToastHost() {
  const shown = useShownToast()
  return shown ? (
    <Suspense>
      <Toaster shown={shown} />
    </Suspense>
  ) : null
}
