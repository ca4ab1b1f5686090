import { randomBytes } from 'node:crypto'
import { USER_AGENT } from './agent.ts'
import { Headers, type SipRequest } from './message.ts'

/** OPTIONS outside a call (RFC 3261 section 11). Repeated with credentials it keeps its Call-ID. */
export function healthRequest(
  domain: string,
  contact: string,
  callId = randomBytes(12).toString('hex'),
  cseq = 1,
): SipRequest {
  const headers = new Headers()
    .add('max-forwards', '70')
    .add('from', `<sip:parley@${domain}>;tag=${callId}`)
    .add('to', `<sip:${domain}>`)
    .add('call-id', callId)
    .add('cseq', `${cseq} OPTIONS`)
    .add('contact', contact)
    .add('accept', 'application/sdp')
    .add('user-agent', USER_AGENT)
  return { type: 'request', method: 'OPTIONS', uri: `sip:${domain}`, headers, body: '' }
}
