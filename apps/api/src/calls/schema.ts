import {
  CALL_LANGUAGES,
  CALL_STATUSES,
  type CallEvent,
  type CallSummary,
  END_REASONS,
  type Outcome,
  SUMMARY_TYPES,
  TONES,
  type Turn,
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
    purpose: text().notNull(),
    objectives: jsonb().$type<string[]>().notNull(),
    tone: text({ enum: TONES }).notNull(),
    voiceId: text({ enum: VOICES }).notNull(),
    maxDurationMinutes: integer().notNull(),
    context: jsonb().$type<Record<string, unknown>>().notNull(),
    language: text({ enum: CALL_LANGUAGES }).notNull(),
    onBehalfOf: text().notNull(),
    record: boolean().notNull(),

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
    /** The last fact of the call, or the last attempt to reach it. */
    heardAt: instant().notNull(),
    /** To a test number beside a real carrier: without a hold, free of charge. */
    isTest: boolean().notNull().default(false),
    /** The carrier's own id of the leg: what is asked about after a crash. */
    carrierCallId: text(),
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

/** The carrier's side of an ended call: for the operator, never shown to the user. */
export const callCost = snakeCase.table(
  'call_cost',
  {
    callId: text()
      .primaryKey()
      .references(() => call.id, { onDelete: 'cascade' }),
    endedAt: instant().notNull(),
    /** Its name; null where a call ended without a word of it. */
    carrier: text(),
    /** Its own code of the end, as a SIP status. */
    code: text(),
    /** null: not told, or not yet. */
    costMicros: bigint({ mode: 'number' }),
    /** ISO 4217. */
    currency: text(),
    /** When to ask the carrier for the cost; null: nothing more is to come. */
    askAt: instant(),
    asked: integer().notNull().default(0),
  },
  (table) => [
    index('call_cost_ended').on(table.endedAt),
    index('call_cost_due')
      .on(table.askAt)
      .where(sql`${table.askAt} is not null`),
    check('call_cost_whole', sql`(${table.costMicros} is null) = (${table.currency} is null)`),
  ],
)

const ofCall = () =>
  text()
    .notNull()
    .references(() => call.id, { onDelete: 'cascade' })

/** Every change of status or phase, in order. */
export const callEvent = snakeCase.table(
  'call_event',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    callId: ofCall(),
    status: text({ enum: CALL_STATUSES }).$type<CallEvent['status']>().notNull(),
    phase: text().notNull(),
    at: instant().notNull(),
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
    tone: text({ enum: TONES }).notNull(),
    maxDurationMinutes: integer().notNull(),
    context: jsonb().$type<Record<string, unknown>>().notNull(),
    language: text({ enum: CALL_LANGUAGES }).notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [uniqueIndex('call_template_name').on(table.userId, sql`lower(${table.name})`)],
)
