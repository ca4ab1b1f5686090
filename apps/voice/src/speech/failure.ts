/**
 * A vendor failed. refused: it would refuse everything, as with a wrong key or an empty account; unable: it has no such voice;
 * busy: it has too much to do; late: it did not answer in time; broken: anything else, as a lost connection.
 */
type FailureKind = 'refused' | 'unable' | 'busy' | 'late' | 'broken'

export class SpeechFailure extends Error {
  readonly kind: FailureKind

  constructor(kind: FailureKind, message: string) {
    super(message)
    this.name = 'SpeechFailure'
    this.kind = kind
  }
}

export function failureOf(error: unknown): SpeechFailure {
  if (error instanceof SpeechFailure) return error
  return new SpeechFailure('broken', error instanceof Error ? error.message : String(error))
}

/** Of an answer over HTTP, or to the request for a socket. */
export function failureOfStatus(status: number, said = ''): SpeechFailure {
  const message = said === '' ? `It answered ${status}.` : `It answered ${status}: ${said}`
  if (status === 429) return new SpeechFailure('busy', message)
  if (status >= 400 && status < 500 && status !== 408) return new SpeechFailure('refused', message)
  return new SpeechFailure('broken', message)
}
