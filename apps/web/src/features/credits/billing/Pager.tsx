import { count } from '../../../lib/format/format.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'

interface PagerProps {
  readonly before: number
  readonly shown: number
  readonly total: number
  readonly newer: (() => void) | undefined
  readonly older: (() => void) | undefined
}

/** Below a list that goes on. */
export function Pager({ before, shown, total, newer, older }: PagerProps) {
  const { statement } = useWords().credits
  if (!newer && !older) return null
  return (
    <footer className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3 sm:px-5">
      <p className="tabular text-sm text-muted" aria-live="polite">
        {statement.showing(count(before + 1), count(before + shown), count(total))}
      </p>
      <div className="flex gap-2">
        <Button variant="secondary" size="small" disabled={!newer} onClick={newer}>
          {statement.newer}
        </Button>
        <Button variant="secondary" size="small" disabled={!older} onClick={older}>
          {statement.older}
        </Button>
      </div>
    </footer>
  )
}
