import { CloudOff, Wifi, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { classes } from '../lib/classes.ts'
import { type Connection, useConnection } from '../lib/server/connection.ts'
import { useWords } from '../words/index.ts'

const BACK_SHOWN_MS = 3000
const ICONS = { offline: WifiOff, away: CloudOff, online: Wifi } as const

/**
 * Shows that the network or the server is gone, and for a moment that it is back. An overlay, so that nothing shifts.
 */
export function ConnectionBanner() {
  const { connection } = useWords().shell
  const now = useConnection()
  const [shown, setShown] = useState<Connection>()
  // The banner follows the connection; only the "back" message has a timer.
  if (now !== 'online' && shown !== now) setShown(now)
  if (now === 'online' && shown !== undefined && shown !== 'online') setShown('online')
  useEffect(() => {
    if (shown !== 'online') return undefined
    const timer = setTimeout(() => setShown(undefined), BACK_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown])
  const Icon = ICONS[shown ?? 'online']
  return (
    // An element with aria-live is not hidden by dialogs.
    <output
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 top-0 z-60 flex justify-center px-4 pt-[max(0.5rem,var(--safe-top))]"
    >
      {shown && (
        <span
          className={classes(
            'flex animate-rise items-center gap-2.5 rounded-base border px-4 py-2 text-sm font-medium shadow-soft',
            shown === 'online' ? 'border-brand/30 bg-mint text-brand' : 'border-live/40 bg-live-soft text-live',
          )}
        >
          <Icon className="size-4 shrink-0" aria-hidden="true" />
          {connection[shown]}
        </span>
      )}
    </output>
  )
}
