import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '../lib/classes.ts'

const TONES = {
  info: { Icon: Info, look: 'border-line bg-surface', icon: 'text-muted' },
  success: { Icon: CircleCheck, look: 'border-brand/30 bg-mint', icon: 'text-brand' },
  error: { Icon: CircleAlert, look: 'border-danger/40 bg-danger-soft', icon: 'text-danger' },
} as const

interface NoticeProps {
  readonly tone: keyof typeof TONES
  readonly children: ReactNode
  readonly className?: string
}

/** A message within the page: errors are announced at once, others politely. */
export function Notice({ tone, children, className }: NoticeProps) {
  const { Icon, look, icon } = TONES[tone]
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={classes('flex gap-3 rounded-base border px-4 py-3 text-base', look, className)}
    >
      <Icon className={classes('mt-0.5 size-5 shrink-0', icon)} aria-hidden="true" />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}
