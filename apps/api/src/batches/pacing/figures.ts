import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/db.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { batch } from '../schema.ts'
import { isPaced } from './agenda.ts'

/** How late the pacer is. */
export function addListFigures({ metrics, db }: { readonly metrics: Metrics; readonly db: Db }): void {
  metrics.figure({
    name: 'parley_lists_look_overdue_seconds',
    help: 'How long the running list that has been due the longest waits for its look',
    async read() {
      const { rows } = await db.execute<{ value: number }>(sql`
        select greatest(0, coalesce(extract(epoch from now() - min(${batch.lookAt})), 0))::float8 as value
        from ${batch} where ${isPaced}`)
      return rows
    },
  })
}
