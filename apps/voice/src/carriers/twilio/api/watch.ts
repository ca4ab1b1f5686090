import type { Log, Waits } from '../options.ts'
import type { Waiting } from '../waiting.ts'
import type { KnownCall, TwilioCalls } from './calls.ts'
import { TwilioError } from './rest.ts'

export interface WatchOptions {
  readonly calls: TwilioCalls
  readonly waits: Waits
  readonly waiting: Waiting
  readonly log: Log
  /** Null: answered or over. */
  readonly sid: () => string | null
  /** How many callbacks have told something. */
  readonly news: () => number
  readonly onCall: (call: KnownCall) => void
}

/** Asks about a call that is not answered while nothing is heard of it: its callbacks may be lost. */
export async function watchRinging({ calls, waits, waiting, log, sid, news, onCall }: WatchOptions): Promise<void> {
  for (let ringing = sid(); ringing !== null; ringing = sid()) {
    const before = news()
    if (await waiting.until(() => sid() === null || news() !== before, waits.quietMs)) continue
    try {
      const { value } = await calls.fetch(ringing)
      if (news() === before) onCall(value)
    } catch (error) {
      log.warn({ sid: ringing, status: error instanceof TwilioError ? error.status : 0 }, 'call not asked about')
    }
  }
}
