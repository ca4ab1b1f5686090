import { sql } from 'drizzle-orm'
import { vi } from 'vitest'
import type { Db } from '../db.ts'
import { repeatedTask } from '../schema.ts'

/**
 * As if another process had these rounds: none begins in the middle of a test, which makes its own. Resolves once none
 * is under way.
 */
export async function holdRounds(db: Db, names: readonly string[]): Promise<void> {
  for (const name of names)
    await vi.waitFor(
      async () => {
        const { rows } = await db.execute<{
          name: string
        }>(sql`update ${repeatedTask} set owner = 'a test', fence = fence + 1,
          lease_until = now() + interval '1 day' where name = ${name} and owner is null
          returning name`)
        if (rows.length !== 1) throw new Error(`The round ${name} is under way.`)
      },
      { timeout: 20_000, interval: 20 },
    )
}
