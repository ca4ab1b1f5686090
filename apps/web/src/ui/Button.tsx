import { Slot } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { classes } from '../lib/classes.ts'
import { Spinner } from './Spinner.tsx'

const VARIANTS = {
  primary: 'bg-brand text-on-brand shadow-soft hover:bg-brand-strong',
  secondary: 'border border-edge/60 bg-surface text-ink hover:border-edge hover:bg-mint',
  quiet: 'text-ink hover:bg-mint',
  danger: 'bg-danger text-on-brand hover:bg-danger-strong',
} as const

const SIZES = {
  small: 'h-9 gap-1.5 px-3 text-sm',
  medium: 'h-11 gap-2 px-4 text-base',
  large: 'h-13 gap-2.5 px-6 text-base',
  icon: 'size-11 shrink-0 justify-center',
} as const

interface Looks {
  readonly variant?: keyof typeof VARIANTS
  readonly size?: keyof typeof SIZES
}

export function buttonClasses({ variant = 'primary', size = 'medium' }: Looks, className?: string): string {
  return classes(
    'inline-flex items-center justify-center rounded-base font-medium whitespace-nowrap transition-colors select-none',
    'disabled:cursor-not-allowed disabled:opacity-55',
    VARIANTS[variant],
    SIZES[size],
    className,
  )
}

interface ButtonProps extends ComponentProps<'button'>, Looks {
  /** Shows a spinner and ignores clicks, but keeps the focus. */
  readonly pending?: boolean
  readonly icon?: ReactNode
}

export function Button({
  variant,
  size,
  pending = false,
  icon,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const looks = { ...(variant && { variant }), ...(size && { size }) }
  return (
    <button
      {...rest}
      // oxlint-disable-next-line react/button-has-type -- one of the three, given by the caller
      type={pending ? 'button' : type}
      aria-disabled={pending || undefined}
      onClick={pending ? undefined : onClick}
      className={buttonClasses(looks, classes(pending && 'cursor-progress opacity-80', className))}
    >
      {pending ? <Spinner className="size-4" /> : icon}
      {children}
    </button>
  )
}

/** A link styled as a button: wrap the router's Link or an anchor. */
export function ButtonLink({
  variant,
  size,
  className,
  children,
}: Looks & { readonly className?: string; readonly children: ReactNode }) {
  const looks = { ...(variant && { variant }), ...(size && { size }) }
  return <Slot.Root className={buttonClasses(looks, className)}>{children}</Slot.Root>
}
