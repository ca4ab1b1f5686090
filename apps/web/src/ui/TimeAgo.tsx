import { useDeferredValue } from 'react'
import { exactTime, relativeTime } from '../lib/format/format.ts'
import { useNow } from '../lib/format/useNow.ts'

const MINUTE_MS = 60_000

/** A moment as one speaks of it; the exact one shows on hover. */
export function TimeAgo({ at, className }: { readonly at: string; readonly className?: string }) {
  const now = useNow(MINUTE_MS)
  // Nobody hovers before it is drawn, and the first exact time takes Intl long: it comes after.
  const isDrawn = useDeferredValue(true, false)
  return (
    <time dateTime={at} title={isDrawn ? exactTime(at) : undefined} className={className}>
      {relativeTime(at, Math.max(now, Date.parse(at)))}
    </time>
  )
}
