import { useDeferredValue } from 'react'
import { exactTime, relativeTime } from '../lib/format/format.ts'
import { useNow } from '../lib/format/useNow.ts'

const MINUTE_MS = 60_000

/** A relative time; the exact one is its title. */
export function TimeAgo({ at, className }: { readonly at: string; readonly className?: string }) {
  const now = useNow(MINUTE_MS)
  // Set after rendering, because the first exact time takes Intl long.
  const isDrawn = useDeferredValue(true, false)
  return (
    <time dateTime={at} title={isDrawn ? exactTime(at) : undefined} className={className}>
      {relativeTime(at, Math.max(now, Date.parse(at)))}
    </time>
  )
}
