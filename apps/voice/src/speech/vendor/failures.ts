import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { parsed } from './json.ts'

export interface Failure {
  readonly message: string
  readonly retryable: boolean
  readonly retryAfterMs: number | null
}

const REASON_MAX = 300
/** Nothing is paid, too many at once, and a vendor's own troubles pass; what is refused as wrong stays wrong. */
const PASSING_STATUSES = [402, 408, 425, 429]
/** Of RFC 6455: protocol error, unacceptable data, inconsistent data, policy, too big; 3000 is "unauthorized". */
const LASTING_CLOSE_CODES = [1002, 1003, 1007, 1008, 1009, 3000, 4001, 4003]

/** Deepgram's and OpenAI's ways to say why. */
const Refusal = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ err_msg: z.string() }).transform(({ err_msg: text }) => text),
  z.object({ reason: z.string() }).transform(({ reason }) => reason),
])

interface Refused {
  readonly status: number
  readonly body: string
  readonly headers: IncomingHttpHeaders
}

export function failureOfStatus(vendor: string, { status, body, headers }: Refused): Failure {
  const told = Refusal.safeParse(parsed(body))
  const header = headers['dg-error']
  const reason = told.success ? told.data : typeof header === 'string' ? header : ''
  const after = reason === '' ? '' : `: ${reason.slice(0, REASON_MAX)}`
  const retryable = status >= 500 || PASSING_STATUSES.includes(status)
  const message = `${vendor} refuses the connection with status ${status}${after}`
  return { message, retryable, retryAfterMs: retryable ? retryAfter(headers['retry-after']) : null }
}

export function failureOfClose(vendor: string, code: number, reason: string): Failure {
  const after = reason === '' ? '' : `: ${reason.slice(0, REASON_MAX)}`
  return {
    message: `${vendor} closed the connection with code ${code}${after}`,
    retryable: !LASTING_CLOSE_CODES.includes(code),
    retryAfterMs: null,
  }
}

/** Seconds, or a date. */
function retryAfter(header: string | undefined): number | null {
  if (header === undefined) return null
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now())
}
