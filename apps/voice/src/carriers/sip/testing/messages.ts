import { parseMessage, type SipMessage } from '../signalling/message.ts'
import type { Facts } from '../signalling/message.ts'

export const wired = (lines: readonly string[], body = ''): Buffer =>
  Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)

/** Fails the test when the bytes are no message. */
export function parsed(bytes: Uint8Array): { readonly message: SipMessage; readonly facts: Facts } {
  const result = parseMessage(bytes)
  if ('problem' in result) throw new Error(`not parsed: ${result.problem}`)
  return result
}

const SDP = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.9',
  's=-',
  'c=IN IP4 127.0.0.9',
  't=0 0',
  'm=audio 40000 RTP/AVP 0 8 101',
  'a=rtpmap:101 telephone-event/8000',
  '',
].join('\r\n')

/** Messages as baresip, sipp, Kamailio and carriers' session border controllers write them. */
export const CORPUS: readonly Buffer[] = [
  wired(
    [
      'INVITE sip:+12025550100@198.51.100.7;user=phone SIP/2.0',
      'Record-Route: <sip:198.51.100.7;lr;ftag=as1>,<sip:203.0.113.5;lr>',
      'Via: SIP/2.0/UDP 198.51.100.7;branch=z9hG4bK0.1, SIP/2.0/UDP 203.0.113.5:5080;branch=z9hG4bK7;rport=5080',
      'Max-Forwards: 69',
      'f: "A \\"quoted\\" <name>" <sip:alice@example.com>;tag=88sja8x',
      't: <sip:+12025550100@198.51.100.7>',
      'i: 843817637684230@998sdasdh09',
      'CSeq: 314159 INVITE',
      'm: "Alice" <sip:alice@203.0.113.5:5080;transport=tcp>;q=0.7;expires=60',
      'k: timer, 100rel',
      'c: application/sdp',
      `l: ${SDP.length}`,
      'Subject: folded',
      ' on two lines',
    ],
    SDP,
  ),
  wired(
    [
      'SIP/2.0 183 Session Progress',
      'Via: SIP/2.0/TCP 192.0.2.4:5060;branch=z9hG4bKabc;received=192.0.2.4;rport=40112',
      'From: <sip:+12025550100@192.0.2.4>;tag=1',
      'To: sip:bob@example.com;tag=x-y_z',
      'Call-ID: a84b4c76e66710',
      'CSeq: 2   INVITE',
      'Contact: <sips:[2001:db8::9:1]:5061;transport=tls>',
      'Content-Type: application/sdp',
      `Content-Length: ${SDP.length}`,
    ],
    SDP,
  ),
  wired([
    'SIP/2.0 407 Proxy Authentication Required',
    'Via: SIP/2.0/UDP 192.0.2.4:5060;branch=z9hG4bKabc',
    'From: <sip:a@192.0.2.4>;tag=1',
    'To: <sip:b@example.com>;tag=2',
    'Call-ID: a84b4c76e66710',
    'CSeq: 1 INVITE',
    'Proxy-Authenticate: Digest realm="example.com", nonce="84a4cc6f3082121f32b42a2187831a9e", qop="auth,auth-int", algorithm=MD5, stale=FALSE',
    'Proxy-Authenticate: Digest realm="example.com", nonce="abc", qop="auth", algorithm=SHA-256, opaque="o\\"p"',
    'Content-Length: 0',
  ]),
  wired([
    'SIP/2.0 487 Request Terminated',
    'From: <sip:a@192.0.2.4>;tag=1',
    'To: <sip:b@example.com>;tag=2',
    'Call-ID: a84b4c76e66710',
    'CSeq: 1 INVITE',
  ]),
  wired(
    [
      'NOTIFY sip:parley@192.0.2.4:5060 SIP/2.0',
      'Via: SIP/2.0/TLS [2001:db8::9:1]:5061;branch=z9hG4bKn',
      'From: <sip:b@example.com>;tag=2',
      'To: <sip:a@192.0.2.4>;tag=1',
      'Call-ID: a84b4c76e66710',
      'CSeq: 8 NOTIFY',
      'Event: refer;id=3',
      'Subscription-State: terminated;reason=noresource',
      'Content-Type: message/sipfrag;version=2.0',
      'Content-Length: 16',
    ],
    'SIP/2.0 200 OK\r\n',
  ),
  wired([
    'BYE sip:parley@192.0.2.4:5060 SIP/2.0',
    'Via: SIP/2.0/UDP 203.0.113.5:5060;branch=z9hG4bKb;rport',
    'Max-Forwards: 70',
    'From: <sip:b@example.com>;tag=2',
    'To: <sip:a@192.0.2.4>;tag=1',
    'Call-ID: a84b4c76e66710',
    'CSeq: 9 BYE',
    'Reason: Q.850;cause=16;text="Normal call clearing"',
    'Content-Length: 0',
  ]),
]
