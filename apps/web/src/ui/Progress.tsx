import { Progress as Radix } from 'radix-ui'
import { classes } from '../lib/classes.ts'

interface ProgressProps {
  readonly label: string
  /** From 0 to max; null: indeterminate. */
  readonly value: number | null
  readonly max?: number
  readonly className?: string
}

export function Progress({ label, value, max = 100, className }: ProgressProps) {
  const share = value === null ? 0.3 : Math.min(1, Math.max(0, value / max))
  return (
    <Radix.Root
      value={value}
      max={max}
      aria-label={label}
      className={classes('h-2 w-full overflow-hidden rounded-full bg-line', className)}
    >
      <Radix.Indicator
        className={classes(
          'h-full origin-left rounded-full bg-fill transition-transform duration-200',
          value === null && 'animate-breathe',
        )}
        style={{ transform: `scaleX(${share})` }}
      />
    </Radix.Root>
  )
}
