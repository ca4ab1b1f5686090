import type { BatchEstimate } from '@parley/contract'
import { count, credits } from '../../lib/format.ts'
import { useWords } from '../../lib/words/index.ts'

/** What it will cost and how long it will take, before anybody is called. */
export function Estimate({ estimate }: { readonly estimate: BatchEstimate }) {
  const words = useWords().batches.form
  const { likelyCredits, mostCredits, availableCredits, minutes } = estimate
  return (
    <div aria-live="polite">
      <h2 className="font-semibold">{words.estimate}</h2>
      <p className="tabular mt-1">{words.estimateCredits(credits(likelyCredits), count(mostCredits))}</p>
      <p className="tabular text-muted">{words.estimateMinutes(words.minutesText(minutes))}</p>
      <p className="tabular mt-1 text-sm text-muted">
        {words.available(credits(availableCredits))} {availableCredits < likelyCredits && words.short}
      </p>
    </div>
  )
}
