import { AppError } from '../platform/errors.ts'

/** As many others that are quicker each time are unheard of. */
const READINGS_MAX = 5

/** Somebody who began to read the provider later was here first: what was read may be out of date. */
export class OldNews extends Error {
  /** By the database's clock, when the other one began; undefined where no time is kept. */
  readonly than: string | undefined

  constructor(than?: string) {
    super('What was read is older than what is known')
    this.than = than
  }
}

/**
 * Reads the provider, and once more when that comes to old news: after what is known by then, whatever the clock says.
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
