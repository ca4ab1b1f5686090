import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '../lib/classes.ts'
import { useWords } from '../words/index.ts'
import { Button } from './Button.tsx'

/** A skeleton; give it the size of the expected content. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden="true" className={classes('block animate-breathe rounded-small bg-line/70', className)} />
}

const ROWS = [0, 1, 2, 3, 4]

/** A placeholder of a list. */
export function LoadingRows() {
  const { common } = useWords()
  return (
    <div aria-busy="true" className="rounded-base border border-line bg-surface">
      <span className="sr-only">{common.loading}</span>
      {ROWS.map((row) => (
        <div key={row} className="flex items-center gap-6 border-t border-line px-5 py-5 first:border-t-0">
          <Skeleton className="h-6 w-32 shrink-0" />
          <Skeleton className="h-6 flex-1 max-md:hidden" />
          <Skeleton className="ml-auto h-6 w-24 shrink-0" />
        </div>
      ))}
    </div>
  )
}

interface StateProps {
  readonly title: ReactNode
  readonly hint?: ReactNode
  /** The next step: a button or a link. */
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
  /** h1 if nothing else is on the screen. */
  readonly titleAs?: 'h1' | 'p'
  readonly hint?: ReactNode
  readonly onRetry: () => void
  readonly retrying?: boolean
}

export function ErrorState({ title, titleAs: Title = 'p', hint, onRetry, retrying = false }: ErrorStateProps) {
  const { common } = useWords()
  return (
    <div
      role="alert"
      className="flex flex-col items-start gap-1 rounded-base border border-danger/40 bg-danger-soft px-6 py-6"
    >
      <Title className="text-lg font-semibold">{title ?? common.loadFailed}</Title>
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
