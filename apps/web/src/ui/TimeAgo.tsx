import { exactTime, relativeTime } from '../lib/format.ts'
import { useNow } from '../lib/useNow.ts'

const MINUTE_MS = 60_000

/** A moment as one speaks of it; the exact one shows on hover. */
export function TimeAgo({ at, className }: { readonly at: string; readonly className?: string }) {
  const now = useNow(MINUTE_MS)
  return (
    <time dateTime={at} title={exactTime(at)} className={className}>
      {relativeTime(at, Math.max(now, Date.parse(at)))}
    </time>
  )
}
