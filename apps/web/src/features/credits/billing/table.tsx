import type { ReactNode } from 'react'
import { useWords } from '../../../lib/words/index.ts'
import { Skeleton } from '../../../ui/states.tsx'

export const HEAD = 'text-sm text-muted *:px-2.5 *:py-3 *:font-medium *:first:pl-4 *:last:pr-4 sm:*:first:pl-5 sm:*:last:pr-5'
export const CELL = 'border-t border-line px-2.5 py-3 first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5'

/** What a list of records lies on. */
export function Sheet({ children }: { readonly children: ReactNode }) {
  return <div className="overflow-hidden rounded-base border border-line bg-surface shadow-soft">{children}</div>
}

const ROWS = [0, 1, 2, 3]

export function LoadingRows() {
  const { common } = useWords()
  return (
    <div aria-busy="true" className="rounded-base border border-line bg-surface">
      <span className="sr-only">{common.loading}</span>
      {ROWS.map((row) => (
        <div key={row} className="flex items-center gap-6 border-t border-line px-5 py-4 first:border-t-0">
          <Skeleton className="h-6 w-28 shrink-0" />
          <Skeleton className="ml-auto h-6 w-40 max-w-1/2" />
        </div>
      ))}
    </div>
  )
}
