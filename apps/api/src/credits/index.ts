import { createHooks } from '../platform/hooks.ts'
import { addJobs } from './jobs.ts'
import type { CreditsRoom } from './room.ts'
import { createStripe } from './payments/stripe.ts'

export { auditBooks, checkBooks } from './ledger/check.ts'
export {
  adjust,
  type Balance,
  balance,
  balanceMessage,
  clawBack,
  grant,
  hold,
  listExpiredHolds,
  openWallet,
  settle,
  type Settled,
  settleMany,
  type Settlement,
} from './ledger/ledger.ts'
export { LEDGER_SQL } from './ledger/sql.ts'
export { checkPayments } from './payments/stripe.ts'
export { creditPriceCents, purchasedCredits, purchasedCreditsOf } from './payments/purchased.ts'
export { addMoneyFigures } from './figures.ts'
export { forgetPayer } from './forget.ts'
export { moneyFiles } from './personal.ts'
export type { CreditsRoom } from './room.ts'
export { registerCredits } from './routes.ts'
export { booksHaveTheirRole } from './ledger/rights.ts'
export { statement } from './ledger/statement.ts'
export { closeTask, grantTask, listTasks, refundTask } from './payments/tasks.ts'

/** The room with its jobs: reconciling payments, top-ups and low-balance notices. */
export function createCredits(given: Omit<CreditsRoom, 'hooks' | 'stripe'>): CreditsRoom {
  const room: CreditsRoom = { ...given, stripe: createStripe(given.config.payments), hooks: createHooks() }
  addJobs(room)
  return room
}
