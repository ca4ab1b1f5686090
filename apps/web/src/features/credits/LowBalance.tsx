import { LOW_BALANCE_CREDITS, type User } from '@parley/contract'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { count } from '../../lib/format/format.ts'
import { useHeldCredits } from '../../lib/server/running.ts'
import { useWords } from '../../words/index.ts'
import { createDismissal } from './dismissal.ts'

/** Announces a low balance until dismissed; again after the balance rose and fell. */
export function LowBalance({ user }: { readonly user: User }) {
  const { low } = useWords().credits
  const [dismissal] = useState(() => createDismissal(user.id, localStorage))
  const [isDismissed, setIsDismissed] = useState(() => dismissal.isDismissed())
  // Held credits are not spent yet.
  const balance = Number(user.creditBalance) + useHeldCredits()
  const isLow = balance < LOW_BALANCE_CREDITS
  useEffect(() => {
    if (!isLow) dismissal.forget()
  }, [isLow, dismissal])
  // Adjusted during rendering, so that notice and balance change together.
  if (!isLow && isDismissed) setIsDismissed(false)
  if (!isLow || isDismissed) return null
  return (
    <section
      aria-label={low.label}
      className="flex items-center justify-between gap-4 border-b border-line bg-live-soft px-4 py-1 sm:px-8"
    >
      <output className="block py-1.5 text-sm">{balance > 0 ? low.text(balance, count(balance)) : low.none}</output>
      <button
        type="button"
        aria-label={low.dismiss}
        onClick={() => {
          dismissal.remember()
          setIsDismissed(true)
        }}
        className="-mr-2 grid size-9 shrink-0 place-items-center rounded-base text-muted hover:text-ink"
      >
        <X className="size-4" aria-hidden="true" />
      </button>
    </section>
  )
}
