import { BRAND } from '@parley/contract'
import { Pause, Play } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useFrontWords } from '../../words/front.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Switches } from '../../ui/switches/Switches.tsx'
import { Headline } from './Headline.tsx'
import { Transcript } from './Transcript.tsx'
import { useAuthError } from './useAuthError.ts'

interface LandingProps {
  /** Apple's sign-in button, where the device supports it. */
  readonly apple: ReactNode
  readonly google: ReactNode
}

/**
 * Rendered at build time, readable before any script runs, with a small script of its own: no router, no queries, not
 * the whole catalogue, and ordinary links.
 */
export default function Landing({ apple, google }: LandingProps) {
  const { landing, shell } = useFrontWords()
  const [isPaused, setPaused] = useState(false)
  const authError = useAuthError()
  return (
    <div className="mx-auto flex min-h-screen-safe max-w-7xl flex-col px-5 sm:px-8">
      <header className="flex h-18 items-center justify-between gap-4">
        <a href="/" aria-label={shell.home} className="rounded-base">
          <Logo />
        </a>
        <Switches />
      </header>
      <main className="grid flex-1 content-start gap-x-16 gap-y-12 py-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,30rem)] lg:content-normal lg:items-center lg:py-12">
        <div>
          {authError && (
            <Notice tone="error" className="mb-8">
              {authError}
            </Notice>
          )}
          <Headline isPaused={isPaused} />
          <p className="mt-6 max-w-md text-lg">{landing.tagline}</p>
          <p className="mt-2 max-w-md text-pretty text-muted">{landing.pitch}</p>
          <div className="mt-8 flex flex-col gap-3 sm:max-w-md">
            <ButtonLink size="large">
              <a href="/register">{landing.start}</a>
            </ButtonLink>
            {apple}
            <div className="grid gap-3 sm:grid-cols-[3fr_2fr]">
              {google}
              <ButtonLink variant="secondary">
                <a href="/login">{landing.signIn}</a>
              </ButtonLink>
            </div>
          </div>
          <p className="mt-4 text-sm text-muted">{landing.free}</p>
        </div>
        <div>
          <Transcript isPaused={isPaused} />
          <PauseButton isPaused={isPaused} onChange={setPaused} />
        </div>
      </main>
      <Footer />
    </div>
  )
}

/** Moving text can be paused (WCAG 2.2.2). */
function PauseButton({
  isPaused,
  onChange,
}: {
  readonly isPaused: boolean
  readonly onChange: (isPaused: boolean) => void
}) {
  const { landing } = useFrontWords()
  const Icon = isPaused ? Play : Pause
  return (
    <button
      type="button"
      onClick={() => onChange(!isPaused)}
      className="mt-2 flex h-9 items-center gap-2 rounded-base px-2 text-sm text-muted hover:text-ink"
    >
      <Icon className="size-4" aria-hidden="true" />
      {isPaused ? landing.play : landing.pause}
    </button>
  )
}

function Footer() {
  const { landing } = useFrontWords()
  return (
    <footer className="flex flex-wrap gap-x-8 gap-y-3 border-t border-line py-6 text-sm text-muted">
      <a href="/privacy-policy" className="py-1 hover:text-ink hover:underline">
        {landing.privacy}
      </a>
      <a href="/terms-of-service" className="py-1 hover:text-ink hover:underline">
        {landing.terms}
      </a>
      <a href={`mailto:${BRAND.supportEmail}`} className="py-1 hover:text-ink hover:underline">
        {landing.contact}
      </a>
      <a href={BRAND.parentCompanyUrl} rel="noreferrer" className="py-1 hover:text-ink hover:underline sm:ml-auto">
        {landing.partOf}
      </a>
    </footer>
  )
}
