import { z } from 'zod'
import { BATCH_CONTACT_STATUSES, BATCH_ORDER_MAX_BYTES } from './batches.ts'
import {
  Batch,
  BatchAccepted,
  BatchChange,
  BatchContact,
  BatchImport,
  BatchOverview,
  ColumnMapping,
  MissingVariable,
  NewBatch,
} from './shapes.ts'
import { IdParams, MessageReply, PageQuery } from '../common-shapes.ts'
import { LIST_FILE_MAX_BYTES } from '../common.ts'
import { defineRoute } from '../route.ts'
import { batchesPaths } from '../paths.ts'

const room = 'batches'
const START_ERRORS = [
  'secret_in_order',
  'insufficient_credits',
  'debt_outstanding',
  'consent_required',
  'variables_missing',
  'nobody_left',
  'dialing_off',
] as const

export const batchesRoutes = {
  create: defineRoute({
    ...batchesPaths.create,
    room,
    access: 'account',
    summary:
      'Call the contacts of a new batch, now or at a given time. Each call holds credits as it is dialed and charges one for each minute begun',
    body: NewBatch,
    bodyBytes: BATCH_ORDER_MAX_BYTES,
    reply: BatchAccepted,
    status: 201,
    idempotent: true,
    errors: ['too_large', ...START_ERRORS],
  }),
  import: defineRoute({
    ...batchesPaths.import,
    room,
    access: 'account',
    summary: 'Upload a .csv or .json file of contacts; it becomes a draft. Calls nobody',
    query: z.object({
      fileName: z.string().trim().min(1).max(255),
      name: z.string().trim().min(1).max(200).optional(),
    }),
    file: true,
    bodyBytes: LIST_FILE_MAX_BYTES,
    reply: BatchImport,
    status: 201,
    errors: ['too_large', 'secret_in_order'],
  }),
  getImport: defineRoute({
    ...batchesPaths.getImport,
    room,
    access: 'account',
    summary: 'What became of an uploaded file',
    params: IdParams,
    reply: BatchImport,
  }),
  mapImport: defineRoute({
    ...batchesPaths.mapImport,
    room,
    access: 'account',
    summary: 'Say which columns of the file hold the number and the name',
    params: IdParams,
    body: ColumnMapping,
    reply: BatchImport,
    errors: ['conflict'],
  }),
  missing: defineRoute({
    ...batchesPaths.missing,
    room,
    access: 'account',
    summary: "Variables of the draft's purpose and objectives that rows have no value for",
    params: IdParams,
    reply: z.array(MissingVariable),
  }),
  list: defineRoute({
    ...batchesPaths.list,
    room,
    access: 'account',
    summary: 'Batches, newest first',
    params: IdParams,
    query: PageQuery,
    reply: z.array(BatchOverview),
    paged: true,
  }),
  get: defineRoute({
    ...batchesPaths.get,
    room,
    access: 'account',
    summary: 'A batch, its counts by status, its estimate and a page of its calls',
    params: IdParams,
    query: PageQuery,
    reply: Batch,
    paged: true,
  }),
  change: defineRoute({
    ...batchesPaths.change,
    room,
    access: 'account',
    summary:
      'Start, schedule, pause, resume or stop a batch, call its failed contacts again, or change a draft. Starting spends credits',
    params: IdParams,
    body: BatchChange,
    reply: BatchOverview,
    errors: ['conflict', ...START_ERRORS],
  }),
  remove: defineRoute({
    ...batchesPaths.remove,
    room,
    access: 'account',
    summary: 'Delete a batch that is not under way; its calls stay in the history',
    params: IdParams,
    reply: MessageReply,
    errors: ['conflict'],
  }),
  contacts: defineRoute({
    ...batchesPaths.contacts,
    room,
    access: 'account',
    summary: 'The contacts of a batch in row order, with the result of each',
    params: IdParams,
    query: PageQuery.extend({ status: z.enum(['all', ...BATCH_CONTACT_STATUSES]).default('all') }),
    reply: z.array(BatchContact),
    paged: true,
  }),
  results: defineRoute({
    ...batchesPaths.results,
    room,
    access: 'account',
    ticket: true,
    summary:
      'Every contact with how its call ended, what came of each objective with quote and offer, and the summary, as a .csv or .json file',
    params: IdParams,
    query: z.object({ format: z.enum(['csv', 'json']).default('csv') }),
  }),
  dropped: defineRoute({
    ...batchesPaths.dropped,
    room,
    access: 'account',
    ticket: true,
    summary: 'The rows that are not called: row, number and reason, as a .csv file',
    params: IdParams,
  }),
} as const
