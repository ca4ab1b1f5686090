import { MIND_END_REASONS } from '@parley/voice-ports'
import { tool, type ToolSet } from 'ai'
import { z } from 'zod'

/** Reasons that a model may give; voicemail and the time limit are known without it. */
const REASONS = MIND_END_REASONS.filter((reason) => reason !== 'voicemail' && reason !== 'time_limit')

/** As flat as weak models need it; outcomes.ts makes an OutcomeValue of it. */
export const ToldValue = z.object({
  type: z.enum(['date_time', 'date', 'money', 'number', 'name', 'reference']),
  text: z
    .string()
    .describe('date_time as 2026-11-30T19:30 in local time, date as 2026-11-30, money and number as digits: 119.50'),
  unit: z.string().nullable().describe('For money the currency, as USD; for a number its unit; else null'),
})
export type ToldValue = z.infer<typeof ToldValue>

const Mark = z.object({
  objective: z.int().describe('Its number, from 1'),
  status: z.enum(['met', 'met_within_limits', 'offered', 'refused']),
  quote: z.string().describe('The words of the callee that show it, exactly as they stand in their turn'),
  offer: z.string().nullish().describe('What was offered, or agreed within limits'),
  value: ToldValue.nullish().describe('What was agreed or found out, where it is countable'),
})

const EndCall = z.object({ reason: z.enum(REASONS) })
const SendDigits = z.object({ digits: z.string().describe('0-9, * and #, or a placeholder such as [[private 1]]') })
const Wait = z.object({ seconds: z.number().describe('How long the callee may be silent, up to 300') })
const Transfer = z.object({ to: z.string().describe('The number or the name that the order gives') })
const AskOwner = z.object({ question: z.string().describe('In one sentence') })
const ChangeLanguage = z.object({ language: z.string().describe('As a tag of BCP 47: de, fr, pt-BR') })

/** Without execute(): whatever they do happens here, never in the package. */
export const TOOLS = {
  mark_objective: tool({ description: 'Notes what the callee said about one objective.', inputSchema: Mark }),
  end_call: tool({ description: 'Hangs up once everything said in this reply was heard.', inputSchema: EndCall }),
  send_digits: tool({ description: 'Presses keys after what was said before.', inputSchema: SendDigits }),
  wait: tool({ description: 'The callee asked for a moment: stays silent for them.', inputSchema: Wait }),
  leave_message: tool({
    description: 'The words of this reply are the message on an answering machine; hangs up after it.',
    inputSchema: z.object({}),
  }),
  transfer: tool({ description: 'Connects the callee with somebody named in the order.', inputSchema: Transfer }),
  ask_owner: tool({ description: 'Passes a question on to the principal.', inputSchema: AskOwner }),
  change_language: tool({
    description: 'Changes the language that you speak from here on.',
    inputSchema: ChangeLanguage,
  }),
} satisfies ToolSet
export type Tools = typeof TOOLS

export const TOOL_NAMES: ReadonlySet<string> = new Set(Object.keys(TOOLS))

/** Their place among the words matters. */
export const ORDERED_TOOLS: ReadonlySet<string> = new Set(['send_digits', 'transfer', 'change_language'])

const Acted = z.discriminatedUnion('tool', [
  z.object({ tool: z.literal('mark_objective'), input: Mark }),
  z.object({ tool: z.literal('end_call'), input: EndCall }),
  z.object({ tool: z.literal('send_digits'), input: SendDigits }),
  z.object({ tool: z.literal('wait'), input: Wait }),
  z.object({ tool: z.literal('leave_message'), input: z.object({}) }),
  z.object({ tool: z.literal('transfer'), input: Transfer }),
  z.object({ tool: z.literal('ask_owner'), input: AskOwner }),
  z.object({ tool: z.literal('change_language'), input: ChangeLanguage }),
])
export type Acted = z.infer<typeof Acted>

/** A call as one of the tools; null for anything else. */
export function actedOf(tool: string, input: unknown): Acted | null {
  const { data } = Acted.safeParse({ tool, input })
  return data ?? null
}
