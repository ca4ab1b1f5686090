import { and, count, eq, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../../platform/db.ts'
import { dialSlot } from '../schema.ts'

// Concurrency slots shared by all batches, accounts and nodes, where BATCH_CONCURRENCY says how many; else the places on
// voice nodes are the only ceiling. Slots are leased, so that an expired lease frees one.

const free = (now: Date) => or(isNull(dialSlot.leasedUntil), lt(dialSlot.leasedUntil, now))

/** Creates missing slots up to the configured number; an increase takes effect at the next start. */
export async function openSlots(reader: Reader, slotCount: number): Promise<void> {
  await reader.execute(
    sql`insert into ${dialSlot} (id) select generate_series(1, ${slotCount}::int) on conflict do nothing`,
  )
}

export async function countFreeSlots(reader: Reader, slotCount: number | undefined, now: Date): Promise<number> {
  if (slotCount === undefined) return Number.POSITIVE_INFINITY
  const [row] = await reader
    .select({ slots: count() })
    .from(dialSlot)
    .where(and(lte(dialSlot.id, slotCount), free(now)))
  return row?.slots ?? 0
}

/** Locks a free slot until the transaction ends; null when there is none. */
export async function takeSlot(tx: Tx, slotCount: number, now: Date): Promise<number | null> {
  const [slot] = await tx
    .select({ id: dialSlot.id })
    .from(dialSlot)
    .where(and(lte(dialSlot.id, slotCount), free(now)))
    .orderBy(dialSlot.id)
    .limit(1)
    .for('update', { skipLocked: true })
  return slot?.id ?? null
}

export async function lease(tx: Tx, slotId: number, callId: string, until: Date): Promise<void> {
  await tx.update(dialSlot).set({ callId, leasedUntil: until }).where(eq(dialSlot.id, slotId))
}

export async function releaseSlot(tx: Tx, callId: string): Promise<void> {
  await tx.update(dialSlot).set({ callId: null, leasedUntil: null }).where(eq(dialSlot.callId, callId))
}
