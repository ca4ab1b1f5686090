import {
  CALLER_NUMBER_KINDS,
  CALL_LANGUAGES,
  CALL_STATUSES,
  type CallEvent,
  type CallFigures,
  type CallSummary,
  type CarrierFacts,
  END_REASONS,
  type Mandate,
  type Outcome,
  type OwnerLegEnd,
  SUMMARY_TYPES,
  type Telling,
  TONES,
  type Turn,
  VERIFICATION_STATUSES,
  type VaultItem,
  VOICES,
} from '@parley/contract'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  primaryKey,
  real,
  snakeCase,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { user } from '../accounts/schema.ts'

/** Milliseconds, the precision of JavaScript, so that a cursor finds its row again. */
const instant = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' })

/** A leg beside the first, numbered from 2. */
export interface CallLeg {
  readonly leg: number
  /** The carrier's own id; null: no carrier had it. */
  readonly carrierCallId: string | null
  /** null while it is not known to be over. */
  readonly connectedSeconds: number | null
  /** Absent: not over, or not told. */
  readonly end?: OwnerLegEnd | undefined
  /** What the carrier said of it: until the end of the call, then in call_cost alone. */
  readonly carrier?: CarrierFacts | undefined
}

export const call = snakeCase.table(
  'call',
  {
    id: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    batchId: text(),

    // The request.
    callee: text().notNull(),
    /** E.164 of the number it comes from; null: the carrier's own. */
    callerNumber: text(),
    purpose: text().notNull(),
    objectives: jsonb().$type<string[]>().notNull(),
    mandates: jsonb().$type<(Mandate | null)[]>().notNull().default([]),
    /** Names and conditions of private values; call_vault has the values while the call lives. */
    vault: jsonb().$type<VaultItem[]>().notNull().default([]),
    tone: text({ enum: TONES }).notNull(),
    voiceId: text({ enum: VOICES }).notNull(),
    maxDurationMinutes: integer().notNull(),
    context: jsonb().$type<Record<string, unknown>>().notNull(),
    language: text({ enum: CALL_LANGUAGES }).notNull(),
    onBehalfOf: text().notNull(),
    record: boolean().notNull(),
    /** Of the summary: the language of the page it was placed from, else of the account. */
    readerLanguage: text(),

    // The progress; only lifecycle.ts changes these.
    status: text({ enum: CALL_STATUSES }).notNull(),
    phase: text().notNull(),
    /** The number of the last fact taken. */
    factsTaken: integer().notNull().default(0),
    /** Call time, since the voice service took the order. */
    answeredCallMs: integer(),
    lastCallMs: integer().notNull().default(0),
    stageAt: instant().notNull(),

    // The results.
    outcomes: jsonb().$type<Outcome[]>().notNull().default([]),
    told: jsonb().$type<Telling[]>().notNull().default([]),
    transcript: text(),
    summary: text(),
    durationSeconds: integer(),
    creditsHeld: integer().notNull(),
    creditsCharged: integer(),
    endReason: text({ enum: END_REASONS }),
    endMessage: text(),
    hasRecording: boolean().notNull().default(false),

    notes: text(),
    tags: jsonb().$type<string[]>().notNull().default([]),

    // Dispatch to the voice service.
    clockSpeed: real().notNull().default(1),
    /** When the order was first sent; null again once it is certain that it was not dialed. */
    dispatchedAt: instant(),
    /** When the voice service accepted it. */
    takenAt: instant(),
    stopRequestedAt: instant(),
    /** Of the trace that the call was placed in; null: there were no traces. */
    traceparent: text(),
    /** When it was placed or dialed, or taken by voice; call_liveness knows what was heard since. */
    heardAt: instant().notNull(),
    /** To a test number beside a real carrier: without a hold, free of charge. */
    isTest: boolean().notNull().default(false),
    /** The carrier's own id of the leg: what is asked about after a crash. */
    carrierCallId: text(),
    /** Further legs, as to the owner's phone: each is metered. */
    legs: jsonb().$type<CallLeg[]>().notNull().default([]),
    /** Since when the call waits for a place on a voice node; null while it does not. */
    waitingSince: instant(),

    createdAt: instant().notNull(),
    connectedAt: instant(),
    /** When the call ended in any way; null while it is live. */
    completedAt: instant(),
  },
  (table) => [
    index('call_history').on(table.userId, table.createdAt, table.id),
    index('call_batch')
      .on(table.batchId, table.createdAt)
      .where(sql`${table.batchId} is not null`),
    index('call_usage').on(table.userId, table.completedAt),
    index('call_status')
      .on(table.userId, table.status, table.createdAt, table.id)
      .where(sql`${table.completedAt} is not null`),
    index('call_summarized')
      .on(table.userId, table.createdAt, table.id)
      .where(sql`${table.summary} is not null`),
    // Ended calls whose words or recording are kept, for the retention; its conditions are those of erasure.ts.
    index('call_words_kept')
      .on(table.userId, table.completedAt)
      .where(
        sql`${table.completedAt} is not null and (${table.transcript} is null or ${table.transcript} not like 'Erased after % days, as your settings say.' or ${table.hasRecording})`,
      ),
    index('call_recorded')
      .on(table.userId, table.createdAt, table.id)
      .where(sql`${table.hasRecording}`),
    index('call_live')
      .on(table.heardAt)
      .where(sql`${table.completedAt} is null`),
    check('call_ended', sql`(${table.completedAt} is null) = (${table.status} not in ('completed', 'failed'))`),
    check(
      'call_end',
      sql`num_nulls(${table.completedAt}, ${table.endReason}, ${table.durationSeconds}, ${table.creditsCharged}) in (0, 4)`,
    ),
  ],
)
export type CallRow = typeof call.$inferSelect

/** The carrier's side of each leg of an ended call: for the operator, never shown to the user. */
export const callCost = snakeCase.table(
  'call_cost',
  {
    callId: text()
      .notNull()
      .references(() => call.id, { onDelete: 'cascade' }),
    /** From 1: the callee's. */
    leg: integer().notNull().default(1),
    /** The carrier's own id of a further leg; that of the first is the call's. */
    carrierCallId: text(),
    /** Connected, of a further leg; those of the first are the call's. */
    seconds: integer(),
    /** The leg's part of what the call was charged; null in rows of before, whose one leg has it all. */
    credits: integer(),
    endedAt: instant().notNull(),
    /** Its name; null where a call ended without a word of it. */
    carrier: text(),
    /** Its own code of the end, as a SIP status. */
    code: text(),
    /** null: not told, or not yet. */
    costMicros: bigint({ mode: 'number' }),
    /** ISO 4217. */
    currency: text(),
    /** Of the vendors besides the carrier, with the first leg; null where the voice service told none. */
    figures: jsonb().$type<CallFigures>(),
    /** When to ask the carrier for the cost; null: nothing more is to come. */
    askAt: instant(),
    asked: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.callId, table.leg] }),
    index('call_cost_ended').on(table.endedAt),
    index('call_cost_due')
      .on(table.askAt)
      .where(sql`${table.askAt} is not null`),
    check('call_cost_whole', sql`(${table.costMicros} is null) = (${table.currency} is null)`),
  ],
)

const ofUser = () =>
  text()
    .notNull()
    .references(() => user.id, { onDelete: 'cascade' })

const ofCall = () =>
  text()
    .notNull()
    .references(() => call.id, { onDelete: 'cascade' })

/**
 * When a live call was last heard of. It changes with every fact: here such an update is small and touches no index.
 * Without a row the call's own time counts.
 */
export const callLiveness = snakeCase.table('call_liveness', {
  callId: ofCall().primaryKey(),
  heardAt: instant().notNull(),
  /** When reconcile.ts last asked its node about it. */
  askedAt: instant(),
  /** That node did not know the call then. */
  isMissed: boolean().notNull().default(false),
})

/** Every change of status or phase, and every question for the user, in order. */
export const callEvent = snakeCase.table(
  'call_event',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    callId: ofCall(),
    status: text({ enum: CALL_STATUSES }).$type<CallEvent['status']>().notNull(),
    phase: text().notNull(),
    at: instant().notNull(),
    /** Only the user can answer it; null for a change of status or phase. */
    question: text(),
  },
  (table) => [index('call_event_call').on(table.callId, table.id)],
)

export const callTurn = snakeCase.table(
  'call_turn',
  {
    callId: ofCall(),
    index: integer().notNull(),
    speaker: text({ enum: ['agent', 'user'] })
      .$type<Turn['speaker']>()
      .notNull(),
    text: text().notNull(),
    startMs: integer().notNull(),
    endMs: integer(),
    heard: boolean().notNull(),
    /** The mouth gave no times of words: how much was heard is estimated by time. */
    estimated: boolean().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.callId, table.index] })],
)

/** Private values of a call that has not ended, encrypted; see vault.ts. */
export const callVault = snakeCase.table('call_vault', {
  callId: ofCall().primaryKey(),
  sealed: text().notNull(),
})

/** Processes of the voice service that have joined, one row a node. */
export const voiceNode = snakeCase.table('voice_node', {
  nodeId: text().primaryKey(),
  /** Of the process: a restarted node has another, and the leases of the former are dead. */
  bootId: text().notNull(),
  /** Where the api reaches the node. */
  privateUrl: text().notNull(),
  /** Where vendors reach the node. */
  mediaUrl: text().notNull(),
  state: text({ enum: ['ready', 'draining'] }).notNull(),
  capacity: integer().notNull(),
  version: text().notNull(),
  /** SHA-256 of the node's own credentials, hexadecimal. */
  secretHash: text().notNull(),
  heartbeatAt: instant().notNull(),
})

/** A place on a node that a live call holds. */
export const callLease = snakeCase.table(
  'call_lease',
  {
    callId: ofCall().primaryKey(),
    nodeId: text().notNull(),
    bootId: text().notNull(),
    /** Grows with every lease: a fact or command of an earlier one is refused. */
    fence: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    leaseUntil: instant().notNull(),
  },
  (table) => [index('call_lease_node').on(table.nodeId, table.bootId)],
)

export const callSummary = snakeCase.table('call_summary', {
  callId: ofCall().primaryKey(),
  type: text({ enum: SUMMARY_TYPES }).notNull(),
  title: text().notNull(),
  description: text().notNull(),
  insights: jsonb().$type<CallSummary['insights']>().notNull(),
  nextSteps: jsonb().$type<CallSummary['nextSteps']>().notNull(),
  actionRequired: boolean().notNull(),
  actionText: text(),
})

/** Numbers that an account calls from. */
export const callerNumber = snakeCase.table(
  'caller_number',
  {
    userId: ofUser(),
    /** E.164. */
    phone: text().notNull(),
    /** owned: of the carrier, assigned by the operator. verified: the user's own phone. */
    kind: text({ enum: CALLER_NUMBER_KINDS }).notNull(),
    isDefault: boolean().notNull().default(false),
    /** Verified on the simulated network, and used on that alone. */
    simulated: boolean().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.phone] }),
    uniqueIndex('caller_number_default')
      .on(table.userId)
      .where(sql`${table.isDefault}`),
    uniqueIndex('caller_number_owned')
      .on(table.phone)
      .where(sql`${table.kind} = 'owned'`),
  ],
)

/** Calls that tell a code: no calls of the history. The code is derived from the id. */
export const callerVerification = snakeCase.table(
  'caller_verification',
  {
    id: text().primaryKey(),
    userId: ofUser(),
    /** E.164. */
    phone: text().notNull(),
    simulated: boolean().notNull(),
    status: text({ enum: VERIFICATION_STATUSES }).notNull().default('calling'),
    /** Codes typed. */
    tries: integer().notNull().default(0),
    factsTaken: integer().notNull().default(0),
    /** Before it is given to a voice node; never given twice. */
    dispatchedAt: instant(),
    nodeId: text(),
    bootId: text(),
    endReason: text({ enum: END_REASONS }),
    endMessage: text(),
    /** What a phone of the simulated network heard. */
    heard: text(),
    createdAt: instant().notNull(),
    confirmedAt: instant(),
  },
  (table) => [
    index('caller_verification_user').on(table.userId, table.createdAt),
    index('caller_verification_phone').on(table.phone, table.createdAt),
    index('caller_verification_created').on(table.createdAt),
  ],
)
export type VerificationRow = typeof callerVerification.$inferSelect

/** Templates of calls. */
export const callTemplate = snakeCase.table(
  'call_template',
  {
    id: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    purpose: text().notNull(),
    objectives: jsonb().$type<string[]>().notNull(),
    mandates: jsonb().$type<(Mandate | null)[]>().notNull().default([]),
    tone: text({ enum: TONES }).notNull(),
    maxDurationMinutes: integer().notNull(),
    context: jsonb().$type<Record<string, unknown>>().notNull(),
    language: text({ enum: CALL_LANGUAGES }).notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [uniqueIndex('call_template_name').on(table.userId, sql`lower(${table.name})`)],
)
