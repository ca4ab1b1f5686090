import type { LiveMessage } from '@parley/contract'
import { and, asc, eq, isNull } from 'drizzle-orm'
import { userTopic } from '../platform/bus.ts'
import { withTx } from '../platform/db.ts'
import { balance } from './ledger/ledger.ts'
import { mailJob } from './mails.ts'
import type { CreditsRoom } from './room.ts'
import { autoTopUp, lowBalance } from './schema.ts'
import { mayBuyToday } from './cards/top-up.ts'

export const TELL_EVERY_MS = 5000
const PEOPLE_PER_ROUND = 100

/** Notifies users with low credits, once until the balance has recovered, unless auto top-up will buy more. */
export async function tellLowBalances(room: Pick<CreditsRoom, 'bus' | 'db' | 'hooks' | 'jobs'>): Promise<void> {
  const told = await withTx(room.db, async (tx) => {
    const fallen = await tx
      .select({ userId: lowBalance.userId, problem: autoTopUp.problem, automatic: autoTopUp.userId })
      .from(lowBalance)
      .leftJoin(autoTopUp, eq(autoTopUp.userId, lowBalance.userId))
      .where(isNull(lowBalance.toldAt))
      .orderBy(asc(lowBalance.fellAt))
      .limit(PEOPLE_PER_ROUND)
      .for('update', { of: lowBalance, skipLocked: true })
    const toTell: { userId: string; posted: number }[] = []
    for (const { userId, automatic, problem } of fallen) {
      await tx
        .update(lowBalance)
        .set({ toldAt: new Date() })
        .where(and(eq(lowBalance.userId, userId), isNull(lowBalance.toldAt)))
      if (automatic !== null && problem === null && (await mayBuyToday(tx, userId))) continue
      // Held credits are not spent yet, so they count as present.
      const left = await balance(tx, userId)
      await room.jobs.enqueue(tx, mailJob, { mail: 'low_balance', userId }, { key: `low:${userId}` })
      await room.hooks.run('low', tx, userId, left)
      toTell.push({ userId, posted: left.posted })
    }
    return toTell
  })
  for (const { userId, posted } of told) {
    room.bus.publish(userTopic(userId), { type: 'credits_low', creditBalance: String(posted) } satisfies LiveMessage)
  }
}
