import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classes } from '../../lib/classes.ts'
import { useWords } from '../../words/index.ts'
import { useReturnFocus } from './returnFocus.ts'
import { useBackCloses } from './useBackCloses.ts'

interface OverlayProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: ReactNode
  /** Hides the title visually, where the content has its own. */
  readonly titleHidden?: boolean
  readonly lead?: ReactNode
  readonly children: ReactNode
  readonly className?: string
}

const VEIL = 'fixed inset-0 z-40 animate-appear bg-veil'
const CLOSE = 'grid size-11 shrink-0 place-items-center rounded-base text-muted hover:bg-mint hover:text-ink'

function CloseCross() {
  const { common } = useWords()
  return (
    <Radix.Close className={CLOSE} aria-label={common.close}>
      <X className="size-5" aria-hidden="true" />
    </Radix.Close>
  )
}

function Head({ title, titleHidden = false, lead }: Pick<OverlayProps, 'title' | 'titleHidden' | 'lead'>) {
  return (
    <div className="sticky -top-4 z-10 -mt-4 flex items-start justify-between gap-4 bg-surface pt-4 pb-4">
      <div className="pt-2">
        <Radix.Title className={titleHidden ? 'sr-only' : 'text-lg font-semibold'}>{title}</Radix.Title>
        {lead && <Radix.Description className="mt-1 text-sm text-muted">{lead}</Radix.Description>}
      </div>
      <div className="-mr-2">
        <CloseCross />
      </div>
    </div>
  )
}

export interface DialogProps extends OverlayProps {
  /** For reading rather than a form. */
  readonly wide?: boolean
}

/** Traps the focus and returns it on close. On a phone it rises from the bottom. */
export function Dialog({
  open,
  onOpenChange,
  title,
  titleHidden = false,
  lead,
  wide = false,
  children,
  className,
}: DialogProps) {
  const returnFocus = useReturnFocus()
  useBackCloses(open, () => onOpenChange(false))
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={VEIL} />
        <Radix.Content
          {...returnFocus}
          {...(lead ? {} : { 'aria-describedby': undefined })}
          className={classes(
            'fixed inset-x-0 bottom-0 z-50 max-h-[min(92dvh,calc(100dvh-var(--safe-top)-1rem))] scroll-pt-24 scroll-pb-24 animate-slide-in-bottom overflow-y-auto rounded-t-base border border-b-(length:--safe-bottom) border-line border-b-surface bg-surface px-5 pt-4 pb-6 shadow-soft',
            'sm:inset-auto sm:border-b sm:border-b-line sm:top-1/2 sm:left-1/2 sm:max-h-[88dvh] sm:w-[calc(100vw-3rem)] sm:-translate-1/2 sm:animate-rise sm:rounded-base sm:px-6',
            wide ? 'sm:max-w-2xl' : 'sm:max-w-md',
            className,
          )}
        >
          <Head title={title} titleHidden={titleHidden} lead={lead} />
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export interface SheetProps extends OverlayProps {
  readonly side: 'left' | 'right' | 'bottom'
}

/** As borders, because padding would scroll away under what is sticky. */
const INSETS = 'border-t-(length:--safe-top) border-b-(length:--safe-bottom) border-y-surface'

const SIDES = {
  left: `inset-y-0 left-0 w-[min(20rem,86vw)] animate-slide-in-left border-r ${INSETS}`,
  right: `inset-y-0 right-0 w-[min(28rem,92vw)] animate-slide-in-right border-l ${INSETS}`,
  bottom:
    'inset-x-0 bottom-0 max-h-[80dvh] border-b-(length:--safe-bottom) border-b-surface animate-slide-in-bottom rounded-t-base border-t',
} as const

/** A panel from the edge of the screen: the phone's menu, details beside a list. */
export function Sheet({ open, onOpenChange, title, titleHidden = false, lead, side, children, className }: SheetProps) {
  const returnFocus = useReturnFocus()
  useBackCloses(open, () => onOpenChange(false))
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={VEIL} />
        <Radix.Content
          {...returnFocus}
          {...(lead ? {} : { 'aria-describedby': undefined })}
          className={classes(
            'fixed z-50 flex flex-col overflow-y-auto border-line bg-surface p-4 shadow-soft',
            SIDES[side],
            className,
          )}
        >
          <Head title={title} titleHidden={titleHidden} lead={lead} />
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
