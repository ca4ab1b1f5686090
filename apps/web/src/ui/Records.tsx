import type { ReactNode } from 'react'
import { classes } from '../lib/classes.ts'
import { Button } from './Button.tsx'
import { ErrorState, LoadingRows } from './states.tsx'

interface RecordsProps<Data> {
  readonly query: {
    readonly data: Data | undefined
    readonly isError: boolean
    readonly isFetching: boolean
    readonly refetch: () => unknown
  }
  readonly failedTitle: string
  readonly isEmpty: (data: Data) => boolean
  /** What stands there instead of a list without rows. */
  readonly empty: ReactNode
  readonly children: (data: Data) => ReactNode
}

/** A list of records that the server keeps: it loads, could not be read, is empty, or stands there. */
export function Records<Data>({ query, failedTitle, isEmpty, empty, children }: RecordsProps<Data>) {
  if (query.data !== undefined) return isEmpty(query.data) ? empty : children(query.data)
  if (!query.isError) return <LoadingRows />
  return <ErrorState title={failedTitle} retrying={query.isFetching} onRetry={() => void query.refetch()} />
}

interface RecordSheetProps {
  /** Other records are on their way: these stay, paler. */
  readonly isBusy?: boolean
  /** Below the records: their pager. */
  readonly foot?: ReactNode
  readonly children: ReactNode
}

/** What a list of records lies on. */
export function RecordSheet({ isBusy = false, foot, children }: RecordSheetProps) {
  return (
    <div className="overflow-x-auto rounded-base border border-line bg-surface shadow-soft">
      <div className={isBusy ? 'opacity-60 transition-opacity' : undefined} aria-busy={isBusy}>
        {children}
      </div>
      {foot}
    </div>
  )
}

interface PagerProps {
  readonly pages: { readonly previous: (() => void) | undefined; readonly next: (() => void) | undefined }
  readonly labels: { readonly previous: string; readonly next: string }
  /** Where it stands: the foot of a sheet, unless it is said. */
  readonly className?: string
  /** Which of how many records stand on this page. */
  readonly children: ReactNode
}

/** Leads through a list that has pages. */
export function Pager({
  pages: { previous, next },
  labels,
  className = 'border-t border-line px-4 py-3 sm:px-5',
  children,
}: PagerProps) {
  return (
    <footer className={classes('flex flex-wrap items-center justify-between gap-3', className)}>
      <p className="tabular text-sm text-muted" aria-live="polite">
        {children}
      </p>
      <div className="flex gap-2">
        <Button variant="secondary" size="small" disabled={!previous} onClick={previous}>
          {labels.previous}
        </Button>
        <Button variant="secondary" size="small" disabled={!next} onClick={next}>
          {labels.next}
        </Button>
      </div>
    </footer>
  )
}
