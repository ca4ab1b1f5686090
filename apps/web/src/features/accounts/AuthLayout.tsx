import { Link } from '@tanstack/react-router'
import { Check, Circle } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWords } from '../../words/index.ts'
import { Logo } from '../../ui/Logo.tsx'
import { Switches } from '../../ui/switches/Switches.tsx'

interface AuthLayoutProps {
  readonly title: ReactNode
  readonly lead?: ReactNode
  readonly children: ReactNode
}

/** The form at the left; at the right, if there is room, an example of results. */
export function AuthLayout({ title, lead, children }: AuthLayoutProps) {
  const { shell } = useWords()
  return (
    <div className="grid min-h-screen-safe lg:grid-cols-[minmax(0,1fr)_minmax(0,44%)]">
      <div className="flex flex-col px-6 py-5 max-[22rem]:px-4 sm:px-10">
        <header className="flex items-center justify-between">
          <Link to="/" aria-label={shell.home} className="rounded-base">
            <Logo />
          </Link>
          <Switches />
        </header>
        <main className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center py-12">
          <h1 className="text-xl font-semibold">{title}</h1>
          {lead && <p className="mt-1 text-muted">{lead}</p>}
          <div className="mt-8">{children}</div>
        </main>
      </div>
      <Outcome />
    </div>
  )
}

const ICONS = {
  met: <Check className="mt-1.5 size-6 shrink-0 text-brand" strokeWidth={2.5} aria-hidden="true" />,
  open: <Circle className="mt-1.5 size-6 shrink-0 text-muted" strokeDasharray="3 4" aria-hidden="true" />,
} as const

function Outcome() {
  const { aside } = useWords().accounts
  return (
    <aside className="hidden flex-col justify-center bg-mint px-14 lg:flex" aria-label={aside.title}>
      <p className="mb-6 font-medium text-muted">{aside.title}</p>
      <ul className="grid gap-5">
        {aside.lines.map(({ isMet, text }) => (
          <li key={text} className="flex gap-4 text-xl font-medium">
            {isMet ? ICONS.met : ICONS.open}
            <span>
              <span className="sr-only">{isMet ? aside.met : aside.open}: </span>
              {text}
            </span>
          </li>
        ))}
      </ul>
    </aside>
  )
}
