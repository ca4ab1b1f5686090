import { TOASTS } from '@parley/contract'
import { Check, CircleAlert, X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { useWords } from '../lib/words/index.ts'
import { dismissToast, type ShownToast } from './toast.ts'

const ICONS = {
  neutral: undefined,
  success: <Check className="mt-0.5 size-5 shrink-0 text-brand" strokeWidth={2.5} aria-hidden="true" />,
  error: <CircleAlert className="mt-0.5 size-5 shrink-0 text-danger" aria-hidden="true" />,
} as const

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
          className="flex animate-rise items-start gap-3 rounded-base border border-line bg-surface py-3 pr-2 pl-4 shadow-soft data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
        >
          {ICONS[shown.tone ?? 'neutral']}
          <div className="min-w-0 flex-1 py-0.5">
            <Toast.Title className="text-base font-medium">{shown.title}</Toast.Title>
            {shown.description && <Toast.Description className="text-sm text-muted">{shown.description}</Toast.Description>}
          </div>
          <Toast.Close
            aria-label={common.close}
            className="-my-1 grid size-9 place-items-center rounded-base text-muted hover:bg-mint hover:text-ink"
          >
            <X className="size-4" aria-hidden="true" />
          </Toast.Close>
        </Toast.Root>
      )}
      <Toast.Viewport
        hotkey={[TOASTS.hotkey]}
        label={common.notifications}
        className="fixed inset-x-4 bottom-4 z-60 mb-[env(safe-area-inset-bottom)] flex flex-col outline-none sm:left-auto sm:w-96"
      />
    </Toast.Provider>
  )
}
