import type { ReactNode } from 'react'
import { classes } from '../lib/classes.ts'

const TONES = {
  neutral: 'bg-line/70 text-ink',
  good: 'bg-mint text-brand',
  live: 'bg-live-soft text-live',
  bad: 'bg-danger-soft text-danger',
} as const

export type Tone = keyof typeof TONES

/** A status label. `pulse` animates its dot: in progress. */
export function Badge({
  tone = 'neutral',
  pulse = false,
  children,
}: {
  readonly tone?: Tone
  readonly pulse?: boolean
  readonly children: ReactNode
}) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-sm font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {pulse && <span className="size-1.5 animate-breathe rounded-full bg-current" aria-hidden="true" />}
      {children}
    </span>
  )
}
