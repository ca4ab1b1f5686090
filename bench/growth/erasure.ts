import { setTimeout as pause } from 'node:timers/promises'
import { closeAccount } from '../../apps/api/src/accounts/data/erasure.ts'
import type { Context } from '../../apps/api/src/context.ts'
import { percentile, type Taken, timedStatements } from './statements.ts'

const LOOK_MS = 200
const DEADLINE_MS = 30 * 60_000

export interface ErasureCosts {
  readonly seconds: number
  readonly statements: number
  readonly p99Ms: number
  readonly longest: Taken
}

/** Closes an account by the product's own function and job, and waits until nothing is left of it. */
export async function measureErasure({ accounts, db, database }: Context, userId: string): Promise<ErasureCosts> {
  const startedAt = performance.now()
  const taken = await timedStatements(async () => {
    await closeAccount(accounts.room, userId)
    const deadline = performance.now() + DEADLINE_MS
    const left = () => database.pool.query('select from "user" where id = $1', [userId])
    while (((await left()).rowCount ?? 0) > 0) {
      if (performance.now() > deadline) throw new Error('The account was not erased in time.')
      await pause(LOOK_MS)
    }
  })
  const rest = await db.$client.query('select from call where user_id = $1 limit 1', [userId])
  if ((rest.rowCount ?? 0) > 0) throw new Error('Calls of the account are left.')
  const longest = taken.reduce((one, other) => (other.ms > one.ms ? other : one), { text: '', ms: 0 })
  const p99Ms = percentile(
    taken.map(({ ms }) => ms),
    0.99,
  )
  return { seconds: (performance.now() - startedAt) / 1000, statements: taken.length, p99Ms, longest }
}
