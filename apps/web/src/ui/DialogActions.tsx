import type { ReactNode } from 'react'

/** The last row of a dialog; sticky, so that it stays visible. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return (
    <div className="sticky -bottom-6 z-10 -mx-5 mt-2 -mb-6 flex flex-wrap items-center justify-end gap-3 border-t border-line bg-surface px-5 py-4 sm:-mx-6 sm:px-6">
      {children}
    </div>
  )
}
