import { and, count, eq, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../../platform/db.ts'
import { dialSlot } from '../schema.ts'

// The lines that lists share, over all accounts and nodes. A line is leased, never owned: a lease that ends frees it.

const free = (now: Date) => or(isNull(dialSlot.leasedUntil), lt(dialSlot.leasedUntil, now))

/** There are as many lines as the configuration says; a larger number takes effect at the next start. */
export async function openSlots(reader: Reader, lines: number): Promise<void> {
  await reader.execute(
    sql`insert into ${dialSlot} (id) select generate_series(1, ${lines}::int) on conflict do nothing`,
  )
}

export async function countFreeSlots(reader: Reader, lines: number, now: Date): Promise<number> {
  const [row] = await reader
    .select({ slots: count() })
    .from(dialSlot)
    .where(and(lte(dialSlot.id, lines), free(now)))
  return row?.slots ?? 0
}

/** A free line for a call, until then at the latest; null when there is none. */
export async function takeSlot(tx: Tx, lines: number, now: Date): Promise<number | null> {
  const [slot] = await tx
    .select({ id: dialSlot.id })
    .from(dialSlot)
    .where(and(lte(dialSlot.id, lines), free(now)))
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
