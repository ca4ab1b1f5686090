import type { ErrorCode } from './rest/errors.ts'

/**
 * What goes wrong with a request. `made`: it took effect all the same. timeout: no answer until the far end closes;
 * reset: the connection breaks instead of an answer.
 */
export type RequestFault =
  | { readonly how: 'error'; readonly made: boolean; readonly status?: number }
  | { readonly how: 'timeout'; readonly made: boolean }
  | { readonly how: 'reset'; readonly made: boolean }
  | { readonly how: 'slow'; readonly ms: number }
  | { readonly how: 'busy'; readonly retryAfterSeconds: number }
  | { readonly how: 'refused'; readonly code: ErrorCode; readonly message?: string }

/** stale: what was placed in the last so many ms is not listed yet. */
type ListFault = RequestFault | { readonly how: 'stale'; readonly ms: number }

/** What goes wrong with a callback, or with the request for TwiML, where lost means a failed retrieval. */
export type CallbackFault =
  | { readonly how: 'lost' }
  | { readonly how: 'doubled' }
  /** Later ones overtake it. */
  | { readonly how: 'delayed'; readonly ms: number }
  | { readonly how: 'bad_signature' }

export type StreamFault =
  | { readonly how: 'slow_open'; readonly ms: number }
  /** The socket breaks without `stop`, so long after the start; the call goes on with its next verb, or ends. */
  | { readonly how: 'dropped'; readonly afterMs: number; readonly callGoesOn: boolean }
  /** The socket stays open, and nothing comes or is read any more. */
  | { readonly how: 'frozen'; readonly afterMs: number }
  | { readonly how: 'bad_signature' }
  /** The callee's frames come so much later. */
  | { readonly how: 'delayed'; readonly ms: number }
  /** The callee's frames come together, every so often. */
  | { readonly how: 'bursts'; readonly everyMs: number }
  /** Every so many frames one is missing; its number and time are skipped. */
  | { readonly how: 'gaps'; readonly every: number }

export interface Faults {
  readonly create: RequestFault
  readonly fetch: RequestFault
  readonly list: ListFault
  readonly update: RequestFault
  /** Any request, before its own kind. */
  readonly request: RequestFault
  readonly status: CallbackFault
  readonly amd: CallbackFault
  readonly twiml: CallbackFault
  readonly stream: StreamFault
}
export type FaultPoint = keyof Faults

/** What a fault may look at: the numbers of the call, if there is one, and the event of a status callback. */
export interface Occasion {
  readonly to: string | null
  readonly event?: string
}

interface Rule {
  readonly point: FaultPoint
  readonly fault: Faults[FaultPoint]
  readonly on: (occasion: Occasion) => boolean
  left: number
}

/** Faults on demand, settable while calls go on. The rule that was set first and fits is taken. */
export class FaultBoard {
  #rules: Rule[] = []

  /**
   * The next `times` occasions that fit, once by default; Infinity until it is withdrawn. Returns the withdrawal.
   */
  set<P extends FaultPoint>(
    point: P,
    fault: Faults[P],
    { times = 1, on = () => true }: { times?: number; on?: (occasion: Occasion) => boolean } = {},
  ): () => void {
    const rule: Rule = { point, fault, on, left: times }
    this.#rules.push(rule)
    return () => {
      this.#rules = this.#rules.filter((each) => each !== rule)
    }
  }

  clear(): void {
    this.#rules = []
  }

  /** The fault of this occasion, which is used up with it. */
  take<P extends FaultPoint>(point: P, occasion: Occasion): Faults[P] | null {
    const rule = this.#rules.find((each) => each.point === point && each.left > 0 && each.on(occasion))
    if (!rule) return null
    rule.left--
    if (rule.left === 0) this.#rules = this.#rules.filter((each) => each !== rule)
    return faultOf(rule)
  }
}

/** A rule was set with the fault type of its point. */
const faultOf = <P extends FaultPoint>(rule: Rule) => rule.fault as Faults[P]
