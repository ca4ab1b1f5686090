import type { Clock } from '@parley/voice-ports'
import { sipfragStatus } from './bodies.ts'
import type { SipRequest, SipResponse } from './message.ts'

/** Longer than a phone rings; then the callee is still with us. */
const OUTCOME_MAX_MS = 60_000

export type ReferOutcome = 'transferred' | { readonly failed: string }

/** One transfer by REFER (RFC 3515), from the request to the last NOTIFY. */
export class Refer {
  readonly #onOutcome: (outcome: ReferOutcome) => void
  readonly #stopWaiting: () => void
  #accepted = false
  #done = false

  constructor(clock: Clock, onOutcome: (outcome: ReferOutcome) => void) {
    this.#onOutcome = onOutcome
    this.#stopWaiting = clock.after(OUTCOME_MAX_MS, () =>
      this.#settle({ failed: 'The trunk did not say in 60 s whether the transfer succeeded.' }),
    )
  }

  /** Null: the request was not answered. */
  takeResponse(response: SipResponse | null): void {
    if (!response) return this.#settle({ failed: 'The trunk did not answer the transfer.' })
    if (response.status >= 300)
      return this.#settle({ failed: `The trunk refused the transfer (${response.status} ${response.reason}).` })
    this.#accepted = true
  }

  /** A NOTIFY; it may come before the response to REFER. */
  takeNotify(request: SipRequest): void {
    const status = sipfragStatus(request)
    const isLast = /^terminated\b/i.test(request.headers.get('subscription-state') ?? '')
    if (status !== null && status >= 300) return this.#settle({ failed: `The other phone answered ${status}.` })
    if (status !== null && status >= 200) return this.#settle('transferred')
    if (isLast) this.#settle({ failed: 'The trunk ended the transfer without a result.' })
  }

  /** The far end hung up: many do so with the transfer under way, and nothing said that it failed. */
  takeBye(): void {
    if (this.#accepted) this.#settle('transferred')
  }

  stop(): void {
    this.#done = true
    this.#stopWaiting()
  }

  #settle(outcome: ReferOutcome): void {
    if (this.#done) return
    this.stop()
    this.#onOutcome(outcome)
  }
}
