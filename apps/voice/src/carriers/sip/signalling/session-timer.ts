import type { Clock } from '@parley/voice-ports'
import type { Headers } from './message.ts'

/** RFC 4028: nobody may ask for less. */
export const SESSION_MIN_SECONDS = 90

export interface SessionTimerOptions {
  readonly clock: Clock
  readonly onRefresh: () => void
  readonly onExpired: () => void
}

interface SessionExpires {
  readonly seconds: number
  readonly refresher: 'uac' | 'uas' | null
}

/** `Session-Expires: 600;refresher=uac`; null: absent, malformed or too short to be followed. */
export function sessionExpiresIn(headers: Headers): SessionExpires | null {
  const [seconds = '', ...params] = (headers.get('session-expires') ?? '').split(';').map((part) => part.trim())
  if (!/^\d{1,6}$/.test(seconds) || Number(seconds) < SESSION_MIN_SECONDS) return null
  const refresher = params
    .find((param) => /^refresher=/i.test(param))
    ?.slice('refresher='.length)
    .toLowerCase()
  return { seconds: Number(seconds), refresher: refresher === 'uac' || refresher === 'uas' ? refresher : null }
}

/**
 * Ends a call whose far end is gone, or whose own process: the other side hangs up when nobody refreshes the session in
 * time (RFC 4028).
 */
export class SessionTimer {
  readonly #options: SessionTimerOptions
  #cancels: (() => void)[] = []

  constructor(options: SessionTimerOptions) {
    this.#options = options
  }

  /** Starts it anew after a refresh by either side. `isOurs`: we are the refresher. */
  start(seconds: number, isOurs: boolean): void {
    this.stop()
    const { clock, onRefresh, onExpired } = this.#options
    const lifeMs = seconds * 1000
    // Section 10: half the interval; the end comes min(32 s, a third) before it.
    if (isOurs) this.#cancels.push(clock.after(lifeMs / 2, onRefresh))
    this.#cancels.push(clock.after(lifeMs - Math.min(32_000, lifeMs / 3), onExpired))
  }

  stop(): void {
    for (const cancel of this.#cancels) cancel()
    this.#cancels = []
  }
}
