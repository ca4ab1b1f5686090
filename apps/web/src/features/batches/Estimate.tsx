import type { BatchEstimate } from '@parley/contract'
import { count, credits, exactTime } from '../../lib/format/format.ts'
import { useWords } from '../../words/index.ts'

/** Estimated credits and duration, before the start. */
export function Estimate({ estimate, startsNow }: { readonly estimate: BatchEstimate; readonly startsNow: boolean }) {
  const words = useWords().batches.form
  const { likelyCredits, mostCredits, availableCredits, minutes, opensAt } = estimate
  return (
    <div aria-live="polite">
      <h2 className="font-semibold">{words.estimate}</h2>
      <p className="tabular mt-1">{words.estimateCredits(credits(likelyCredits), count(mostCredits))}</p>
      <p className="tabular text-muted">{words.estimateMinutes(words.minutesText(minutes))}</p>
      {startsNow && opensAt && <p className="mt-1 text-live">{words.estimateOpens(exactTime(opensAt))}</p>}
      <p className="tabular mt-1 text-sm text-muted">
        {words.available(credits(availableCredits))} {availableCredits < likelyCredits && words.short}
      </p>
    </div>
  )
}
