import { classes } from '../lib/classes.ts'

export function Spinner({ className }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 20 20" className={classes('size-5 animate-spin', className)} aria-hidden="true">
      <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" strokeWidth="2.5" opacity=".22" />
      <path d="M10 2a8 8 0 0 1 8 8" fill="none" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  )
}

/** Fills the screen while loading. */
export function PageSpinner({ label }: { readonly label: string }) {
  return (
    <output className="grid min-h-screen-safe place-items-center text-brand">
      <Spinner className="size-8" />
      <span className="sr-only">{label}</span>
    </output>
  )
}
