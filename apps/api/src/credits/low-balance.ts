import type { LiveMessage } from '@parley/contract'
import { and, asc, eq, isNull } from 'drizzle-orm'
import { userTopic } from '../platform/bus.ts'
import { withTx } from '../platform/db.ts'
import { eachAlone, isNotPassedOver } from '../platform/rounds/each-alone.ts'
import type { Run } from '../platform/rounds/rounds.ts'
import { balance } from './ledger/ledger.ts'
import { mailJob } from './mails.ts'
import type { CreditsRoom } from './room.ts'
import { autoTopUp, lowBalance } from './schema.ts'
import { mayBuyToday } from './cards/top-up.ts'

export const TELL_EVERY_MS = 5000
const PEOPLE_PER_PIECE = 100

const TASK = 'credits.low-balance'

type Telling = Pick<CreditsRoom, 'bus' | 'db' | 'hooks' | 'jobs' | 'log'>

/** Notifies users with low credits, once until the balance has recovered, unless auto top-up will buy more. */
export async function tellLowBalances(room: Telling, run?: Run): Promise<void> {
  for (;;) {
    const fallen = await room.db
      .select({ userId: lowBalance.userId })
      .from(lowBalance)
      .where(and(isNull(lowBalance.toldAt), isNotPassedOver(TASK, lowBalance.userId)))
      .orderBy(asc(lowBalance.fellAt))
      .limit(PEOPLE_PER_PIECE)
    const work = ({ userId }: { readonly userId: string }) => tellOne(room, userId, run)
    await eachAlone({ room, task: TASK, items: fallen, subjectOf: ({ userId }) => userId, work, run })
    if (fallen.length < PEOPLE_PER_PIECE) return
  }
}

async function tellOne(room: Telling, userId: string, run: Run | undefined): Promise<void> {
  const told = await withTx(room.db, async (tx) => {
    await run?.confirm(tx)
    const [fallen] = await tx
      .update(lowBalance)
      .set({ toldAt: new Date() })
      .where(and(eq(lowBalance.userId, userId), isNull(lowBalance.toldAt)))
      .returning({ userId: lowBalance.userId })
    if (!fallen) return undefined
    const [automatic] = await tx.select().from(autoTopUp).where(eq(autoTopUp.userId, userId))
    if (automatic?.problem === null && (await mayBuyToday(tx, userId))) return undefined
    // Held credits are not spent yet, so they count as present.
    const left = await balance(tx, userId)
    await room.jobs.enqueue(tx, mailJob, { mail: 'low_balance', userId }, { key: `low:${userId}` })
    await room.hooks.run('low', tx, userId, left)
    return left
  })
  if (!told) return
  const message = { type: 'credits_low', creditBalance: String(told.posted) } satisfies LiveMessage
  room.bus.publish(userTopic(userId), message)
}
