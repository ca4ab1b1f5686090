import { type CallSummary, type EndReason, isMet, type Outcome, type SummaryWanted } from '@parley/contract'
import type { Logger } from 'pino'
import type { Conclusion, EndedCall, Mind } from '@parley/voice-ports'
import { END_MESSAGES } from './endings.ts'
import { firstLanguage } from './language.ts'
import { CONCLUSION_MS } from '../limits.ts'

export interface Ended extends EndedCall {
  /** The callee's questions that only the user can answer. */
  readonly questions: readonly string[]
}

/** Returns the mind's conclusion or, after two failures, one made of what the session knows. Never rejects. */
export async function conclude(
  mind: Mind,
  { questions, ...ended }: Ended,
  hurry: AbortSignal,
  log: Logger,
): Promise<Conclusion> {
  const conclusion = await concluded(mind, ended, hurry, log)
  return { ...conclusion, summary: withQuestions(conclusion.summary, questions) }
}

/** The mind's summary of an ended call from its record; null where it makes none in time. Never rejects. */
export async function summariseAgain(
  mind: Mind,
  { order, endReason, turns, outcomes }: SummaryWanted,
  log: Logger,
): Promise<CallSummary | null> {
  const language = firstLanguage(order, mind)
  const timezone = order.timezone ?? 'UTC'
  const known = { order, language, turns, memory: undefined, now: new Date(), timezone, timeLeftMs: 0, outcomes }
  const signal = AbortSignal.timeout(CONCLUSION_MS)
  try {
    const concluding = mind.conclude({ ...known, endReason }, signal)
    const { summary, usage = [] } = await Promise.race([concluding, whenAborted(signal)])
    // The figures of the call are closed.
    if (usage.length > 0) log.info({ mind: mind.name, tokens: usage }, 'tokens used by another summary')
    return summary
  } catch (error) {
    log.error({ mind: mind.name, err: error }, 'no summary was made')
    return null
  }
}

/** The agent told the callee that these are passed on. */
function withQuestions(summary: CallSummary, questions: readonly string[]): CallSummary {
  const [first, ...more] = questions.map((question) => `Answer their question: "${question}"`)
  if (first === undefined) return summary
  const nextSteps = [...summary.nextSteps, first, ...more]
  return { ...summary, nextSteps, actionRequired: true, actionText: summary.actionText ?? first }
}

async function concluded(mind: Mind, ended: EndedCall, hurry: AbortSignal, log: Logger): Promise<Conclusion> {
  for (const attempt of [1, 2]) {
    if (hurry.aborted) break
    try {
      const signal = AbortSignal.any([hurry, AbortSignal.timeout(CONCLUSION_MS)])
      // A mind that does not heed its signal must not hold the call open.
      return await Promise.race([mind.conclude(ended, signal), whenAborted(signal)])
    } catch (error) {
      log.error({ mind: mind.name, attempt, err: error }, 'conclusion failed')
    }
  }
  const { outcomes, endReason, turns } = ended
  return { outcomes, summary: plainSummary(endReason, turns.length > 0, outcomes) }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The conclusion took too long.')), { once: true })
  })
}

export function plainSummary(reason: EndReason, spoke: boolean, outcomes: readonly Outcome[]): CallSummary {
  const open = outcomes.filter(({ status }) => status === 'open').map(({ objective }) => objective)
  const met = outcomes.filter(isMet)
  const offered = outcomes.flatMap(({ status, objective, offer, quote }) =>
    status === 'offered'
      ? [
          `They offer ${offer ?? `something else ("${quote ?? ''}")`} for "${objective}": accept it or ask for something else.`,
        ]
      : [],
  )
  const all = outcomes.length > 0 && met.length === outcomes.length
  const left = [...offered, ...(open.length > 0 ? ['Call again or settle the open points another way.'] : [])]
  return {
    type: all ? 'success' : offered.length > 0 || (spoke && open.length > 0) ? 'pending' : spoke ? 'other' : 'failed',
    title: END_MESSAGES[reason],
    description: spoke ? 'No summary could be made. The transcript has what was said.' : END_MESSAGES[reason],
    insights: met.flatMap(({ objective, quote, offer }) =>
      quote === null
        ? []
        : [`${objective}${offer === null || offer === undefined ? '' : ` (agreed: ${offer})`}: "${quote}"`],
    ),
    nextSteps: [...offered, ...open.map((objective) => `Still open: ${objective}`)],
    actionRequired: left.length > 0,
    actionText: left[0] ?? null,
  }
}
