import { z } from 'zod'
import { CallStatus, Call, NewCall } from './calls.ts'
import { Id, IdParams, Instant, PageQuery } from './common.ts'
import { ErrorCode } from './errors.ts'
import { defineRoute } from './route.ts'

export const BATCH_ROWS_MAX = 100_000
export const BATCH_FILE_MAX_BYTES = 10 * 1024 * 1024
export const BATCH_PREVIEW_ROWS = 5
/** Columns a phone number is read from, first match wins. */
export const PHONE_COLUMNS = ['phone', 'Phone', 'phone_number'] as const

export const BATCH_STATUSES = ['draft', 'scheduled', 'running', 'paused', 'done', 'stopped'] as const
export const BatchStatus = z.enum(BATCH_STATUSES)

/** One line of an uploaded file; the whole row is the call's context. */
export const BatchRow = z
  .object({ phone: z.string(), name: z.string().optional(), context: z.record(z.string(), z.unknown()) })
  .meta({ id: 'BatchRow' })

export const NewBatch = z
  .object({
    userId: Id.optional(),
    name: z.string().trim().min(1).max(200),
    description: z.string().trim().max(1000).default(''),
    calls: z.array(NewCall).min(1, 'Please fill in all required fields and upload contact data.').max(BATCH_ROWS_MAX),
  })
  .meta({ id: 'NewBatch' })

export const BatchAccepted = z
  .object({
    batchId: Id,
    totalCalls: z.int().min(0),
    skipped: z.array(z.object({ row: z.int().min(0), phone: z.string(), code: ErrorCode })),
  })
  .meta({ id: 'BatchAccepted' })

export const BatchCounts = z.partialRecord(CallStatus, z.int().min(0)).meta({ id: 'BatchCounts' })

export const Batch = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    status: BatchStatus,
    totalCalls: z.int().min(0),
    counts: BatchCounts,
    calls: z.array(Call),
    createdAt: Instant,
  })
  .meta({ id: 'Batch' })

/** 'Batch {date} {time}', in the person's own locale. */
export function batchName(now: Date, locale?: string): string {
  return `Batch ${now.toLocaleDateString(locale)} ${now.toLocaleTimeString(locale)}`
}

export function batchDescription(contacts: number): string {
  return `Batch call with ${contacts} contacts`
}

const room = 'batches'

export const batchesRoutes = {
  create: defineRoute({
    id: 'createBatch',
    room,
    method: 'POST',
    path: '/api/batch-calls',
    access: 'account',
    summary: 'Call everyone on a list',
    body: NewBatch,
    reply: BatchAccepted,
    status: 201,
    idempotent: true,
    errors: ['insufficient_credits', 'debt_outstanding', 'consent_required', 'variables_missing', 'dialing_off'],
  }),
  get: defineRoute({
    id: 'getBatch',
    room,
    method: 'GET',
    path: '/api/batch-calls/:id',
    access: 'account',
    summary: 'A batch, its counts by status and a page of its calls',
    params: IdParams,
    query: PageQuery,
    reply: Batch,
    paged: true,
  }),
} as const
