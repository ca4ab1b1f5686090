import type { UseQueryResult } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { ErrorState, Skeleton } from '../../../ui/states.tsx'

interface SectionProps {
  readonly title: string
  readonly lead?: ReactNode
  /** Beside the title: a badge. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A titled section of a card. */
export function Section({ title, lead, aside, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-8 border-t border-line pt-6">
      <div className="flex items-start justify-between gap-4">
        <h3 id={id} className="font-semibold">
          {title}
        </h3>
        {aside}
      </div>
      {lead && <p className="mt-1 max-w-prose text-sm text-muted">{lead}</p>}
      <div className="mt-4 grid gap-4">{children}</div>
    </section>
  )
}

interface LoadedProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching'> & { readonly refetch: () => unknown }
  readonly failed: string
  readonly children: (data: T) => ReactNode
}

/** The data, or a placeholder while loading, or an error with a retry. */
export function Loaded<T>({ query, failed, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <ErrorState title={failed} retrying={query.isFetching} onRetry={() => void query.refetch()} />
  return (
    <div aria-busy="true" className="grid gap-2 py-3">
      <Skeleton className="h-4 w-2/5" />
      <Skeleton className="h-4 w-3/5" />
    </div>
  )
}

/** A list with dividers, or the text of an empty one. */
export function Rows<T>({ label, items, empty, children }: RowsProps<T>) {
  if (items.length === 0) return <p className="text-muted">{empty}</p>
  return (
    <ul aria-label={label} className="-my-3 divide-y divide-line">
      {items.map(children)}
    </ul>
  )
}

interface RowsProps<T> {
  readonly label: string
  readonly items: readonly T[]
  readonly empty: string
  readonly children: (item: T) => ReactNode
}

interface RowProps {
  readonly title: ReactNode
  readonly detail: ReactNode
  /** Its actions. */
  readonly children?: ReactNode
}

export function Row({ title, detail, children }: RowProps) {
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{title}</p>
        <p className="text-sm wrap-anywhere text-muted">{detail}</p>
      </div>
      {children}
    </li>
  )
}
