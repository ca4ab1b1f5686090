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
