import type { Evidence } from './invariants/evidence.ts'
import type { Counts } from './load/load.ts'

/** What a run was made of. */
export interface Figures {
  readonly loadedMs: number
  readonly counts: Counts
  readonly accepted: number
  readonly calls: number
  readonly callsOfLists: number
  readonly callsConnected: number
  readonly leases: number
  readonly facts: number
  readonly reports: number
  /** Reports that were refused with 409: their fence was stale, or nothing more is taken of the call. */
  readonly reportsRefused: number
  /** Reports that were sent again, since no answer had come. */
  readonly reportsUnanswered: number
  readonly webhooks: number
  readonly webhooksReceived: number
  readonly payments: number
  readonly optOuts: number
}

const CONFLICT = 409

export function figuresOf({
  evidence,
  counts,
  loadedMs,
}: {
  readonly evidence: Evidence
  readonly counts: Counts
  readonly loadedMs: number
}): Figures {
  const { accepted, calls, given, reports, deliveries, receipts, paid, optOuts } = evidence
  return {
    loadedMs,
    counts,
    accepted: accepted.length,
    calls: calls.length,
    callsOfLists: calls.filter(({ batchId }) => batchId !== null).length,
    callsConnected: calls.filter(({ creditsCharged }) => (creditsCharged ?? 0) > 0).length,
    leases: given.length,
    facts: calls.reduce((sum, { factsTaken }) => sum + factsTaken, 0),
    reports: reports.length,
    reportsRefused: reports.filter(({ status }) => status === CONFLICT).length,
    reportsUnanswered: reports.filter(({ status }) => status === 0).length,
    webhooks: deliveries.length,
    webhooksReceived: receipts.length,
    payments: paid.length,
    optOuts: optOuts.length,
  }
}
