import { BRAND } from '@parley/contract'
import { classes } from '../lib/classes.ts'

/** A speech bubble in the shape of a P, with a sound wave. */
export function Logo({ className }: { readonly className?: string }) {
  return (
    <span className={classes('inline-flex items-center gap-2 text-lg font-semibold tracking-tight', className)}>
      <svg viewBox="0 0 32 32" className="size-8 text-brand" aria-hidden="true">
        <path fill="currentColor" d="M16 3a11 11 0 1 1-4.6 21l-5.2 5.3A1.3 1.3 0 0 1 4 28.4V14A11 11 0 0 1 16 3Z" />
        <path
          className="fill-on-brand"
          d="M10.5 11.5a1.5 1.5 0 0 1 3 0v5a1.5 1.5 0 0 1-3 0zm4.5-3a1.5 1.5 0 0 1 3 0v11a1.5 1.5 0 0 1-3 0zm4.5 4a1.5 1.5 0 0 1 3 0v3a1.5 1.5 0 0 1-3 0z"
        />
      </svg>
      {BRAND.product}
    </span>
  )
}
