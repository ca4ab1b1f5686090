import { APICallError } from 'ai'

/**
 * refused: the key, the model or the request. busy: too many requests. unreachable: no answer. broken: the answer broke
 * off. late: nothing in time. unusable: an answer that cannot be spoken or read.
 */
export type FailureKind = 'refused' | 'busy' | 'unreachable' | 'broken' | 'late' | 'unusable'

/** Why a model gave no usable answer. Its text holds nothing of the call. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'
  readonly kind: FailureKind
  readonly status: number | null
  /** What the vendor asks for, by Retry-After. */
  readonly retryAfterMs: number | null

  constructor(kind: FailureKind, message: string, more: { status?: number; retryAfterMs?: number | null } = {}) {
    super(message)
    this.kind = kind
    this.status = more.status ?? null
    this.retryAfterMs = more.retryAfterMs ?? null
  }
}

const VENDOR_WORDS_MAX = 200
/** A request that the vendor will not take again as it is. */
const REFUSALS: readonly number[] = [400, 401, 403, 404, 405, 410, 413, 422]
const KEY_REFUSALS: readonly number[] = [401, 403]

/** Of anything that the package throws or reports; what the model wrote is left out. */
export function failureOf(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error
  if (!APICallError.isInstance(error)) return new ModelFailure('broken', 'The answer is not in the form of the vendor.')
  const { statusCode: status, responseHeaders, message } = error
  if (status === undefined) return new ModelFailure('unreachable', `The model could not be reached${codeOf(error)}.`)
  if (status < 300) return new ModelFailure('broken', 'The connection broke off in the answer.', { status })
  const retryAfterMs = retryAfter(responseHeaders?.['retry-after'])
  if (status === 429 || status === 529) return new ModelFailure('busy', 'Too many requests.', { status, retryAfterMs })
  // What a vendor says of a key may repeat some of it.
  const says = KEY_REFUSALS.includes(status) ? '' : `: ${message.slice(0, VENDOR_WORDS_MAX)}`
  const kind = REFUSALS.includes(status) ? 'refused' : 'broken'
  return new ModelFailure(kind, `The vendor answered ${status}${says}`, { status, retryAfterMs })
}

/** Seconds, or a date. */
function retryAfter(header: string | undefined): number | null {
  if (header === undefined) return null
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) && ms >= 0 ? ms : null
}

function codeOf({ cause }: APICallError): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const code: unknown = inner instanceof Error ? Reflect.get(inner, 'code') : undefined
  return typeof code === 'string' ? `: ${code}` : ''
}
