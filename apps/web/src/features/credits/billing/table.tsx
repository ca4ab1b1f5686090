import type { ReactNode } from 'react'

export const HEAD =
  'text-sm text-muted *:px-2 *:py-3 sm:*:px-2.5 *:font-medium *:first:pl-4 *:last:pr-4 sm:*:first:pl-5 sm:*:last:pr-5'
export const CELL = 'border-t border-line px-2 py-3 sm:px-2.5 first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5'

/** What a list of records lies on. */
export function Sheet({ children }: { readonly children: ReactNode }) {
  return <div className="overflow-x-auto rounded-base border border-line bg-surface shadow-soft">{children}</div>
}
