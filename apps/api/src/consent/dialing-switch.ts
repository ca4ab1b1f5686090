import type { Reader, Tx } from '../platform/db.ts'
import { dialingSwitch } from './schema.ts'

/** Stops or allows new dialing on all nodes at once; live calls continue. */
export async function turnDialing(tx: Tx, on: boolean, reason: string | null = null): Promise<void> {
  const state = { on, reason, changedAt: new Date() }
  await tx.insert(dialingSwitch).values(state).onConflictDoUpdate({ target: dialingSwitch.id, set: state })
}

export async function isDialingOn(reader: Reader): Promise<boolean> {
  const [row] = await reader.select({ on: dialingSwitch.on }).from(dialingSwitch)
  return row?.on ?? true
}
