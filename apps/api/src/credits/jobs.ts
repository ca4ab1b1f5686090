import { addCardJobs } from './cards/cards.ts'
import { forgetCustomer, forgetJob } from './forget.ts'
import { TELL_EVERY_MS, tellLowBalances } from './low-balance.ts'
import { mailJob, sendMail } from './mails.ts'
import { RECONCILE_EVERY_MS, reconcilePayments } from './payments/reconcile.ts'
import type { CreditsRoom } from './room.ts'
import { TOP_UP_EVERY_MS, topUp } from './cards/top-up.ts'

/** The room's regular jobs. */
export function addJobs(room: CreditsRoom): void {
  const { jobs } = room
  jobs.work(mailJob, (order) => sendMail(room, order))
  addCardJobs(room)
  jobs.work(forgetJob, ({ customerId }) => forgetCustomer(room, customerId))
  jobs.every('credits.low-balance', TELL_EVERY_MS, (run) => tellLowBalances(room, run))
  jobs.every('credits.top-up', TOP_UP_EVERY_MS, (run) => topUp(room, run))
  jobs.every('credits.reconcile', RECONCILE_EVERY_MS, (run) => reconcilePayments(room, run))
}
