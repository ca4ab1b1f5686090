import { AppError } from '../platform/errors.ts'

/** Attempts before giving up on a payment that others keep changing. */
const READINGS_MAX = 5

/** A reading that began later was stored first, so this one may be outdated. */
export class OldNews extends Error {
  /** Start of the other reading, by the database's clock; undefined where no time is kept. */
  readonly than: string | undefined

  constructor(than?: string) {
    super('What was read is older than what is known')
    this.than = than
  }
}

/**
 * Reads the provider and retries on OldNews, with a read time after `than` even if the clock was set back. Throws
 * `unavailable` after READINGS_MAX.
 */
export async function readAnew<T>(read: (than: string | undefined) => Promise<T>): Promise<T> {
  let than: string | undefined
  for (let readings = 0; readings < READINGS_MAX; readings++) {
    try {
      return await read(than)
    } catch (error) {
      if (!(error instanceof OldNews)) throw error
      than = error.than ?? than
    }
  }
  throw new AppError('unavailable', 'Too much happens to this payment at once. Please try again.')
}
