import {
  BATCH_ATTEMPTS_MAX,
  BATCH_CALLS_PER_MINUTE_DEFAULT,
  CALL_MINUTES_DEFAULT,
  RETRY_WAIT_MINUTES,
  type BatchContacts,
  type BatchPlan,
  type CallLanguage,
  type NewConsentEvidence,
  type Permission,
  type Tone,
} from '@parley/contract'

/** What stands in the form. */
export interface PlanFields {
  purpose: string
  objectives: string[]
  /** Typed, but not yet added to the objectives. */
  nextObjective: string
  tone: Tone
  minutes: string
  language: CallLanguage
  attempts: string
  callsPerMinute: string
  liveCalls: string
  marketing: boolean
  permission: Permission
  details: string
  when: 'now' | 'later'
  at: string
  dropIncomplete: boolean
}

export function fieldsOf(plan: BatchPlan | undefined, consent: NewConsentEvidence | null | undefined): PlanFields {
  return {
    purpose: plan?.purpose ?? '',
    objectives: [...(plan?.objectives ?? [])],
    nextObjective: '',
    tone: plan?.tone ?? 'professional',
    minutes: String(plan?.maxDurationMinutes ?? CALL_MINUTES_DEFAULT),
    language: plan?.language ?? 'auto',
    attempts: String(plan?.retries.attempts ?? 1),
    callsPerMinute: String(plan?.callsPerMinute ?? BATCH_CALLS_PER_MINUTE_DEFAULT),
    liveCalls: plan?.liveCalls ? String(plan.liveCalls) : '',
    marketing: consent?.marketing ?? false,
    permission: consent?.permission ?? 'relationship',
    details: consent?.details ?? '',
    when: 'now',
    at: '',
    dropIncomplete: false,
  }
}

/** The plan in the fields; a number that is none leaves the draft as it was. */
export function planOf(fields: PlanFields): Partial<BatchPlan> {
  const { purpose, objectives, nextObjective, tone, language } = fields
  const typed = nextObjective.trim()
  const number = (text: string, max: number) => {
    const value = Number(text)
    return Number.isInteger(value) && value >= 1 && value <= max ? value : undefined
  }
  const [minutes, attempts, callsPerMinute] = [
    number(fields.minutes, 30),
    number(fields.attempts, BATCH_ATTEMPTS_MAX),
    number(fields.callsPerMinute, 600),
  ]
  return {
    purpose: purpose.trim(),
    objectives: typed === '' || objectives.includes(typed) ? objectives : [...objectives, typed],
    tone,
    language,
    liveCalls: number(fields.liveCalls, 50) ?? null,
    ...(minutes !== undefined && { maxDurationMinutes: minutes }),
    ...(callsPerMinute !== undefined && { callsPerMinute }),
    ...(attempts !== undefined && { retries: { attempts, ...RETRY_WAIT_MINUTES } }),
  }
}

export function consentOf({ marketing, permission, details }: PlanFields): NewConsentEvidence {
  return { marketing, permission, details: details.trim() }
}

/** Contacts with whom nothing is left to do. */
export function doneOf(contacts: BatchContacts): number {
  return contacts.completed + contacts.failed + contacts.cancelled
}

/** It is to start at a time that is none, or that is over. */
export function isTooLate({ when, at }: Pick<PlanFields, 'when' | 'at'>, now: number = Date.now()): boolean {
  return when === 'later' && !(Date.parse(at) > now)
}
