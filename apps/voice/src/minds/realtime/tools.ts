import { OUTCOME_STATUSES, leavesOf, type CallOrder, type Outcome, vaultPlaceholder } from '@parley/contract'
import { type Asked, type CallState, MIND_END_REASONS, type MindEvent } from '@parley/voice-ports'
import { z } from 'zod'

/** A schema as vendors take it. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface Tool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
}

/** voicemail and the time limit are known without the model. */
const END_REASONS = MIND_END_REASONS.filter((reason) => reason !== 'voicemail' && reason !== 'time_limit')
const WAIT_MAX_SECONDS = 300

const Mark = z.object({
  objective: z.int().min(1).describe('Its number, from 1'),
  status: z.enum(OUTCOME_STATUSES).exclude(['open']),
  quote: z.string().describe('The words of the callee that show it, as they said them'),
  offer: z.string().max(300).optional().describe('What was offered instead, or agreed within limits'),
})
const EndCall = z.object({ reason: z.enum(END_REASONS) })
/** A placeholder of a private value is filled in behind the mind. */
const DIGITS = /^(?:[0-9*#]|\[\[private \d{1,2}\]\]){1,32}$/
const SendDigits = z.object({ digits: z.string().regex(DIGITS).describe('0-9, * and #, or [[private 1]]') })
const Wait = z.object({ seconds: z.number().positive().max(WAIT_MAX_SECONDS) })
const Transfer = z.object({ to: z.string().regex(/^\+[1-9]\d{6,14}$/) })
const AskOwner = z.object({ question: z.string().trim().min(1).max(500) })
const ChangeLanguage = z.object({ language: z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/) })

const SHAPES = {
  mark_objective: ['Notes what the callee said about one objective.', Mark],
  end_call: ['Hangs up once everything said in this reply was heard. Say goodbye first.', EndCall],
  send_digits: ['Presses keys after what was said before.', SendDigits],
  wait: ['The callee asked for a moment: stays silent for them.', Wait],
  leave_message: ['The words of this reply are the message on an answering machine; hangs up.', z.object({})],
  transfer: ['Connects the callee with a number that the order names, as +12125550100.', Transfer],
  ask_owner: ['Passes a question on to the person you call for.', AskOwner],
  change_language: ['Changes the language that you speak from here on, as de or pt-BR.', ChangeLanguage],
} as const satisfies Record<string, readonly [string, z.ZodType]>

export const TOOLS: readonly Tool[] = Object.entries(SHAPES).map(([name, [description, shape]]) => {
  const { $schema: _, ...parameters } = z.toJSONSchema(shape)
  return { name, description, parameters }
})

const Used = z.discriminatedUnion('name', [
  z.object({ name: z.literal('mark_objective'), given: Mark }),
  z.object({ name: z.literal('end_call'), given: EndCall }),
  z.object({ name: z.literal('send_digits'), given: SendDigits }),
  z.object({ name: z.literal('wait'), given: Wait }),
  z.object({ name: z.literal('leave_message'), given: z.object({}) }),
  z.object({ name: z.literal('transfer'), given: Transfer }),
  z.object({ name: z.literal('ask_owner'), given: AskOwner }),
  z.object({ name: z.literal('change_language'), given: ChangeLanguage }),
])

/** What a tool does; nothing where its arguments are not valid, or not allowed by the order. */
export function deedsOf(name: string, given: unknown, asked: Asked): MindEvent[] {
  const { data } = Used.safeParse({ name, given })
  switch (data?.name) {
    case undefined:
      return []
    case 'mark_objective':
      return marked(data.given, asked)
    case 'end_call': {
      const { reason } = data.given
      const last = asked.turns.findLast(({ speaker }) => speaker === 'user')?.text ?? ''
      const quote = asked.cue.type === 'heard' ? asked.cue.text : last
      const end: MindEvent = { type: 'hang_up', reason }
      return reason === 'opted_out' ? [{ type: 'opted_out', quote }, end] : [end]
    }
    case 'send_digits':
      return placeholdersIn(data.given.digits).every((each) => isOrdered(each, asked.order))
        ? [{ type: 'press', digits: data.given.digits }]
        : []
    case 'wait':
      return [{ type: 'wait', forMs: Math.round(data.given.seconds * 1000) }]
    case 'leave_message':
      return asked.cue.type === 'voicemail' ? [{ type: 'hang_up', reason: 'voicemail' }] : []
    case 'transfer':
      return isNamed(data.given.to, asked.order) ? [{ type: 'transfer', to: data.given.to }] : []
    case 'ask_owner':
      return [{ type: 'ask_owner', question: data.given.question }]
    case 'change_language':
      return [{ type: 'language', language: data.given.language }]
  }
}

const placeholdersIn = (digits: string) => digits.match(/\[\[private \d+\]\]/g) ?? []
const isOrdered = (placeholder: string, { vault = [] }: CallOrder) =>
  vault.some((_, index) => vaultPlaceholder(index) === placeholder)

/** A model may have a number from the callee: only those of the order count. */
function isNamed(number: string, { purpose, objectives, context }: CallOrder): boolean {
  const texts = [purpose, ...objectives, ...leavesOf(context).map(({ value }) => String(value))]
  const digits = number.slice(1)
  return texts.some((text) => text.replaceAll(/[\s().-]/g, '').includes(`+${digits}`))
}

function marked({ objective: number, status, quote, offer }: z.infer<typeof Mark>, asked: Asked): MindEvent[] {
  const index = number - 1
  const objective = asked.order.objectives[index]
  const evidence = evidenceOf(quote, asked)
  if (objective === undefined || !evidence) return []
  const mandate = asked.order.mandates?.[index]
  // What only the principal may agree to is brought home as an offer.
  const isLeft = mandate?.rule === 'ask_me' && (status === 'met' || status === 'met_within_limits')
  const told = { objective, status: isLeft ? ('offered' as const) : status, ...evidence }
  const what = offer ?? (isLeft || status === 'offered' ? evidence.quote : null)
  return [{ type: 'outcome', index, outcome: { ...told, ...(what !== null && { offer: what }) } }]
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** The newest turn of the callee that holds the words. A turn that is answered early has no end yet. */
export function evidenceOf(quote: string, { turns }: Pick<CallState, 'turns'>): Pick<Outcome, 'quote' | 'turn'> | null {
  const words = plain(quote)
  if (words === '') return null
  const turn = turns.findLast(({ speaker, text }) => speaker === 'user' && ` ${plain(text)} `.includes(` ${words} `))
  if (!turn) return null
  return { quote: turn.text.includes(quote) ? quote : turn.text, turn: turn.index }
}
