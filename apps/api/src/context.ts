import { type Accounts, createAccounts } from './accounts/index.ts'
import { type CallsRoom, createCalls } from './calls/index.ts'
import type { Config } from './config.ts'
import { balance, openWallet } from './credits/index.ts'
import { createFloor, type Floor, type FloorOverrides } from './floor.ts'

/** Every long-lived thing of the api, built here, once. */
export interface Context extends Floor {
  readonly accounts: Accounts
  readonly calls: CallsRoom
}

export async function createContext(config: Config, overrides: FloorOverrides = {}): Promise<Context> {
  const floor = await createFloor(config, overrides)
  const accounts = createAccounts(floor, {
    onVerified: async (tx, { userId, firstTime }) => void (await openWallet(tx, userId, { freeCredits: firstTime })),
    spendable: async (reader, userId) => (await balance(reader, userId)).available,
  })
  return { ...floor, accounts, calls: createCalls(floor) }
}
