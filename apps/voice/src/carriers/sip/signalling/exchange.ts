import type { ClientTransaction, RequestFailure } from './client-transaction.ts'
import type { Digest } from './digest.ts'
import type { Facts, SipRequest, SipResponse } from './message.ts'
import type { Transactions } from './transactions.ts'
import type { Target } from './wire.ts'

/** A nonce may be stale once; a trunk that goes on asking will not be satisfied. */
const CHALLENGES_MAX = 2

interface ExchangeHandlers {
  readonly onProvisional?: (response: SipResponse, facts: Facts) => void
  /** `refused`: why credentials were not accepted, in one sentence. */
  readonly onFinal: (response: SipResponse, facts: Facts, refused: string | null) => void
  readonly onFailed: (failure: RequestFailure) => void
}

export interface ExchangeOptions extends ExchangeHandlers {
  readonly transactions: Transactions
  readonly digest: Digest
  readonly target: Target
  /** Called again with each challenge: a repeated request has a new CSeq number (RFC 3261 section 22.2). */
  readonly build: () => SipRequest
  /** Whether the request is still wanted when it must be repeated. */
  readonly isWanted?: () => boolean
}

/** One request with its credentials. */
export class Exchange {
  readonly #options: ExchangeOptions
  #transaction: ClientTransaction | null = null
  #challenges = 0

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.#send()
  }

  /** Of the newest repetition; null: it could not be sent. */
  get transaction(): ClientTransaction | null {
    return this.#transaction
  }

  #send(): void {
    const { transactions, digest, target, build, onFailed } = this.#options
    const request = build()
    digest.authorize(request.headers, request.method, request.uri)
    try {
      this.#transaction = transactions.request(request, target, {
        onResponse: (response, facts) => this.#take(response, facts),
        onFailed,
      })
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      queueMicrotask(() => onFailed({ kind: 'busy', message: error.message }))
    }
  }

  #take(response: SipResponse, facts: Facts): void {
    const { onProvisional, onFinal, digest } = this.#options
    if (response.status < 200) return onProvisional?.(response, facts)
    const isChallenge = response.status === 401 || response.status === 407
    if (!isChallenge || this.#options.isWanted?.() === false) return onFinal(response, facts, null)
    const sent = this.#transaction?.request
    const outcome = sent ? digest.take(response, sent.headers) : 'unknown scheme'
    if (outcome === 'answer' && this.#challenges < CHALLENGES_MAX) {
      this.#challenges++
      return this.#send()
    }
    onFinal(response, facts, REFUSALS[outcome])
  }
}

const REFUSALS = {
  answer: 'The trunk refuses the user name or password.',
  'wrong credentials': 'The trunk refuses the user name or password.',
  'no credentials': 'The trunk asks for a user name and password, and none is set.',
  'unknown scheme': 'The trunk asks for a kind of authentication that is not known here.',
} as const
