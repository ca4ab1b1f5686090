import { Dialog as Radix } from 'radix-ui'
import { useRef, type ReactNode } from 'react'
import { useReturnFocus } from './overlays/returnFocus.ts'
import { useBackCloses } from './overlays/useBackCloses.ts'

interface StageProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** The accessible name; the content has its own visible heading. */
  readonly title: string
  readonly children: ReactNode
}

/** A full-screen dialog on a phone, large on a desktop. Its content brings head, body and foot. */
export function Stage({ open, onOpenChange, title, children }: StageProps) {
  const content = useRef<HTMLDivElement>(null)
  const { onOpenAutoFocus, onCloseAutoFocus } = useReturnFocus()
  useBackCloses(open, () => onOpenChange(false))
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-veil" />
        <Radix.Content
          ref={content}
          data-stage
          aria-describedby={undefined}
          // It may open by itself: focus the dialog, so that the next key activates nothing.
          onOpenAutoFocus={(event) => {
            onOpenAutoFocus()
            event.preventDefault()
            content.current?.focus()
          }}
          onCloseAutoFocus={onCloseAutoFocus}
          className="fixed inset-0 z-50 flex animate-rise flex-col overflow-hidden bg-surface pt-(--safe-top) outline-none sm:pt-0 sm:inset-auto sm:top-1/2 sm:left-1/2 sm:h-[min(46rem,90dvh)] sm:w-[min(66rem,calc(100vw-3rem))] sm:-translate-1/2 sm:rounded-base sm:border sm:border-line sm:shadow-soft"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
