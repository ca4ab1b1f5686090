import {
  CALL_MINUTES_DEFAULT,
  CALL_MINUTES_MAX,
  CALL_MINUTES_MIN,
  type Call,
  type CallLanguage,
  type Mandate,
  secretIn,
  type Tone,
  type VaultEntry,
  type VaultItem,
} from '@parley/contract'
import { blanksIn } from '../../../lib/blanks.ts'
import { words } from '../../../words/index.ts'
import { mandatesIn, type MandatesTyped, mandatesTyped } from '../../../lib/mandate/mandateFields.ts'
import { vaultFieldsOf, vaultIn, vaultProblemIn, type VaultFields } from '../vault/vaultFields.ts'

/** What a call is about and how it should sound: everything but the callee. */
export interface Manner {
  readonly purpose: string
  readonly objectives: string[]
  /** One for each objective; none: as their words say. */
  readonly mandates?: (Mandate | null)[]
  readonly tone: Tone
  readonly maxDurationMinutes: number
  readonly context: Record<string, unknown>
  readonly language: CallLanguage
}

/** A call to place; the user's id is added to the request. */
export interface NewCall extends Manner {
  readonly callee: string
  /** null: a number of the phone network; left out: the account's default. */
  readonly from?: string | null
  readonly confirmOutsideHours?: boolean
  readonly vault?: VaultEntry[]
}

/** The form's fields. */
export interface CallFields {
  callee: string
  /** A number of the account, NETWORK_NUMBER, or empty for the account's default. */
  from: string
  purpose: string
  objectives: string[]
  /** Typed, but not yet added to the objectives. */
  nextObjective: string
  mandates: MandatesTyped
  vault: VaultFields[]
  tone: Tone
  maxDurationMinutes: string
  context: string
  language: CallLanguage
}

export const NETWORK_NUMBER = 'network'

export type CallField = keyof CallFields

export function emptyFields(tone: Tone): CallFields {
  return {
    callee: '',
    from: '',
    purpose: '',
    objectives: [],
    nextObjective: '',
    mandates: {},
    vault: [],
    tone,
    maxDurationMinutes: String(CALL_MINUTES_DEFAULT),
    context: '',
    language: 'auto',
  }
}

/** Whether the fields have values worth keeping. */
export function isTyped({ purpose, objectives, nextObjective, context, vault }: CallFields): boolean {
  return (
    objectives.length > 0 || vault.length > 0 || [purpose, nextObjective, context].some((text) => text.trim() !== '')
  )
}

/** Trimmed, without duplicates and empty texts. */
export function withObjective(objectives: readonly string[], typed: string): string[] {
  const objective = typed.trim()
  return objective === '' || objectives.includes(objective) ? [...objectives] : [...objectives, objective]
}

interface Problem {
  readonly problem: string
  readonly fields: readonly CallField[]
}

/** The call in the fields, or the first problem with its fields. */
export function checkNewCall(fields: CallFields): { readonly newCall: NewCall } | Problem {
  const checked = checkManner(fields, ['callee', 'purpose'])
  if ('problem' in checked) return checked
  const { purpose, objectives } = checked.manner
  const blanks = blanksIn([purpose, ...objectives])
  if (blanks.length > 0) {
    const problem = words().templates.blanks(blanks.join(', '))
    return { problem, fields: [blanksIn([purpose]).length > 0 ? 'purpose' : 'objectives'] }
  }
  const from = fields.from === NETWORK_NUMBER ? null : fields.from
  const wrong = vaultProblemIn(fields.vault)
  if (wrong) return { problem: wrong.problem, fields: ['vault'] }
  const vault = vaultIn(fields.vault)
  const more = { ...(from !== '' && { from }), ...(vault.length > 0 && { vault }) }
  return { newCall: { callee: fields.callee.trim(), ...checked.manner, ...more } }
}

/** The same without a number, for a template; placeholders may stay. */
export function checkManner(
  fields: CallFields,
  required: readonly RequiredText[] = ['purpose'],
): { readonly manner: Manner } | Problem {
  const { form } = words().calls
  const missing = required.filter((name) => fields[name].trim() === '')
  if (missing.length > 0) return { problem: form.required, fields: missing }
  const context = contextIn(fields.context)
  if (!context) return { problem: form.contextWrong, fields: ['context'] }
  const objectives = withObjective(fields.objectives, fields.nextObjective)
  const limited = mandatesIn(objectives, fields.mandates)
  if ('problem' in limited) return { problem: limited.problem, fields: ['objectives'] }
  const { mandates } = limited
  const said = { purpose: fields.purpose.trim(), objectives, context, ...(mandates.length > 0 && { mandates }) }
  const secret = secretIn(said)
  if (secret) return { problem: words().templates.secret(secret), fields: [secret.field] }
  const minutes = Number(fields.maxDurationMinutes)
  const fits = Number.isInteger(minutes) && minutes >= CALL_MINUTES_MIN && minutes <= CALL_MINUTES_MAX
  if (!fits) return { problem: form.minutesWrong, fields: ['maxDurationMinutes'] }
  return { manner: { ...said, tone: fields.tone, maxDurationMinutes: minutes, language: fields.language } }
}

type RequiredText = 'callee' | 'purpose'

/** A JSON object; a bare number or a list gives the agent no names. */
function contextIn(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The same call again. */
export function newCallOf(call: Call): NewCall {
  return { callee: call.callee, ...mannerOf(call) }
}

export function mannerOf({ mandates = [], ...manner }: Manner): Manner {
  const { purpose, objectives, tone, maxDurationMinutes, context, language } = manner
  const order = { purpose, objectives, tone, maxDurationMinutes, context, language }
  return mandates.length > 0 ? { ...order, mandates } : order
}

/** The field values of a template or an earlier call. */
export function fieldsOf({
  purpose,
  objectives,
  mandates = [],
  vault = [],
  tone,
  maxDurationMinutes,
  context,
  language,
}: Manner & { readonly vault?: readonly VaultItem[] }): Omit<CallFields, 'callee' | 'from'> {
  return {
    purpose,
    objectives: [...objectives],
    nextObjective: '',
    mandates: mandatesTyped(objectives, mandates),
    vault: vaultFieldsOf(vault),
    tone,
    maxDurationMinutes: String(maxDurationMinutes),
    context: Object.keys(context).length > 0 ? JSON.stringify(context, null, 2) : '',
    language,
  }
}
