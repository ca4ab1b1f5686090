import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { sqlState } from '../db.ts'

/** A statement that waits for a lock makes all later ones wait behind it: wait shortly, let them pass, try again. */
export interface LockPatience {
  readonly timeoutMs: number
  readonly attempts: number
  readonly pauseMs: number
}
const LOCK_PATIENCE: LockPatience = { timeoutMs: 2000, attempts: 60, pauseMs: 3000 }

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

/** A change of the schema that failed; PostgreSQL's error is the cause. */
export class ChangeFailed extends Error {
  /** As in "The migration 20260101000000_people". */
  readonly what: string
  constructor(what: string, happened: string, cause: unknown) {
    super(`${what} ${happened}`, { cause })
    this.what = what
  }
}

/**
 * Makes a change of the schema, and again after a pause while it does not get its locks. `change` is one transaction,
 * waits for a lock at most `lockTimeoutMs`, and throws ChangeFailed.
 */
export async function withPatience(
  { timeoutMs, attempts, pauseMs }: LockPatience = LOCK_PATIENCE,
  log: Logger | undefined,
  change: (lockTimeoutMs: number) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change(timeoutMs)
    } catch (error) {
      if (!(error instanceof ChangeFailed)) throw error
      const state = sqlState(error.cause)
      if (state !== LOCK_NOT_AVAILABLE && state !== DEADLOCK) throw error
      if (attempt >= attempts) {
        const happened =
          `did not get its locks in ${attempts} attempts of ${timeoutMs / 1000} s: ` +
          'other transactions hold them. Nothing of it was applied; end them, and run "npm run migrate" again.'
        throw new ChangeFailed(error.what, happened, error.cause)
      }
      log?.warn({ change: error.what, attempt }, 'a change of the schema waits for locks that other transactions hold')
      await pause(pauseMs)
    }
  }
}
