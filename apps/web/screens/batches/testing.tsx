import {
  type Batch,
  BatchChange,
  type BatchContact,
  type BatchImport,
  type BatchOverview,
  BatchPlan,
  type BatchStatus,
  batchesRoutes,
  type MissingVariable,
  RETRY_WAIT_MINUTES,
} from '@parley/contract'
import { page } from 'vitest/browser'
import { ADA, type FakeApi } from '../testing.tsx'

const NOBODY = { dropped: 0, waiting: 0, calling: 0, completed: 0, failed: 0, cancelled: 0 }

/** A draft of two contacts, with the given changes. */
export function aBatch({
  contacts,
  ...change
}: Partial<Omit<Batch, 'contacts'>> & { contacts?: Partial<typeof NOBODY> } = {}): Batch {
  return {
    id: 'list-1',
    name: 'Guests',
    description: '',
    status: 'draft',
    pausedBy: null,
    statusMessage: null,
    goesOnAt: null,
    totalCalls: 2,
    counts: {},
    contacts: { ...NOBODY, waiting: 2, ...contacts },
    creditsCharged: 0,
    fileName: 'guests.csv',
    createdAt: '2026-11-20T10:00:00.000Z',
    scheduledFor: null,
    startedAt: null,
    endedAt: null,
    plan: {
      purpose: '',
      objectives: [],
      tone: 'professional',
      maxDurationMinutes: 10,
      language: 'auto',
      liveCalls: null,
      callsPerMinute: 60,
      retries: { attempts: 1, ...RETRY_WAIT_MINUTES },
    },
    consent: null,
    estimate: { calls: 2, likelyCredits: 4, mostCredits: 20, availableCredits: 10, minutes: 2, opensAt: null },
    calls: [],
    ...change,
  }
}

/** The import result of its file. */
export function anImport(change: Partial<BatchImport> = {}): BatchImport {
  return {
    batchId: 'list-1',
    fileName: 'guests.csv',
    columns: ['phone', 'name'],
    mapping: { phone: 'phone', name: 'name' },
    contacts: 2,
    preview: [
      { phone: '+12025550100', name: 'Grace', context: {} },
      { phone: '+12025550105', name: 'Mary', context: {} },
    ],
    dropped: 0,
    droppedByCode: {},
    droppedFirst: [],
    ...change,
  }
}

export function aPerson(row: number, change: Partial<BatchContact> = {}): BatchContact {
  const phone = `+1202555${String(row).padStart(4, '0')}`
  return {
    row,
    phone,
    callee: phone,
    name: `Guest ${row}`,
    context: {},
    status: 'waiting',
    code: null,
    attempts: 0,
    nextAttemptAt: null,
    callId: null,
    callStatus: null,
    phase: null,
    endReason: null,
    outcomes: [],
    summary: null,
    durationSeconds: null,
    creditsCharged: null,
    ...change,
  }
}

const AFTER: Readonly<Record<string, BatchStatus>> = {
  start: 'running',
  schedule: 'scheduled',
  pause: 'paused',
  resume: 'running',
  stop: 'stopped',
  'retry-failed': 'running',
}

/** The server's state of a batch. */
interface Kept {
  batch: Batch
  list: BatchImport
  missing: readonly MissingVariable[]
  people: readonly BatchContact[]
  isThere: boolean
}

/** A server with this batch: changes it as requested, and deletes it. */
export function answerBatch(api: FakeApi, batch: Batch = aBatch(), more: Partial<Kept> = {}): Kept {
  const kept: Kept = { batch, list: anImport(), missing: [], people: [], isThere: true, ...more }
  api.answer(batchesRoutes.list, () => (kept.isThere ? [kept.batch] : []))
  api.answer(batchesRoutes.get, () => kept.batch)
  api.answer(batchesRoutes.import, () => kept.list)
  api.answer(batchesRoutes.getImport, () => kept.list)
  api.answer(batchesRoutes.missing, () => [...kept.missing])
  api.answer(batchesRoutes.contacts, () => [...kept.people])
  api.answer(batchesRoutes.change, ({ body }) => {
    kept.batch = changed(kept.batch, BatchChange.parse(body))
    return kept.batch
  })
  api.answer(batchesRoutes.remove, () => {
    kept.isThere = false
    return { message: 'Deleted' }
  })
  return kept
}

function changed(batch: Batch, change: BatchChange): Batch {
  if (change.action !== undefined) {
    return {
      ...batch,
      status: AFTER[change.action] ?? batch.status,
      scheduledFor: change.action === 'schedule' ? change.at : null,
    }
  }
  const { plan, consent, name = batch.name, description = batch.description } = change
  const given = consent && { ...consent, givenBy: ADA.name, givenAt: '2026-11-20T10:00:00.000Z' }
  return {
    ...batch,
    name,
    description,
    plan: BatchPlan.parse({ ...batch.plan, ...plan }),
    consent: given ?? batch.consent,
  }
}

/** The batch as in lists. */
export function overview({ plan: _p, consent: _c, estimate: _e, calls: _l, ...batch }: Batch): BatchOverview {
  return batch
}

/** The change requests in order. */
export function changesOf(api: FakeApi): unknown[] {
  return api.requests(batchesRoutes.change).map(({ body }) => body)
}

/** Answers the consent question. */
export async function agree(permission = 'Nothing, but they are our customers or expect our call'): Promise<void> {
  await page.getByRole('combobox', { name: 'What did these contacts agree to?' }).click()
  await page.getByRole('option', { name: permission }).click()
}
