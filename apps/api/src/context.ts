import { type Accounts, createAccounts, EVENTS_KEPT } from './accounts/index.ts'
import { addCallFigures, type CallsRoom, createCalls, endCalls, eraseAllRecordings, eraseWords } from './calls/index.ts'
import { addListFigures, type BatchesRoom, createBatches, stopBatches } from './batches/index.ts'
import type { Config } from './config.ts'
import { AUDIT_KEPT, type ConsentRoom, createConsent, keepDoNotCall, returnDoNotCall } from './consent/index.ts'
import {
  addMoneyFigures,
  balance,
  createCredits,
  type CreditsRoom,
  forgetPayer,
  LEDGER_SQL,
  openWallet,
} from './credits/index.ts'
import { eraseInPieces } from './erased-in-pieces.ts'
import { createFloor, type Floor, type FloorOverrides } from './floor.ts'
import { addWebhookFigures, createNotices, DELIVERIES_KEPT, type NoticesRoom } from './notices/index.ts'
import { personalFiles } from './personal-data.ts'
import { retire } from './platform/database/partitions/retention.ts'
import { holdRestored } from './restored.ts'

/** Every long-lived thing of the api, built here, once. */
export interface Context extends Floor {
  readonly accounts: Accounts
  readonly consent: ConsentRoom
  readonly calls: CallsRoom
  readonly batches: BatchesRoom
  readonly notices: NoticesRoom
  readonly credits: CreditsRoom
}

const RETIRE_EVERY_MS = 6 * 3_600_000

export async function createContext(
  config: Config,
  overrides: FloorOverrides = {},
  signal?: AbortSignal,
): Promise<Context> {
  const floor = await createFloor(config, [LEDGER_SQL], overrides, signal)
  const consent = createConsent(floor)
  const credits = createCredits(floor)
  const calls = createCalls(floor)
  const batches = createBatches(floor, { calls, consent })
  const notices = createNotices(floor, { calls, batches, credits })
  const accounts = createAccounts(floor, {
    credits: balance,
    exportFiles: (userId) => personalFiles(floor, userId),
    endCalls: (userId) => endCalls(calls, userId),
    eraseInPieces: (userId, isOver) => eraseInPieces(floor.db, userId, isOver),
    eraseCalls: (userIds, days, run) => eraseWords(calls, userIds, days, run),
  })
  accounts.hooks.on({
    async verified(tx, { userId, firstTime, identityKeys }) {
      await openWallet(tx, userId, { freeCredits: firstTime })
      if (!firstTime) await returnDoNotCall(tx, userId, identityKeys)
    },
    async closed(tx, { userId, identityKey }) {
      await stopBatches(tx, userId)
      await keepDoNotCall(tx, userId, identityKey)
      await forgetPayer(credits, tx, userId)
    },
    async erased(tx, userId) {
      await eraseAllRecordings(calls.jobs, tx, userId)
    },
  })
  const kept = [DELIVERIES_KEPT, AUDIT_KEPT, EVENTS_KEPT]
  const { archiveDays } = config
  floor.jobs.every('database.retention', RETIRE_EVERY_MS, (run) => retire(floor, { kept, archiveDays, run }))
  addMoneyFigures(floor)
  addCallFigures(floor)
  addListFigures(floor)
  addWebhookFigures(floor)
  floor.jobs.first(() => holdRestored(floor, calls))
  return { ...floor, accounts, consent, calls, batches, notices, credits }
}
