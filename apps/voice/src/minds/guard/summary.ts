import { type CallOrder, type CallSummary, type EndReason, isMet, type Outcome } from '@parley/contract'
import type { Conclusion } from '@parley/voice-ports'
import { claimsDone } from './commitments.ts'

/** A summary in the words of the service, of what the outcomes say. */
export type PlainSummary = (reason: EndReason, spoke: boolean, outcomes: readonly Outcome[]) => CallSummary

interface Ended {
  readonly plainSummary: PlainSummary
  readonly order: Pick<CallOrder, 'objectives'>
  readonly endReason: EndReason
  readonly turns: readonly unknown[]
}

/** A conclusion that tells no more than its outcomes: where the mind's words do, they are replaced. */
export function truthful(
  claimed: Conclusion,
  outcomes: readonly Outcome[],
  isGranted: boolean,
  ended: Ended,
): Conclusion {
  const { summary } = claimed
  const got = outcomes.length > 0 ? outcomes.every(isMet) : isGranted
  const isLowered = claimed.outcomes.some(
    (claim, index) => isMet(claim) && !isMet(outcomes[index] ?? { status: 'open' }),
  )
  const texts = [summary.title, summary.description, ...summary.insights]
  const isBoast = !outcomes.some(isMet) && !isGranted && texts.some(claimsDone)
  if ((summary.type !== 'success' || got) && !isLowered && !isBoast) return { outcomes, summary: whole(summary) }
  return { outcomes, summary: ended.plainSummary(ended.endReason, ended.turns.length > 0, outcomes) }
}

/** An action is required where one is named, and only there. */
function whole(summary: CallSummary): CallSummary {
  const actionText = summary.actionText === null || summary.actionText.trim() === '' ? null : summary.actionText
  return { ...summary, actionText, actionRequired: actionText !== null }
}
