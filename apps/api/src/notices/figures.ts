import { sql } from 'drizzle-orm'
import type { Db } from '../platform/db.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { webhookDelivery } from './schema.ts'

/** Deliveries of the last hour by their status: many that failed are a receiver, or our way out, that is broken. */
export function addWebhookFigures({ metrics, db }: { readonly metrics: Metrics; readonly db: Db }): void {
  metrics.figure({
    name: 'parley_webhook_deliveries_count',
    help: 'Webhook deliveries of the last hour by status',
    labels: ['status'],
    async read() {
      const { rows } = await db.execute<{ status: string; value: number }>(sql`
        select status, count(*)::int as value from ${webhookDelivery}
        where created_at > now() - interval '1 hour' group by status`)
      return rows.map(({ status, value }) => ({ labels: { status }, value }))
    },
  })
}
