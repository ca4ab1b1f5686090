import type { SipMessage } from './message.ts'
import { parseParams, splitOutside } from './syntax.ts'

const PARTS_MAX = 16

interface Part {
  readonly type: string
  readonly body: string
}

const mediaType = (value: string): string => (value.split(';', 1)[0] ?? '').trim().toLowerCase()

/** The session description of a message, also out of a multipart body; null: it has none. */
export function sdpIn(message: SipMessage): string | null {
  return partsOf(message).find(({ type }) => type === 'application/sdp')?.body ?? null
}

/** Whether a message has a body that holds no session description. */
export const hasOtherBody = (message: SipMessage): boolean => message.body !== '' && sdpIn(message) === null

function partsOf({ headers, body }: SipMessage): Part[] {
  if (body === '') return []
  const value = headers.get('content-type') ?? 'application/sdp'
  const type = mediaType(value)
  if (!type.startsWith('multipart/')) return [{ type, body }]
  const boundary = parseParams(value.split(';').slice(1))?.get('boundary')
  if (boundary == null || boundary === '') return []
  return body
    .split(`--${boundary}`, PARTS_MAX)
    .slice(1)
    .flatMap((part) => {
      const headEnd = part.indexOf('\r\n\r\n')
      const named = part
        .slice(0, Math.max(0, headEnd))
        .split('\r\n')
        .find((line) => /^content-type:/i.test(line))
      if (headEnd < 0 || named === undefined) return []
      return [{ type: mediaType(named.slice('content-type:'.length)), body: part.slice(headEnd + 4) }]
    })
}

/** How the referred call stands, from a NOTIFY (RFC 3515 section 2.4.5); null: not told. */
export function sipfragStatus({ body }: SipMessage): number | null {
  const status = /^SIP\/2\.0 ([1-6]\d\d)/.exec(body.trimStart())?.[1]
  return status === undefined ? null : Number(status)
}

/** A key that the far end sends beside the sound: `Signal=5` of application/dtmf-relay, or the key alone. */
export function digitIn({ headers, body }: SipMessage): string | null {
  const type = mediaType(headers.get('content-type') ?? '')
  if (type === 'application/dtmf') return /^\s*([0-9A-D*#])\s*$/i.exec(body)?.[1]?.toUpperCase() ?? null
  if (type !== 'application/dtmf-relay' || body.length > 256) return null
  return /^signal *= *([0-9A-D*#])\s*$/im.exec(body)?.[1]?.toUpperCase() ?? null
}

const REASON_PROTOCOLS = ['Q.850', 'SIP'] as const

export interface Reason {
  readonly protocol: (typeof REASON_PROTOCOLS)[number]
  readonly cause: number
}

/** `Reason: Q.850;cause=17;text="User busy"` (RFC 3326). */
export function reasonsIn({ headers }: SipMessage): Reason[] {
  return headers
    .values('reason')
    .slice(0, 4)
    .flatMap((value) => {
      const [protocol = '', ...params] = splitOutside(value, ';') ?? []
      const cause = parseParams(params)?.get('cause') ?? ''
      const known = REASON_PROTOCOLS.find((one) => one === protocol.toUpperCase())
      return known && /^\d{1,3}$/.test(cause) ? [{ protocol: known, cause: Number(cause) }] : []
    })
}
