import { and, asc, eq } from 'drizzle-orm'
import { type ExportFile, listFile, pagedFile } from '../accounts/index.ts'
import type { Reader } from '../platform/db.ts'
import { afterCursor } from '../platform/pages.ts'
import { device, webhookDelivery, webhookEndpoint } from './schema.ts'

type Delivery = typeof webhookDelivery.$inferSelect
const PLACE = { at: webhookDelivery.createdAt, id: webhookDelivery.id }

/** The notices room's files of a data export. */
export function noticeFiles(reader: Reader, userId: string): readonly ExportFile[] {
  const { url, createdAt } = webhookEndpoint
  const { platform, language, createdAt: addedAt } = device
  return [
    // Without the token: who has it and our keys can notify the phone.
    listFile('devices.json', () =>
      reader
        .select({ platform, language, addedAt })
        .from(device)
        .where(eq(device.userId, userId))
        .orderBy(asc(addedAt)),
    ),
    listFile('webhook.json', () =>
      reader.select({ url, createdAt }).from(webhookEndpoint).where(eq(webhookEndpoint.userId, userId)),
    ),
    pagedFile<Delivery>('webhook-deliveries.json', (last, limit) =>
      reader
        .select()
        .from(webhookDelivery)
        .where(and(eq(webhookDelivery.userId, userId), last && afterCursor({ at: last.createdAt, id: last.id }, PLACE)))
        .orderBy(asc(webhookDelivery.createdAt), asc(webhookDelivery.id))
        .limit(limit),
    ),
  ]
}
