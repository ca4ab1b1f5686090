import { Link } from '@tanstack/react-router'
import { useWords } from '../words/index.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Logo } from '../ui/Logo.tsx'

export default function NotFound() {
  const { shell, titles } = useWords()
  return (
    <div className="mx-auto flex min-h-screen-safe max-w-3xl flex-col px-6 py-6">
      <header>
        <Link to="/" aria-label={shell.home} className="inline-block rounded-base">
          <Logo />
        </Link>
      </header>
      <main className="flex flex-1 flex-col items-start justify-center gap-4 pb-24">
        <h1 className="text-2xl font-semibold">{titles['/$']}</h1>
        <p className="max-w-prose text-lg text-muted">{shell.notFoundText}</p>
        <ButtonLink className="mt-4">
          <Link to="/">{shell.goHome}</Link>
        </ButtonLink>
      </main>
    </div>
  )
}
