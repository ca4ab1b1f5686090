import { type CallSummary, isMet, type Outcome, SummaryType } from '@parley/contract'
import { discretionFor } from '@parley/offline-mind'
import type { Conclusion, EndedCall, Usage } from '@parley/voice-ports'
import { z } from 'zod'
import { JudgedOutcome, transcriptOf } from './observing.ts'
import { openOutcome, outcomeFrom } from './outcomes.ts'
import { languageName, prefixOf, situationOf } from './prompt.ts'
import { JUDGING } from './rules.ts'
import { askFor } from './structured.ts'
import type { Talking } from './talker.ts'

const Concluded = z.object({
  outcomes: z.array(JudgedOutcome).describe('One for each objective, in order'),
  summary: z.object({
    type: SummaryType,
    title: z.string().describe('At most 10 words'),
    description: z.string().describe('What happened and what stands, in at most four sentences'),
    insights: z.array(z.string()).describe('What was learned, each in one sentence; only what was said'),
    next_steps: z.array(z.string()).describe('What the principal should do next, each in one sentence'),
    action: z.string().nullable().describe('The one thing that the principal must decide or do; else null'),
  }),
})

const RULES = `${JUDGING}
- The summary is for the principal: plain words, only what was said in the call, nothing guessed, nothing private.
- type: success only when every objective is met or met_within_limits; pending when the principal must decide or act; failed when nothing was reached; else other.
- Offers are never told as agreed.`

const LIST_MAX = 8
const TITLE_MAX = 200
const TEXT_MAX = 2000
const ITEM_MAX = 500

/** The outcomes and the summary of a call that is over, by schema. Throws a ModelFailure where no answer fits. */
export async function conclude(
  ended: EndedCall,
  talking: Talking,
  spend: (usage: Usage) => void,
  signal: AbortSignal,
): Promise<Conclusion> {
  const language = languageName(ended.order.readerLanguage ?? ended.language)
  const task = [
    `The call is over: ${ended.endReason}. Judge each objective and write the summary.`,
    `Write title, description, insights, next_steps and action in ${language}; quotes stay as they were said.`,
  ]
  const spoken = transcriptOf(ended) || 'Nobody spoke.'
  const content = `${spoken}\n\n${situationOf(ended)}\n\n${task.join('\n')}`
  const question = { instructions: prefixOf(ended, RULES), messages: [{ role: 'user' as const, content }] }
  const concluded = await askFor({ question, schema: Concluded, spend }, talking, signal)
  const outcomes = outcomesOf(concluded.outcomes, ended)
  return discretionFor(ended).conclusion({ outcomes, summary: summaryOf(concluded.summary, outcomes) })
}

/** One for each objective: an unknown number is left out, a missing one is open, and of two the last counts. */
function outcomesOf(judged: readonly z.infer<typeof JudgedOutcome>[], ended: EndedCall): Outcome[] {
  const outcomes = ended.order.objectives.map(openOutcome)
  if (!ended.turns.some(({ speaker }) => speaker === 'user')) return outcomes
  for (const each of judged) {
    const told = outcomeFrom(each, ended)
    if (told) outcomes[told.index] = told.outcome
  }
  return outcomes
}

function summaryOf(told: z.infer<typeof Concluded>['summary'], outcomes: readonly Outcome[]): CallSummary {
  const list = (items: readonly string[]) => items.flatMap((item) => clipped(item, ITEM_MAX) || []).slice(0, LIST_MAX)
  const actionText = clipped(told.action ?? '', ITEM_MAX) || null
  const isWhole = outcomes.every(isMet)
  const title = clipped(told.title, TITLE_MAX)
  return {
    type: told.type === 'success' && !isWhole ? 'pending' : told.type,
    title: title || clipped(told.description, TITLE_MAX),
    description: clipped(told.description, TEXT_MAX) || title,
    insights: list(told.insights),
    nextSteps: list(told.next_steps),
    actionRequired: actionText !== null,
    actionText,
  }
}

const clipped = (text: string, max: number) => text.trim().slice(0, max)
