import { useWords } from '../../../lib/words/index.ts'
import { Skeleton } from '../../../ui/states.tsx'

const ROWS = [0, 1, 2, 3, 4]

/** Calls that are still on their way. */
export function LoadingRows() {
  const { common } = useWords()
  return (
    <div aria-busy="true" className="rounded-base border border-line bg-surface">
      <span className="sr-only">{common.loading}</span>
      {ROWS.map((row) => (
        <div key={row} className="flex items-center gap-6 border-t border-line px-5 py-5 first:border-t-0">
          <Skeleton className="h-6 w-36 shrink-0" />
          <Skeleton className="h-6 flex-1 max-md:hidden" />
          <Skeleton className="ml-auto h-6 w-24 shrink-0" />
        </div>
      ))}
    </div>
  )
}
