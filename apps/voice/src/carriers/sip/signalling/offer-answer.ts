import type { MediaSession } from '../media-port.ts'
import { hasOtherBody, sdpIn } from './bodies.ts'
import type { SipMessage } from './message.ts'
import type { Incoming } from './transactions.ts'

export type Negotiator = Pick<MediaSession, 'offer' | 'accept' | 'answer'>
type Fields = readonly (readonly [name: string, value: string])[]

/** What the far end described could not be used: why, in one sentence; null: it could, or there was nothing. */
export function acceptAnswer(media: Negotiator, message: SipMessage): string | null {
  const sdp = sdpIn(message)
  return sdp === null ? null : problemOf(() => media.accept(sdp))
}

/**
 * Answers a re-INVITE or UPDATE with what it offers (RFC 3264). A re-INVITE without an offer gets ours, whose answer
 * comes with the ACK (RFC 3261 section 14.2). onLost: that answer could not be used, or no ACK came.
 */
export function answerOffer(
  incoming: Incoming,
  media: Negotiator,
  fields: Fields,
  onLost: (why: string) => void,
): boolean {
  const { request } = incoming
  const sdp = sdpIn(request)
  const isInvite = request.method === 'INVITE'
  if (hasOtherBody(request)) {
    incoming.answer({ status: 415, reason: 'Unsupported Media Type', headers: [['accept', 'application/sdp']] })
    return false
  }
  let body = ''
  const problem = problemOf(() => {
    if (sdp !== null) body = media.answer(sdp)
    else if (isInvite) body = media.offer()
  })
  if (problem !== null) {
    incoming.answer({ status: 488, reason: 'Not Acceptable Here' })
    return false
  }
  const described: Fields = body === '' ? fields : [...fields, ['content-type', 'application/sdp']]
  const onAck = (ack: SipMessage | null) => {
    const lost = ack === null ? 'The far end did not acknowledge a change of the call.' : null
    const late = ack !== null && sdp === null ? acceptAnswer(media, ack) : null
    if (lost !== null || late !== null) onLost(lost ?? late ?? '')
  }
  incoming.answer({ status: 200, reason: 'OK', headers: described, body, ...(isInvite && { onAck }) })
  return true
}

function problemOf(task: () => void): string | null {
  try {
    task()
    return null
  } catch (error) {
    // Whatever a far end describes must not end the process.
    return error instanceof Error ? error.message : 'The sound of the far end cannot be used.'
  }
}
