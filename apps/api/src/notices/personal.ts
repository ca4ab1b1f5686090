import { and, asc, eq, gt } from 'drizzle-orm'
import { type ExportFile, listFile, pagedFile } from '../accounts/index.ts'
import type { Reader } from '../platform/db.ts'
import { device, webhookDelivery, webhookEndpoint } from './schema.ts'

type Delivery = typeof webhookDelivery.$inferSelect

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
        .where(and(eq(webhookDelivery.userId, userId), last && gt(webhookDelivery.id, last.id)))
        .orderBy(asc(webhookDelivery.id))
        .limit(limit),
    ),
  ]
}
