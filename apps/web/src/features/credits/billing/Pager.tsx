import { count } from '../../../lib/format/format.ts'
import type { usePages } from '../../../lib/server/usePages.ts'
import { useWords } from '../../../words/index.ts'
import { Pager as PagerFoot } from '../../../ui/Records.tsx'

interface PagerProps {
  readonly pages: Pick<ReturnType<typeof usePages>, 'before' | 'previous' | 'next'>
  readonly shown: number
  readonly total: number
}

/** Below a list that goes on. */
export function Pager({ pages, shown, total }: PagerProps) {
  const { statement } = useWords().credits
  if (!pages.previous && !pages.next) return null
  return (
    <PagerFoot pages={pages} labels={{ previous: statement.newer, next: statement.older }}>
      {statement.showing(count(pages.before + 1), count(pages.before + shown), count(total))}
    </PagerFoot>
  )
}
