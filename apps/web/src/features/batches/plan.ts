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
  /** Empty until it is answered: nobody agrees to anything by leaving a form as it is. */
  permission: Permission | ''
  details: string
  when: 'now' | 'later'
  at: string
  dropIncomplete: boolean
}

/** A template's part in a list of calls: what is said, and how. The row of each contact is the rest. */
export type ScriptTemplate = Pick<BatchPlan, 'purpose' | 'objectives' | 'tone' | 'maxDurationMinutes' | 'language'>

type ScriptFields = Pick<PlanFields, 'purpose' | 'objectives' | 'nextObjective' | 'tone' | 'minutes' | 'language'>

/** The fields of what is said and how, as a template has them. */
export function scriptFields({
  purpose,
  objectives,
  tone,
  maxDurationMinutes,
  language,
}: ScriptTemplate): ScriptFields {
  return {
    purpose,
    objectives: [...objectives],
    nextObjective: '',
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
  /** Nothing in it means something. */
  readonly mayBeEmpty?: boolean
}

/** There is a second call to make, so that the waits before it are asked for. */
export function isRetried({ attempts }: Pick<PlanFields, 'attempts'>): boolean {
  return Number(attempts) > 1
}

/** The numbers that the form shows, from the first to the last. */
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

/** A whole number from 1 on; null: none is there. */
function numberIn(text: string, most: number): number | null {
  const number = /^\d+$/.test(text.trim()) ? Number(text) : 0
  return number >= 1 && number <= most ? number : null
}

/** The numbers that are none, or too small, or too big. */
export function wrongNumbers(fields: PlanFields): NumberField[] {
  return numbersIn(fields).filter(
    ({ text, most, mayBeEmpty = false }) => !(mayBeEmpty && text.trim() === '') && !numberIn(text, most),
  )
}

/**
 * The plan in the fields, without its numbers when one of them is wrong: half of what is typed would be another plan.
 */
export function planOf(fields: PlanFields): Partial<BatchPlan> {
  const { purpose, objectives, nextObjective, tone, language } = fields
  const typed = nextObjective.trim()
  return {
    purpose: purpose.trim(),
    objectives: typed === '' || objectives.includes(typed) ? objectives : [...objectives, typed],
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
    // One that is wrong is not shown, since nobody is called twice.
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

/** What of the form its draft does not have. */
export function unsavedOf(fields: Partial<PlanFields>, draft: Saved | undefined): Partial<PlanFields> {
  return newIn(fields, fieldsOf(draft?.plan, draft?.consent))
}

interface DraftChange {
  readonly plan: Partial<BatchPlan>
  readonly consent?: NewConsentEvidence
}

/**
 * What the draft is to be told of the form; undefined: it has it all. A permission that says nothing new was not given
 * again.
 */
export function changeOf(fields: PlanFields, draft: Saved): DraftChange | undefined {
  const plan = newIn(planOf(fields), draft.plan)
  const consent = consentOf(fields)
  const known = consentOf(fieldsOf(undefined, draft.consent)) ?? {}
  const isSaid = consent !== undefined && Object.keys(newIn(consent, known)).length > 0
  if (isSaid && isEnough(consent)) return { plan, consent }
  return Object.keys(plan).length > 0 ? { plan } : undefined
}

/** The server takes no other: what is missing is said at the start. */
function isEnough({ marketing, permission, details }: NewConsentEvidence): boolean {
  return !marketing || (details !== '' && MARKETING_PERMISSIONS.some((each) => each === permission))
}

/** The values that are not the known ones. */
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

/** Contacts with whom nothing is left to do. */
export function doneOf(contacts: BatchContacts): number {
  return contacts.completed + contacts.failed + contacts.cancelled
}

/** It is to start at a time that is none, or that is over. */
export function isTooLate({ when, at }: Pick<PlanFields, 'when' | 'at'>, now: number = Date.now()): boolean {
  return when === 'later' && !(Date.parse(at) > now)
}
