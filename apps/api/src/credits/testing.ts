import type { TestProject } from 'vitest/node'
import { setup } from '../platform/testing.ts'
import { LEDGER_SQL } from './ledger/sql.ts'

/** Once per run: the server of the api's tests, and the template of their databases with the ledger's rules in it. */
export default (project: TestProject) => setup(project, [LEDGER_SQL])

export { everyRow, fillBooks, migrateToBefore } from './ledger/testing.ts'
// What tests of the whole look at, and fill, by themselves.
export {
  autoTopUp,
  ledgerAccount,
  lowBalance,
  payment,
  paymentCustomer,
  paymentDispute,
  paymentRefund,
} from './schema.ts'
