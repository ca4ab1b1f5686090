import { TOASTS } from '@parley/contract'
import { Check, CircleAlert, X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { createPortal } from 'react-dom'
import { useWords } from '../lib/words/index.ts'
import { dismissToast, type ShownToast } from './toast.ts'

const ICONS = {
  neutral: undefined,
  success: <Check className="mt-0.5 size-5 shrink-0 text-brand" strokeWidth={2.5} aria-hidden="true" />,
  error: <CircleAlert className="mt-0.5 size-5 shrink-0 text-danger" aria-hidden="true" />,
} as const

const ACTION = '-my-1 min-h-9 shrink-0 rounded-base px-2.5 font-medium text-brand hover:bg-mint'

/** The toast's clock stands still while it is hovered or focused; a swipe to the right or Escape closes it. */
export default function Toaster({ shown }: { readonly shown: ShownToast | undefined }) {
  const { common } = useWords()
  return (
    <Toast.Provider
      duration={TOASTS.durationMs}
      swipeDirection="right"
      swipeThreshold={TOASTS.swipeThresholdPx}
      label={common.notification}
    >
      {shown && (
        <Toast.Root
          key={shown.id}
          onOpenChange={(open) => !open && dismissToast(shown.id)}
          className="pointer-events-auto flex animate-rise items-start gap-3 rounded-base border border-line bg-surface py-3 pr-2 pl-4 shadow-soft data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
        >
          {ICONS[shown.tone ?? 'neutral']}
          <div className="min-w-0 flex-1 py-0.5">
            <Toast.Title className="text-base font-medium">{shown.title}</Toast.Title>
            {shown.description && <Toast.Description className="text-sm text-muted">{shown.description}</Toast.Description>}
          </div>
          {shown.action && (
            <Toast.Action altText={shown.action.label} onClick={shown.action.onAct} className={ACTION}>
              {shown.action.label}
            </Toast.Action>
          )}
          <Toast.Close
            aria-label={common.close}
            className="-my-1 grid size-9 place-items-center rounded-base text-muted hover:bg-mint hover:text-ink"
          >
            <X className="size-4" aria-hidden="true" />
          </Toast.Close>
        </Toast.Root>
      )}
      {/* Beside the dialogs rather than under one; who has a name of being live is not hidden by them either. */}
      {createPortal(
        <Toast.Viewport
          aria-live="off"
          hotkey={[TOASTS.hotkey]}
          label={common.notifications}
          // At the top: what is pressed most, and what must never be covered (Stop), stands at the bottom. Under the clock of a call.
          className="fixed inset-x-4 top-4 z-60 [body:has([data-stage])_&]:top-32 mt-[env(safe-area-inset-top)] flex flex-col outline-none sm:left-auto sm:w-96"
        />,
        document.body,
      )}
    </Toast.Provider>
  )
}
