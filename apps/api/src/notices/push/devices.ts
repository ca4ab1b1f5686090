import { randomUUID } from 'node:crypto'
import type { Device, NewDevice } from '@parley/contract'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, withTx } from '../../platform/db.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http.ts'
import type { NoticesRoom } from '../room.ts'
import { device } from '../schema.ts'

/** Phones of one account that are notified; a further one takes the place of the oldest. */
const DEVICES_MAX = 20
const APPLE_TOKEN = /^[0-9a-f]{64,200}$/i

/** Adds the phone of a session. A token that is known moves to this session: the phone has another user now. */
export async function addDevice(
  { db, push }: Pick<NoticesRoom, 'db' | 'push'>,
  { userId, sessionId }: Actor,
  { platform, token, language }: z.output<typeof NewDevice>,
): Promise<Device> {
  if (sessionId === null) throw new AppError('not_permitted', 'Only a signed-in app has a phone.')
  if (platform === 'ios' && !APPLE_TOKEN.test(token))
    throw new AppError('invalid_input', 'This is no device token.', { field: 'token' })
  return withTx(db, async (tx) => {
    const own = { userId, sessionId, platform, language }
    const [kept] = await tx
      .insert(device)
      .values({ id: randomUUID(), token, ...own })
      .onConflictDoUpdate({ target: device.token, set: { ...own, createdAt: new Date() } })
      .returning({ id: device.id })
    if (!kept) throw notFound('The device')
    const beyond = await tx
      .select({ id: device.id })
      .from(device)
      .where(eq(device.userId, userId))
      .orderBy(desc(device.createdAt))
      .offset(DEVICES_MAX)
    if (beyond.length > 0)
      await tx.delete(device).where(
        inArray(
          device.id,
          beyond.map(({ id }) => id),
        ),
      )
    return { id: kept.id, reached: push[platform] !== undefined }
  })
}

export async function removeDevice(db: Db, userId: string, id: string): Promise<void> {
  const own = and(eq(device.id, id), eq(device.userId, userId))
  const [removed] = await db.delete(device).where(own).returning({ id: device.id })
  if (!removed) throw notFound('The device')
}
