import { AlertDialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { useWords } from '../../words/index.ts'
import { Button, buttonClasses } from '../Button.tsx'
import { useReturnFocus } from './returnFocus.ts'
import { useBackCloses } from './useBackCloses.ts'

export interface ConfirmDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: ReactNode
  readonly question: ReactNode
  readonly confirm: ReactNode
  readonly onConfirm: () => void
  readonly tone?: 'primary' | 'danger'
  readonly pending?: boolean
}

/** Asks before an irreversible action. Closed only by its two buttons, Escape or the back button. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onOpenChange, title, question, confirm, onConfirm, tone = 'danger', pending = false } = props
  const { common } = useWords()
  const returnFocus = useReturnFocus()
  useBackCloses(open, () => onOpenChange(false))
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 animate-appear bg-veil" />
        <AlertDialog.Content
          {...returnFocus}
          className="fixed top-1/2 left-1/2 z-50 w-[calc(100vw-2rem)] max-w-sm -translate-1/2 animate-rise rounded-base border border-line bg-surface p-6 shadow-soft"
        >
          <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-base text-muted">{question}</AlertDialog.Description>
          <div className="mt-6 flex justify-end gap-3">
            <AlertDialog.Cancel className={buttonClasses({ variant: 'secondary' })}>{common.cancel}</AlertDialog.Cancel>
            <Button variant={tone} pending={pending} onClick={onConfirm}>
              {confirm}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
