import { BRAND, type CallDetails, isMet, type Outcome } from '@parley/contract'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { findPerson, type Person, settingsOf } from '../accounts/index.ts'
import { type CallRow, ownerOfCall, readCall } from '../calls/index.ts'
import type { Tx } from '../platform/db.ts'
import { defineJob, type Jobs } from '../platform/jobs.ts'
import { writeLetter } from '../platform/letter.ts'
import type { Mail } from '../platform/mail.ts'
import type { NoticesRoom } from './room.ts'
import { valueWords } from './value-words.ts'

/** The mail of an answered call waits so long for the summary. */
const WRAP_UP_MS = 30_000
/** Longer than a summary's transaction takes, so that of a call's two jobs exactly one sends the mail. */
const MARGIN_MS = 10_000

/** Only ids, since the job may outlive the account. */
interface MailOrder {
  readonly callId: string
  /** The wait is over: send without a summary. */
  readonly withoutSummary: boolean
}

export const callMailJob = defineJob<MailOrder>('notices.call-mail')

/** A batch has its own mail, and a user who canceled a call knows its end. */
export const isTold = ({ batchId, endReason }: CallRow) => batchId === null && endReason !== 'canceled'

/** Enqueues the mail in the transaction that ends the call; immediate if nobody answered. */
export async function orderMailOfEnded(jobs: Jobs, tx: Tx, row: CallRow): Promise<void> {
  if (!isTold(row)) return
  const order = { callId: row.id, withoutSummary: true }
  const startAfter = new Date(Date.now() + WRAP_UP_MS + MARGIN_MS)
  await jobs.enqueue(tx, callMailJob, order, { key: row.id, ...(row.connectedAt !== null && { startAfter }) })
}

/** Enqueues the mail in the transaction that stores the summary; a late summary sends none. */
export async function orderMailOfSummary(jobs: Jobs, tx: Tx, row: CallRow): Promise<void> {
  if (!isTold(row) || row.completedAt === null || Date.now() - row.completedAt.getTime() > WRAP_UP_MS) return
  await jobs.enqueue(tx, callMailJob, { callId: row.id, withoutSummary: false }, { key: `${row.id}:summary` })
}

/** Mails the result of a call to a user with email notifications on. */
export async function mailCallEnded(
  room: Pick<NoticesRoom, 'config' | 'db' | 'mailer'>,
  { callId, withoutSummary }: MailOrder,
): Promise<void> {
  const userId = await ownerOfCall(room.db, callId)
  if (userId === undefined) return
  const call = await readCall(room.db, userId, callId)
  // The summary's own job sends the mail.
  if (withoutSummary && call.summary !== null) return
  const [person, { emailNotifications }] = await Promise.all([findPerson(room.db, userId), settingsOf(room.db, userId)])
  if (emailNotifications && person.closedAt === null)
    await room.mailer.send(letterOf(room.config.publicUrl, person, call))
}

function letterOf(publicUrl: string, { email, name }: Person, call: CallDetails): Mail {
  const callee = parsePhoneNumberFromString(call.callee)?.formatInternational() ?? call.callee
  const paragraphs = [
    `Your call to ${callee} is over: ${call.purpose}`,
    ...(call.status === 'failed' ? [call.endMessage ?? 'The call did not go through.'] : []),
    ...(call.connectedAt === null ? [] : call.outcomes.map(sentenceOf)),
    ...(call.summary === null ? [] : [call.summary]),
    ...(call.nextSteps.length > 0 ? [`What to do next: ${call.nextSteps.join(' ')}`] : []),
    costOf(call),
  ]
  return writeLetter({
    to: email,
    name,
    subject: `Your call to ${callee}: ${headlineOf(call)}`,
    paragraphs,
    button: { label: 'See the call', url: `${publicUrl}/dashboard?call=${call.id}` },
    closing: [
      `You get this because e-mail notifications are on in your ${BRAND.product} settings. Switch them off at ${publicUrl}/settings`,
    ],
  })
}

const CUT_OFF: readonly CallDetails['endReason'][] = ['carrier_dropped', 'interrupted']

function headlineOf({ status, endReason, connectedAt, outcomes }: CallDetails): string {
  const wasCutOff = connectedAt !== null && CUT_OFF.includes(endReason)
  if (status === 'failed' && !wasCutOff) return 'it did not go through'
  const settled = settledOf(outcomes)
  if (wasCutOff) return ['it was cut off', ...settled].join(', ')
  if (outcomes.length === 0) return 'it is over'
  return settled.join(', ') || `0 of ${objectives(outcomes.length)} met`
}

/** Empty if nothing was met or offered. */
function settledOf(outcomes: readonly Outcome[]): string[] {
  const met = outcomes.filter(isMet).length
  const offers = outcomes.filter(({ status }) => status === 'offered').length
  return [
    ...(met > 0 ? [`${met} of ${objectives(outcomes.length)} met`] : []),
    ...(offers > 0 ? [`${offers} ${offers === 1 ? 'offer' : 'offers'} to decide`] : []),
  ]
}

function objectives(count: number): string {
  return `${count} ${count === 1 ? 'objective' : 'objectives'}`
}

const STATES: Readonly<Record<Outcome['status'], string>> = {
  met: 'met',
  met_within_limits: 'met within your limits',
  offered: 'offered, not agreed',
  refused: 'refused',
  open: 'open',
}

function sentenceOf({ objective, status, offer, quote, value }: Outcome): string {
  const what = [...(offer ? [offer] : []), ...(value ? [valueWords(value)] : [])].join('; ')
  return `${objective}: ${STATES[status]}${what === '' ? '' : ` (${what})`}.${quote ? ` They said: “${quote}”` : ''}`
}

function costOf({ durationSeconds, creditsCharged, isTest }: CallDetails): string {
  const seconds = durationSeconds ?? 0
  const credits = creditsCharged ?? 0
  const took = `It took ${Math.floor(seconds / 60)}m ${seconds % 60}s`
  if (isTest) return `${took}. It was a test call, free of charge.`
  return `${took} and used ${credits} ${credits === 1 ? 'credit' : 'credits'}.`
}
