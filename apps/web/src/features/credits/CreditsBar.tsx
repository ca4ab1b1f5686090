import { estimatedMinutes } from '@parley/contract'
import { count } from '../../lib/format/format.ts'
import { useHeldCredits, useRunning } from '../../lib/server/running.ts'
import { useWords } from '../../words/index.ts'
import { ButtonLink } from '../../ui/Button.tsx'

/** The balance, how long it lasts, and a link to buy more. */
export function CreditsBar({ balance }: { readonly balance: string }) {
  const { shell, credits } = useWords()
  const held = useHeldCredits()
  const calls = useRunning()?.length ?? 2
  const minutes = estimatedMinutes(Number(balance))
  return (
    // On a phone as high as its two lines, also before they load (app/shell/Frame.tsx).
    <section
      aria-label={shell.credits}
      className="flex items-center justify-between gap-4 border-b border-line px-4 py-2.5 max-sm:min-h-17.25 sm:px-8"
    >
      <p className="flex flex-wrap items-baseline gap-x-2 text-sm text-muted">
        {shell.availableCredits}
        <strong className="tabular text-lg font-semibold text-ink">{count(balance)}</strong>
        <span className="tabular">{credits.minutes(minutes, count(minutes))}</span>
        {held > 0 && <span className="tabular">{credits.held(calls, count(held))}</span>}
      </p>
      <ButtonLink size="small">
        {/* A full load: only the pages that take cards may talk to the card processor. */}
        <a href="/credits/purchase">{shell.buyCredits}</a>
      </ButtonLink>
    </section>
  )
}
