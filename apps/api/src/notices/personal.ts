import { and, asc, eq, gt } from 'drizzle-orm'
import { type ExportFile, listFile, pagedFile } from '../accounts/index.ts'
import type { Reader } from '../platform/db.ts'
import { webhookDelivery, webhookEndpoint } from './schema.ts'

type Delivery = typeof webhookDelivery.$inferSelect

/** The notices room's files of a data export. */
export function webhookFiles(reader: Reader, userId: string): readonly ExportFile[] {
  const { url, createdAt } = webhookEndpoint
  return [
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
