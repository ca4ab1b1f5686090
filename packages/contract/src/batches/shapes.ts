import { CALL_MINUTES_MAX, CALL_MINUTES_MIN } from '../calls/calls.ts'
import { Mandates } from '../calls/mandate-shapes.ts'
import { Call, CallLanguage, CallStatus, EndReason, NewCall, Outcome, Tone } from '../calls/shapes.ts'
import { Id, Instant } from '../common-shapes.ts'
import { ConsentEvidence, NewConsentEvidence } from '../consent/shapes.ts'
import { ErrorCode } from '../errors-shapes.ts'
import {
  BATCH_ATTEMPTS_MAX,
  BATCH_CALLS_PER_MINUTE_MAX,
  BATCH_CONTACT_STATUSES,
  BATCH_LIVE_CALLS_MAX,
  BATCH_PREVIEW_ROWS,
  BATCH_ROWS_MAX,
  BATCH_STATUSES,
  PAUSED_BY,
  RETRY_WAIT_MINUTES,
  RETRY_WAIT_MINUTES_MAX,
  UPLOAD_REQUIRED,
} from './batches.ts'
import { z } from 'zod'

export const BatchStatus = z.enum(BATCH_STATUSES)
export type BatchStatus = z.infer<typeof BatchStatus>
export const PausedBy = z.enum(PAUSED_BY)
export type PausedBy = z.infer<typeof PausedBy>
export const BatchContactStatus = z.enum(BATCH_CONTACT_STATUSES)
export type BatchContactStatus = z.infer<typeof BatchContactStatus>

const WaitMinutes = z.int().min(1).max(RETRY_WAIT_MINUTES_MAX).nullable()

export const BatchRetries = z
  .object({
    attempts: z
      .int()
      .min(1)
      .max(BATCH_ATTEMPTS_MAX)
      .default(1)
      .describe('Calls a contact may get in all, whatever came of them'),
    busy: WaitMinutes.default(RETRY_WAIT_MINUTES.busy),
    no_answer: WaitMinutes.default(RETRY_WAIT_MINUTES.no_answer),
    voicemail: WaitMinutes.default(RETRY_WAIT_MINUTES.voicemail),
    failed: WaitMinutes.default(RETRY_WAIT_MINUTES.failed),
  })
  .meta({
    id: 'BatchRetries',
    description: 'Minutes until the next call after each outcome; null: this outcome is final',
  })
export type BatchRetries = z.infer<typeof BatchRetries>

const PlanFields = {
  purpose: z.string().trim().max(2000).describe('{{column}} is filled from each row'),
  objectives: z.array(z.string().trim().min(1).max(300)).max(20),
  mandates: Mandates.optional().describe('What may be agreed to in every call, one for each objective in order'),
  tone: Tone,
  maxDurationMinutes: z.int().min(CALL_MINUTES_MIN).max(CALL_MINUTES_MAX),
  language: CallLanguage,
  liveCalls: z
    .int()
    .min(1)
    .max(BATCH_LIVE_CALLS_MAX)
    .nullable()
    .describe('Calls at once; null: as many as the account may'),
  callsPerMinute: z.int().min(1).max(BATCH_CALLS_PER_MINUTE_MAX),
  retries: BatchRetries,
}
export const BatchPlan = z
  .object(PlanFields)
  .meta({ id: 'BatchPlan', description: 'What is said in every call, and how fast they are made' })
export type BatchPlan = z.infer<typeof BatchPlan>

/** One row of an uploaded file; the whole row is the call's context. */
export const BatchRow = z
  .object({ phone: z.string(), name: z.string().optional(), context: z.record(z.string(), z.unknown()) })
  .meta({ id: 'BatchRow' })
export type BatchRow = z.infer<typeof BatchRow>

const Pacing = {
  consent: NewConsentEvidence.optional(),
  liveCalls: PlanFields.liveCalls.optional(),
  callsPerMinute: PlanFields.callsPerMinute.optional(),
  retries: BatchRetries.optional(),
  startAt: Instant.optional().describe('Start then instead of now'),
}

export const NewBatch = z
  .object({
    userId: Id.optional(),
    name: z.string(UPLOAD_REQUIRED).trim().min(1, UPLOAD_REQUIRED).max(200),
    description: z.string().trim().max(1000).default(''),
    calls: z.array(NewCall, UPLOAD_REQUIRED).min(1, UPLOAD_REQUIRED).max(BATCH_ROWS_MAX),
    ...Pacing,
  })
  .meta({ id: 'NewBatch' })

/** A row that is not called: its number as typed, and the reason. */
export const DroppedRow = z
  .object({
    row: z.int().min(0).describe('Place in `calls`; in a file, the row as a spreadsheet counts'),
    phone: z.string(),
    code: ErrorCode,
  })
  .meta({ id: 'DroppedRow' })
export type DroppedRow = z.infer<typeof DroppedRow>

export const BatchAccepted = z
  .object({ batchId: Id, totalCalls: z.int().min(0), skipped: z.array(DroppedRow) })
  .meta({ id: 'BatchAccepted' })
export type BatchAccepted = z.infer<typeof BatchAccepted>

/** Contacts by the status of their newest call; those not called yet are initiated. */
export const BatchCounts = z.partialRecord(CallStatus, z.int().min(0)).meta({ id: 'BatchCounts' })
export type BatchCounts = z.infer<typeof BatchCounts>

/** The number of contacts in each status. */
export const BatchContacts = z.record(BatchContactStatus, z.int().min(0)).meta({ id: 'BatchContacts' })
export type BatchContacts = z.infer<typeof BatchContacts>

export const BatchEstimate = z
  .object({
    calls: z.int().min(0).describe('Still to be made'),
    likelyCredits: z.int().min(0),
    mostCredits: z.int().min(0).describe('If every call takes its whole time'),
    availableCredits: z.int().min(0),
    minutes: z.int().min(0).describe('Until the last call, while calls may be made'),
    opensAt: Instant.nullable().describe(
      'When calling hours first begin for somebody on it; null: calls may be made now',
    ),
  })
  .meta({ id: 'BatchEstimate' })
export type BatchEstimate = z.infer<typeof BatchEstimate>

export const BatchOverview = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    status: BatchStatus,
    pausedBy: PausedBy.nullable(),
    statusMessage: z.string().nullable().describe('Why it is paused or what it waits for, in a sentence'),
    goesOnAt: Instant.nullable().describe('Paused by the calling hours: when they begin for somebody on it'),
    totalCalls: z.int().min(0).describe('Contacts without those dropped'),
    counts: BatchCounts,
    contacts: BatchContacts,
    creditsCharged: z.int().min(0),
    fileName: z.string().nullable(),
    createdAt: Instant,
    scheduledFor: Instant.nullable(),
    startedAt: Instant.nullable(),
    endedAt: Instant.nullable(),
  })
  .meta({ id: 'BatchOverview' })
export type BatchOverview = z.infer<typeof BatchOverview>

export const Batch = BatchOverview.extend({
  plan: BatchPlan,
  consent: ConsentEvidence.nullable(),
  estimate: BatchEstimate,
  calls: z.array(Call).describe('A page of its calls, newest first'),
}).meta({ id: 'Batch' })
export type Batch = z.infer<typeof Batch>

export const ColumnMapping = z
  .object({ phone: z.string().max(200).nullable(), name: z.string().max(200).nullable() })
  .meta({ id: 'ColumnMapping', description: 'The columns that hold the number and the name' })
export type ColumnMapping = z.infer<typeof ColumnMapping>

/** The result of an upload: a draft, to be planned and started. */
export const BatchImport = z
  .object({
    batchId: Id,
    fileName: z.string(),
    columns: z.array(z.string()).describe('In the order of the file; each is a variable'),
    mapping: ColumnMapping.describe('Guessed, until it is changed'),
    contacts: z.int().min(0).describe('Contacts that can be called'),
    preview: z.array(BatchRow).describe(`The first ${BATCH_PREVIEW_ROWS} of them`),
    dropped: z.int().min(0),
    droppedByCode: z.partialRecord(ErrorCode, z.int().min(0)),
    droppedFirst: z.array(DroppedRow).describe('The first 20; the download has them all'),
  })
  .meta({ id: 'BatchImport' })
export type BatchImport = z.infer<typeof BatchImport>

/** A variable of purpose or objectives that some rows have no value for. */
export const MissingVariable = z.object({ variable: z.string(), rows: z.int().min(1) }).meta({ id: 'MissingVariable' })
export type MissingVariable = z.infer<typeof MissingVariable>

export const BatchChange = z
  .union([
    z.object({
      action: z.literal('start'),
      dropIncomplete: z
        .boolean()
        .default(false)
        .describe('Leave out rows that lack a variable, instead of refusing to start'),
    }),
    z.object({ action: z.literal('schedule'), at: Instant, dropIncomplete: z.boolean().default(false) }),
    z.object({ action: z.enum(['pause', 'resume', 'stop', 'retry-failed']) }),
    z.object({
      action: z.undefined().optional(),
      name: z.string().trim().min(1).max(200).optional(),
      description: z.string().trim().max(1000).optional(),
      plan: BatchPlan.partial().optional(),
      consent: NewConsentEvidence.optional(),
    }),
  ])
  .meta({
    id: 'BatchChange',
    description: 'Start, schedule, pause, resume or stop it, call the failed again, or change a draft',
  })
export type BatchChange = z.output<typeof BatchChange>

/** One contact of a batch with its progress. */
export const BatchContact = z
  .object({
    row: z.int().min(0),
    phone: z.string().describe('As it was given'),
    callee: z.string().nullable().describe('E.164'),
    name: z.string().nullable(),
    context: z.record(z.string(), z.unknown()),
    status: BatchContactStatus,
    code: ErrorCode.nullable().describe('Why it is not called'),
    attempts: z.int().min(0),
    nextAttemptAt: Instant.nullable(),
    callId: Id.nullable().describe('Its newest call'),
    callStatus: CallStatus.nullable(),
    phase: z.string().nullable(),
    endReason: EndReason.nullable(),
    outcomes: z.array(Outcome),
    summary: z.string().nullable(),
    durationSeconds: z.int().min(0).nullable(),
    creditsCharged: z.int().min(0).nullable(),
  })
  .meta({ id: 'BatchContact' })
export type BatchContact = z.infer<typeof BatchContact>
