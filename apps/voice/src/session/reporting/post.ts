import { type Fact, FactsTaken, pathOf, reportFacts } from '@parley/contract'

/**
 * What became of some facts. refused: one of them is at fault; closed: the api takes nothing of this call from here;
 * later: the same request may succeed.
 */
export type Answer =
  | { readonly kind: 'taken'; readonly seq: number }
  | { readonly kind: 'refused' | 'closed' | 'later'; readonly why: string }

export interface Recipient {
  readonly apiUrl: string
  /** The token of the call, or the secret shared with an api that gives none. */
  readonly credential: string
  readonly callId: string
  /** Of the call's trace, where it has one. */
  readonly traceparent?: string | undefined
}

const REFUSED: readonly number[] = [400, 413, 422]
/** Unknown call; given to another node since; gone; not a route of this api. */
const CLOSED: readonly number[] = [404, 405, 409, 410, 415]

export async function postFacts(to: Recipient, facts: readonly Fact[], timeoutMs: number): Promise<Answer> {
  try {
    const reply = await fetch(new URL(pathOf(reportFacts, { id: to.callId }), to.apiUrl), {
      method: reportFacts.method,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${to.credential}`,
        ...(to.traceparent !== undefined && { traceparent: to.traceparent }),
      },
      body: JSON.stringify({ facts }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await reply.text()
    if (reply.ok) return { kind: 'taken', seq: FactsTaken.parse(JSON.parse(text)).taken }
    const why = `${reply.status} ${text.slice(0, 200)}`
    if (REFUSED.includes(reply.status)) return { kind: 'refused', why }
    return { kind: CLOSED.includes(reply.status) ? 'closed' : 'later', why }
  } catch (error) {
    return { kind: 'later', why: String(error) }
  }
}
