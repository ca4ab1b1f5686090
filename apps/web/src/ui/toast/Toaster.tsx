import { TOASTS } from '@parley/contract'
import { Check, CircleAlert, X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { createPortal } from 'react-dom'
import { classes } from '../../lib/classes.ts'
import { useWords } from '../../words/index.ts'
import { dismissToast, type ShownToast } from './toast.ts'

const ICONS = {
  neutral: undefined,
  success: <Check className="mt-0.5 size-5 shrink-0 text-brand" strokeWidth={2.5} aria-hidden="true" />,
  error: <CircleAlert className="mt-0.5 size-5 shrink-0 text-danger" aria-hidden="true" />,
} as const

const ACTION = '-my-1 min-h-9 shrink-0 rounded-base px-2.5 font-medium text-brand hover:bg-mint'

/** On a phone at the bottom, clear of titles and fields; on a wide screen in the credits bar, beside its button. */
const PLACE =
  'bottom-4 [body:has([data-live-bar])_&]:bottom-28 mb-[var(--safe-bottom)] sm:w-96 lg:top-2 lg:right-40 lg:bottom-auto! lg:w-80 xl:w-96'
/** Over a dialog: above or beside its title, because its buttons are at the bottom. */
const PLACE_BY_DIALOG =
  '[body:has([role=dialog])_&]:top-1 [body:has([role=dialog])_&]:bottom-auto [body:has([role=dialog])_&]:mt-[var(--safe-top)] lg:[body:has([role=dialog])_&]:right-4 lg:[body:has([role=dialog])_&]:w-72'
/** Over a call view: below its clock, because Stop at the bottom must not be covered. */
const PLACE_BY_STAGE =
  '[body:has([data-stage])_&]:top-32! [body:has([data-stage])_&]:right-4! [body:has([data-stage])_&]:bottom-auto! [body:has([data-stage])_&]:mt-[var(--safe-top)]'

/** Radix also pauses while the window is in the background; that does not count as lingering. */
function clockOf({ onLinger }: NonNullable<ShownToast['stay']>) {
  return { duration: Infinity, onPause: () => document.hasFocus() && onLinger(true), onResume: () => onLinger(false) }
}

/** Its timer pauses while hovered or focused; a swipe to the right or Escape closes it. */
export default function Toaster({ shown }: { readonly shown: ShownToast }) {
  const { common } = useWords()
  return (
    <Toast.Provider
      duration={TOASTS.durationMs}
      swipeDirection="right"
      swipeThreshold={TOASTS.swipeThresholdPx}
      label={common.notification}
    >
      <Toast.Root
        key={shown.id}
        {...(shown.stay && clockOf(shown.stay))}
        onOpenChange={(open) => {
          if (open) return
          dismissToast(shown.id)
          shown.stay?.onClose()
        }}
        className="pointer-events-auto flex animate-rise flex-wrap items-start justify-end gap-x-3 gap-y-1 rounded-base border border-line bg-surface py-3 pr-2 pl-4 shadow-soft data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
      >
        {ICONS[shown.tone ?? 'neutral']}
        <div className={classes('min-w-0 flex-1 py-0.5', shown.otherAction && 'basis-60')}>
          <Toast.Title className="text-base font-medium">{shown.title}</Toast.Title>
          {shown.description && (
            <Toast.Description className="text-sm text-muted">{shown.description}</Toast.Description>
          )}
        </div>
        {[shown.action, shown.otherAction].map(
          (action) =>
            action && (
              <Toast.Action key={action.label} altText={action.label} onClick={action.onAct} className={ACTION}>
                {action.label}
              </Toast.Action>
            ),
        )}
        {!shown.otherAction && (
          <Toast.Close
            aria-label={common.close}
            className="-my-1 grid size-9 place-items-center rounded-base text-muted hover:bg-mint hover:text-ink"
          >
            <X className="size-4" aria-hidden="true" />
          </Toast.Close>
        )}
      </Toast.Root>
      {/* Outside the dialogs; an element with aria-live is not hidden by them. */}
      {createPortal(
        <Toast.Viewport
          aria-live="off"
          hotkey={[TOASTS.hotkey]}
          label={common.notifications}
          className={classes(
            'fixed inset-x-4 z-60 flex flex-col outline-none sm:left-auto',
            PLACE,
            PLACE_BY_DIALOG,
            PLACE_BY_STAGE,
          )}
        />,
        document.body,
      )}
    </Toast.Provider>
  )
}
