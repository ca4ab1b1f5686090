import {
  BATCH_ATTEMPTS_MAX,
  BATCH_CALLS_PER_MINUTE_DEFAULT,
  CALL_MINUTES_DEFAULT,
  RETRY_WAIT_MINUTES,
  RETRY_WAIT_MINUTES_MAX,
  type BatchContacts,
  type BatchPlan,
  type BatchRetries,
  type CallLanguage,
  type NewConsentEvidence,
  type Permission,
  type RetryOutcome,
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
  /** Minutes until the next call after each outcome; empty: this outcome is final. */
  waits: Record<RetryOutcome, string>
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
    waits: waitFields(plan?.retries ?? RETRY_WAIT_MINUTES),
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

function waitFields(minutes: Readonly<Record<RetryOutcome, number | null>>): Record<RetryOutcome, string> {
  const text = (outcome: RetryOutcome) => String(minutes[outcome] ?? '')
  return { busy: text('busy'), no_answer: text('no_answer'), voicemail: text('voicemail'), failed: text('failed') }
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
    ...(attempts !== undefined && { retries: { attempts, ...waitsOf(fields.waits) } }),
  }
}

function waitsOf(waits: PlanFields['waits']): Omit<BatchRetries, 'attempts'> {
  const minutesOf = (outcome: RetryOutcome): number | null => {
    const minutes = Number(waits[outcome])
    if (waits[outcome].trim() === '') return null
    return Number.isInteger(minutes) && minutes >= 1 && minutes <= RETRY_WAIT_MINUTES_MAX ? minutes : RETRY_WAIT_MINUTES[outcome]
  }
  return { busy: minutesOf('busy'), no_answer: minutesOf('no_answer'), voicemail: minutesOf('voicemail'), failed: minutesOf('failed') }
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
