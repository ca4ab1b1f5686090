import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '../lib/classes.ts'
import { useWords } from '../lib/words/index.ts'
import { Button } from './Button.tsx'

/** A grey shape where something will stand: give it the size of that something. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden="true" className={classes('block animate-breathe rounded-small bg-line/70', className)} />
}

interface StateProps {
  readonly title: ReactNode
  readonly hint?: ReactNode
  /** What to do next: a button or a link. */
  readonly children?: ReactNode
}

export function EmptyState({ title, hint, children }: StateProps) {
  return (
    <div className="flex flex-col items-start gap-1 rounded-base border border-dashed border-edge/60 px-6 py-8">
      <p className="text-lg font-semibold">{title}</p>
      {hint && <p className="max-w-prose text-muted">{hint}</p>}
      {children && <div className="mt-4">{children}</div>}
    </div>
  )
}

interface ErrorStateProps {
  readonly title?: ReactNode
  readonly hint?: ReactNode
  readonly onRetry: () => void
  readonly retrying?: boolean
}

export function ErrorState({ title, hint, onRetry, retrying = false }: ErrorStateProps) {
  const { common } = useWords()
  return (
    <div role="alert" className="flex flex-col items-start gap-1 rounded-base border border-danger/40 bg-danger-soft px-6 py-6">
      <p className="text-lg font-semibold">{title ?? common.loadFailed}</p>
      <p className="max-w-prose text-muted">{hint ?? common.loadFailedHint}</p>
      <Button
        variant="secondary"
        className="mt-4"
        pending={retrying}
        icon={<RotateCw className="size-4" aria-hidden="true" />}
        onClick={onRetry}
      >
        {common.tryAgain}
      </Button>
    </div>
  )
}
