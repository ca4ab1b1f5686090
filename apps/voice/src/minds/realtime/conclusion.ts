import { CallSummary, OUTCOME_STATUSES, type Outcome } from '@parley/contract'
import { discretionFor } from '@parley/offline-mind'
import type { Conclusion, EndedCall } from '@parley/voice-ports'
import { z } from 'zod'
import { instructionsFor } from './instructions.ts'
import type { Writing } from './line.ts'
import { evidenceOf } from './tools.ts'

const Report = z.object({
  outcomes: z.array(
    z.object({
      objective: z.int().min(1).describe('Its number, from 1'),
      status: z.enum(OUTCOME_STATUSES).describe('open: nothing was said that settles it'),
      quote: z.string().nullish().describe('The words of the callee that show it, as they said them'),
      offer: z.string().max(300).nullish(),
    }),
  ),
  summary: CallSummary.extend({ type: CallSummary.shape.type.describe('success only where every objective is met') }),
})

const { $schema: _, ...parameters } = z.toJSONSchema(Report)
const TASK = `The call is over. Report it with the function report_call: what came of each objective, and a summary for the person you called for.
Write of what was said, and nothing else. A quote stands in a turn of the callee, word for word. Tell no private value.`
const TURN_LETTERS_MAX = 1000
const TURNS_MAX = 200

export function reportOf(ended: EndedCall): Writing {
  const turns = ended.turns.slice(-TURNS_MAX).map(({ speaker, text, heard }) => {
    const cut = speaker === 'agent' && !heard ? ' …' : ''
    return `${speaker === 'agent' ? 'You' : 'Callee'}: ${text.slice(0, TURN_LETTERS_MAX)}${cut}`
  })
  const reader = ended.order.readerLanguage ?? ended.language
  return {
    instructions: `${instructionsFor(ended)}\n\n${TASK}\nWrite the summary in the language ${reader}.`,
    text: [`The call ended: ${ended.endReason}. What was said:`, ...turns].join('\n'),
    form: { name: 'report_call', description: 'Reports the call.', parameters },
  }
}

/**
 * What a model reports, as far as the turns show it. What the mind has told during the call stays where the report
 * has nothing better.
 * @throws where it is no report
 */
export function concluded(ended: EndedCall, report: unknown): Conclusion {
  const { outcomes, summary } = Report.parse(report)
  const told = ended.order.objectives.map((objective, index): Outcome => {
    const before = ended.outcomes[index] ?? { objective, status: 'open', quote: null, turn: null }
    const found = outcomes.find((each) => each.objective === index + 1)
    const evidence = evidenceOf(found?.quote ?? '', ended)
    if (!found || found.status === 'open' || !evidence) return before
    const mandate = ended.order.mandates?.[index]
    const isLeft = mandate?.rule === 'ask_me' && found.status !== 'refused'
    const status = isLeft ? 'offered' : found.status
    const offer = found.offer ?? (status === 'offered' ? evidence.quote : null)
    return { objective, status, ...evidence, ...(offer !== null && { offer }) }
  })
  const isMet = told.length > 0 && told.every(({ status }) => status === 'met' || status === 'met_within_limits')
  const type = summary.type === 'success' && !isMet ? 'pending' : summary.type
  const actionText = summary.actionRequired ? (summary.actionText ?? summary.nextSteps[0] ?? null) : null
  const fair = { ...summary, type, actionText, actionRequired: actionText !== null }
  if (fair.title.trim() === '' || fair.description.trim() === '') throw new Error('The report says nothing.')
  return discretionFor(ended).conclusion({ outcomes: told, summary: fair })
}
