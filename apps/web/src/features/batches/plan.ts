import {
  BATCH_ATTEMPTS_MAX,
  BATCH_CALLS_PER_MINUTE_DEFAULT,
  BATCH_CALLS_PER_MINUTE_MAX,
  BATCH_LIVE_CALLS_MAX,
  CALL_MINUTES_DEFAULT,
  CALL_MINUTES_MAX,
  MARKETING_PERMISSIONS,
  RETRY_OUTCOMES,
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
import { hashKey } from '@tanstack/react-query'
import { changedOf } from '../../lib/form.ts'
import { mandatesIn, type MandatesTyped, mandatesTyped } from '../../lib/mandate/mandateFields.ts'

/** The form's fields. */
export interface PlanFields {
  purpose: string
  objectives: string[]
  /** Typed, but not yet added to the objectives. */
  nextObjective: string
  mandates: MandatesTyped
  tone: Tone
  minutes: string
  language: CallLanguage
  attempts: string
  /** Minutes until the next call after each outcome; empty: no retry. */
  waits: Record<RetryOutcome, string>
  callsPerMinute: string
  liveCalls: string
  marketing: boolean
  /** Empty until answered: consent has no default. */
  permission: Permission | ''
  details: string
  when: 'now' | 'later'
  at: string
  dropIncomplete: boolean
}

/** The part of a template that applies to a batch; the rest comes from each contact's row. */
export type ScriptTemplate = Pick<
  BatchPlan,
  'purpose' | 'objectives' | 'mandates' | 'tone' | 'maxDurationMinutes' | 'language'
>

type ScriptFields = Pick<
  PlanFields,
  'purpose' | 'objectives' | 'nextObjective' | 'mandates' | 'tone' | 'minutes' | 'language'
>

/** The fields that a template fills. */
export function scriptFields({
  purpose,
  objectives,
  mandates = [],
  tone,
  maxDurationMinutes,
  language,
}: ScriptTemplate): ScriptFields {
  return {
    purpose,
    objectives: [...objectives],
    nextObjective: '',
    mandates: mandatesTyped(objectives, mandates),
    tone,
    minutes: String(maxDurationMinutes),
    language,
  }
}

export function fieldsOf(plan: BatchPlan | undefined, consent: NewConsentEvidence | null | undefined): PlanFields {
  return {
    purpose: plan?.purpose ?? '',
    objectives: [...(plan?.objectives ?? [])],
    nextObjective: '',
    mandates: mandatesTyped(plan?.objectives ?? [], plan?.mandates ?? []),
    tone: plan?.tone ?? 'professional',
    minutes: String(plan?.maxDurationMinutes ?? CALL_MINUTES_DEFAULT),
    language: plan?.language ?? 'auto',
    attempts: String(plan?.retries.attempts ?? 1),
    waits: waitFields(plan?.retries ?? RETRY_WAIT_MINUTES),
    callsPerMinute: String(plan?.callsPerMinute ?? BATCH_CALLS_PER_MINUTE_DEFAULT),
    liveCalls: plan?.liveCalls ? String(plan.liveCalls) : '',
    marketing: consent?.marketing ?? false,
    permission: consent?.permission ?? '',
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

type NumberName = 'minutes' | 'attempts' | 'callsPerMinute' | 'liveCalls' | `waits.${RetryOutcome}`

interface NumberField {
  readonly name: NumberName
  readonly text: string
  readonly most: number
  /** Empty has a meaning in this field. */
  readonly mayBeEmpty?: boolean
}

/** More than one call per contact, so the delays are shown. */
export function isRetried({ attempts }: Pick<PlanFields, 'attempts'>): boolean {
  return Number(attempts) > 1
}

/** The number fields that the form shows, in order. */
function numbersIn(fields: PlanFields): NumberField[] {
  const { minutes, attempts, callsPerMinute, liveCalls, waits } = fields
  const wait = (outcome: RetryOutcome): NumberField => ({
    name: `waits.${outcome}`,
    text: waits[outcome],
    most: RETRY_WAIT_MINUTES_MAX,
    mayBeEmpty: true,
  })
  return [
    { name: 'minutes', text: minutes, most: CALL_MINUTES_MAX },
    { name: 'attempts', text: attempts, most: BATCH_ATTEMPTS_MAX },
    { name: 'callsPerMinute', text: callsPerMinute, most: BATCH_CALLS_PER_MINUTE_MAX },
    { name: 'liveCalls', text: liveCalls, most: BATCH_LIVE_CALLS_MAX, mayBeEmpty: true },
    ...(isRetried(fields) ? RETRY_OUTCOMES.map(wait) : []),
  ]
}

/** A whole number from 1; null: empty or invalid. */
function numberIn(text: string, most: number): number | null {
  const number = /^\d+$/.test(text.trim()) ? Number(text) : 0
  return number >= 1 && number <= most ? number : null
}

/** The number fields that are invalid or out of range. */
export function wrongNumbers(fields: PlanFields): NumberField[] {
  return numbersIn(fields).filter(
    ({ text, most, mayBeEmpty = false }) => !(mayBeEmpty && text.trim() === '') && !numberIn(text, most),
  )
}

function objectivesIn({ objectives, nextObjective }: PlanFields): string[] {
  const typed = nextObjective.trim()
  return typed === '' || objectives.includes(typed) ? objectives : [...objectives, typed]
}

/** Why the typed limits of an objective cannot be used. */
export function limitProblem(fields: PlanFields): string | undefined {
  const read = mandatesIn(objectivesIn(fields), fields.mandates)
  return 'problem' in read ? read.problem : undefined
}

/** The plan in the fields, without limits or numbers if one of them is invalid: half of them would be another plan. */
export function planOf(fields: PlanFields): Partial<BatchPlan> {
  const { purpose, tone, language } = fields
  const objectives = objectivesIn(fields)
  const read = mandatesIn(objectives, fields.mandates)
  return {
    purpose: purpose.trim(),
    objectives,
    ...('mandates' in read && { mandates: read.mandates }),
    tone,
    language,
    ...paceOf(fields),
  }
}

function paceOf(
  fields: PlanFields,
): Partial<Pick<BatchPlan, 'maxDurationMinutes' | 'callsPerMinute' | 'liveCalls' | 'retries'>> {
  const maxDurationMinutes = numberIn(fields.minutes, CALL_MINUTES_MAX)
  const attempts = numberIn(fields.attempts, BATCH_ATTEMPTS_MAX)
  const callsPerMinute = numberIn(fields.callsPerMinute, BATCH_CALLS_PER_MINUTE_MAX)
  if (!maxDurationMinutes || !attempts || !callsPerMinute || wrongNumbers(fields).length > 0) return {}
  const liveCalls = numberIn(fields.liveCalls, BATCH_LIVE_CALLS_MAX)
  return { maxDurationMinutes, callsPerMinute, liveCalls, retries: { attempts, ...waitsOf(fields.waits) } }
}

function waitsOf(waits: PlanFields['waits']): Omit<BatchRetries, 'attempts'> {
  const minutesOf = (outcome: RetryOutcome): number | null => {
    if (waits[outcome].trim() === '') return null
    // An invalid delay is not shown without a second call.
    return numberIn(waits[outcome], RETRY_WAIT_MINUTES_MAX) ?? RETRY_WAIT_MINUTES[outcome]
  }
  return {
    busy: minutesOf('busy'),
    no_answer: minutesOf('no_answer'),
    voicemail: minutesOf('voicemail'),
    failed: minutesOf('failed'),
  }
}

export interface Saved {
  readonly plan: BatchPlan
  readonly consent: NewConsentEvidence | null
}

/** The fields that differ from the draft. */
export function unsavedOf(fields: Partial<PlanFields>, draft: Saved | undefined): Partial<PlanFields> {
  return newIn(fields, fieldsOf(draft?.plan, draft?.consent))
}

interface DraftChange {
  readonly plan: Partial<BatchPlan>
  readonly consent?: NewConsentEvidence
}

/** The change to save; undefined: none. Unchanged consent is not sent again. */
export function changeOf(fields: PlanFields, draft: Saved): DraftChange | undefined {
  const { mandates = [] } = draft.plan
  const known = { ...draft.plan, mandates: mandates.some((each) => each !== null) ? mandates : [] }
  const plan = newIn(planOf(fields), known)
  const consent = consentOf(fields)
  const given = consentOf(fieldsOf(undefined, draft.consent)) ?? {}
  const isSaid = consent !== undefined && Object.keys(newIn(consent, given)).length > 0
  if (isSaid && isEnough(consent)) return { plan, consent }
  return Object.keys(plan).length > 0 ? { plan } : undefined
}

/** The server refuses any other; what is missing is reported at the start. */
function isEnough({ marketing, permission, details }: NewConsentEvidence): boolean {
  return !marketing || (details !== '' && MARKETING_PERMISSIONS.some((each) => each === permission))
}

/** The values that differ from the known ones. */
function newIn<T extends object>(values: T, known: object): Partial<T> {
  const before = new Map<string, unknown>(Object.entries(known))
  const isNew = (name: string, value: unknown) => hashKey([value]) !== hashKey([before.get(name)])
  return changedOf(
    values,
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isNew(name, value)])),
  )
}

/** undefined while the question is not answered. */
export function consentOf({ marketing, permission, details }: PlanFields): NewConsentEvidence | undefined {
  return permission === '' ? undefined : { marketing, permission, details: details.trim() }
}

/** Contacts that need no further call. */
export function doneOf(contacts: BatchContacts): number {
  return contacts.completed + contacts.failed + contacts.cancelled
}

/** The start time is invalid or past. */
export function isTooLate({ when, at }: Pick<PlanFields, 'when' | 'at'>, now: number = Date.now()): boolean {
  return when === 'later' && !(Date.parse(at) > now)
}
