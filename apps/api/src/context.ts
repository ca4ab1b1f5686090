import { type Accounts, createAccounts } from './accounts/index.ts'
import { type CallsRoom, createCalls, endCalls, eraseWords } from './calls/index.ts'
import type { Config } from './config.ts'
import { type ConsentRoom, createConsent } from './consent/index.ts'
import { balance, openWallet } from './credits/index.ts'
import { createFloor, type Floor, type FloorOverrides } from './floor.ts'
import { personalFiles } from './personal-data.ts'
import { forgetAnswersTo } from './platform/idempotency.ts'

/** Every long-lived thing of the api, built here, once. */
export interface Context extends Floor {
  readonly accounts: Accounts
  readonly consent: ConsentRoom
  readonly calls: CallsRoom
}

export async function createContext(config: Config, overrides: FloorOverrides = {}): Promise<Context> {
  const floor = await createFloor(config, overrides)
  const consent = createConsent(floor)
  const calls = createCalls(floor)
  const accounts = createAccounts(floor, {
    onVerified: async (tx, { userId, firstTime }) => void (await openWallet(tx, userId, { freeCredits: firstTime })),
    spendable: async (reader, userId) => (await balance(reader, userId)).available,
    exportFiles: async (userId) => personalFiles(floor.db, userId),
    endCalls: (userId) => endCalls(calls, userId),
    eraseCalls: (userIds, days) => eraseWords(floor.db, userIds, days),
    onClosed: async () => undefined,
    onErased: (tx, userId) => forgetAnswersTo(tx, userId),
  })
  return { ...floor, accounts, consent, calls }
}
