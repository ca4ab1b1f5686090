export { type Balance, balance, balanceMessage, clawBack, grant, hold, listExpiredHolds, openWallet, settle } from './ledger.ts'
export { purchasedCredits } from './purchased.ts'
export { registerCredits } from './routes.ts'
export { statement } from './statement.ts'
