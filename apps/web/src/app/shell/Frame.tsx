import { Menu } from 'lucide-react'
import { useHead, type HeadedPath } from '../../lib/heads.ts'
import { useWords } from '../../words/index.ts'
import { PageHead } from '../../ui/Card.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { Spinner } from '../../ui/Spinner.tsx'

/**
 * A member screen while the session loads: its static parts in their final positions. The build renders it into the
 * HTML (build/frames.ts), so that it is readable before any script runs.
 */
export function Frame({ path }: { readonly path: HeadedPath }) {
  const { shell } = useWords()
  return (
    <div className="lg:grid lg:grid-cols-[16.5rem_minmax(0,1fr)]">
      <div className="hidden h-dvh border-r border-line bg-surface p-4 lg:block">
        <div className="px-2 pt-1">
          <Logo />
        </div>
      </div>
      <div className="flex min-h-screen-safe min-w-0 flex-col">
        <div data-app-head className="flex h-14 items-center gap-1 border-b border-line bg-surface pl-1 lg:hidden">
          <div className="grid size-11 place-items-center">
            <Menu className="size-5" aria-hidden="true" />
          </div>
          <Logo />
        </div>
        <div className="min-h-17.25 border-b border-line sm:min-h-14.25" />
        <div className="mx-auto w-full max-w-6xl flex-1 px-4 pt-6 pb-16 sm:px-8 sm:pt-8">
          <Beginning path={path} label={shell.loadingSession} />
        </div>
      </div>
    </div>
  )
}

/** A screen's heading as a picture until the screen is loaded; screen readers hear that it is loading. */
export function Beginning({ path, label }: { readonly path: HeadedPath; readonly label: string }) {
  return (
    <>
      <div aria-hidden="true">
        <PageHead {...useHead(path)} />
      </div>
      <output className="grid min-h-48 place-items-center text-brand">
        <Spinner className="size-8" />
        <span className="sr-only">{label}</span>
      </output>
    </>
  )
}
