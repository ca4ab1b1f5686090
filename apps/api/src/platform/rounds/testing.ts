import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { vi } from 'vitest'
import type { Db } from '../db.ts'
import { passedOver, repeatedTask } from '../schema.ts'

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
      { timeout: 40_000, interval: 20 },
    )
}

/** Whatever is written to such a row of the table fails, until the function that is returned is called. */
export async function poison(db: Db, table: string, when: string): Promise<() => Promise<void>> {
  const name = `poison_${randomUUID().replaceAll('-', '')}`
  await db.execute(
    sql.raw(`create function ${name}() returns trigger language plpgsql as $$ begin raise 'poisoned'; end $$;
      create trigger ${name} before insert or update on ${table}
        for each row when (${when}) execute function ${name}()`),
  )
  return async () => void (await db.execute(sql.raw(`drop function ${name}() cascade`)))
}

/** What failed is tried again in the next round. */
export async function endBackOffs(db: Db): Promise<void> {
  await db.update(passedOver).set({ retryAt: sql`now()` })
}

/** How often each subject of the task has failed in a row. */
export async function failuresOf(db: Db, task: string): Promise<Readonly<Record<string, number>>> {
  const rows = await db.select().from(passedOver).where(eq(passedOver.task, task))
  return Object.fromEntries(rows.map(({ subject, failures }) => [subject, failures]))
}
