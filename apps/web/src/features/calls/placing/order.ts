import { CALL_MINUTES_DEFAULT, CALL_MINUTES_MAX, CALL_MINUTES_MIN, type Call, type CallLanguage, type Tone } from '@parley/contract'
import { words } from '../../../lib/words/index.ts'

/** A call as a person asks for it; the account's id joins it when it is placed. */
export interface Order {
  readonly callee: string
  readonly purpose: string
  readonly objectives: string[]
  readonly tone: Tone
  readonly maxDurationMinutes: number
  readonly context: Record<string, unknown>
  readonly language: CallLanguage
  readonly confirmOutsideHours?: boolean
}

/** What stands in the form's fields. */
export interface OrderFields {
  callee: string
  purpose: string
  objectives: string[]
  /** Typed, but not yet added to the objectives. */
  nextObjective: string
  tone: Tone
  maxDurationMinutes: string
  context: string
  language: CallLanguage
}

export type OrderField = keyof OrderFields

export function emptyFields(tone: Tone): OrderFields {
  return {
    callee: '',
    purpose: '',
    objectives: [],
    nextObjective: '',
    tone,
    maxDurationMinutes: String(CALL_MINUTES_DEFAULT),
    context: '',
    language: 'auto',
  }
}

/** Trimmed and without duplicates; nothing is added for nothing. */
export function withObjective(objectives: readonly string[], typed: string): string[] {
  const objective = typed.trim()
  return objective === '' || objectives.includes(objective) ? [...objectives] : [...objectives, objective]
}

export type Checked = { readonly order: Order } | { readonly problem: string; readonly fields: readonly OrderField[] }

/** The order in the fields, or what is wrong with it: the gravest thing, and the fields it is about. */
export function checkOrder(fields: OrderFields): Checked {
  const { form } = words().calls
  const missing = (['callee', 'purpose'] as const).filter((name) => fields[name].trim() === '')
  if (missing.length > 0) return { problem: form.required, fields: missing }
  const context = contextIn(fields.context)
  if (!context) return { problem: form.contextWrong, fields: ['context'] }
  const minutes = Number(fields.maxDurationMinutes)
  const fits = Number.isInteger(minutes) && minutes >= CALL_MINUTES_MIN && minutes <= CALL_MINUTES_MAX
  if (!fits) return { problem: form.minutesWrong, fields: ['maxDurationMinutes'] }
  return {
    order: {
      callee: fields.callee.trim(),
      purpose: fields.purpose.trim(),
      objectives: withObjective(fields.objectives, fields.nextObjective),
      tone: fields.tone,
      maxDurationMinutes: minutes,
      context,
      language: fields.language,
    },
  }
}

/** JSON with names in it; a bare number or a list says nothing about anything. */
function contextIn(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The same order once more. */
export function orderOf(call: Call): Order {
  const { callee, purpose, objectives, tone, maxDurationMinutes, context, language } = call
  return { callee, purpose, objectives, tone, maxDurationMinutes, context, language }
}
