import { randomUUID } from 'node:crypto'
import type { EnterpriseInquiry } from '@parley/contract'
import { and, eq, gt, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { withTx } from '../platform/db.ts'
import { enqueueMail } from './jobs.ts'
import { readEmail } from './sign-in/passwords.ts'
import type { Mailing } from './room.ts'
import { inquiry } from './schema.ts'

/**
 * Stores an enterprise inquiry, mails it to the operator and confirms it to the sender. At most one confirmation per
 * address and hour, without the sender's text: the address is unverified.
 */
export async function receiveInquiry(
  { db, config, jobs }: Mailing,
  asked: z.output<typeof EnterpriseInquiry>,
): Promise<void> {
  const { phone = null, requirements = null } = asked
  const [id, email] = [randomUUID(), readEmail(asked.email)]
  await withTx(db, async (tx) => {
    const recent = and(eq(inquiry.email, email), gt(inquiry.createdAt, sql`now() - interval '1 hour'`))
    const confirmed = (await tx.$count(inquiry, recent)) > 0
    await tx.insert(inquiry).values({ ...asked, email, phone, requirements, id })
    if (config.operatorEmail !== undefined) await enqueueMail(jobs, tx, { mail: 'inquiry', inquiryId: id })
    if (!confirmed) await enqueueMail(jobs, tx, { mail: 'inquiry_received', to: email })
  })
}
