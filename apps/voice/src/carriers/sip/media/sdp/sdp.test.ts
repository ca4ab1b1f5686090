import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MediaError } from '../../media-port.ts'
import { Negotiation } from './negotiation.ts'
import { readDescription } from './read.ts'

const local = {
  address: '127.0.0.5',
  port: 40_000,
  rtcpPort: 40_001,
  codecs: ['pcmu', 'pcma'] as const,
  srtp: 'off' as const,
}
const KEY = 'WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz'

/** A description out of an m= line and attributes. */
const sdp = (media: string, ...attributes: string[]) =>
  ['v=0', 'o=- 1 1 IN IP4 10.0.0.1', 's=-', 'c=IN IP4 10.0.0.1', 't=0 0', `m=${media}`]
    .concat(attributes.map((attribute) => (attribute.startsWith('c=') ? attribute : `a=${attribute}`)))
    .join('\r\n') + '\r\n'

const PLAIN = sdp('audio 5000 RTP/AVP 8 0 101', 'rtpmap:101 telephone-event/8000', 'ptime:20')

function usability(text: string): string {
  try {
    const { port, formats } = readDescription(text)
    return port > 0 && port < 65_536 && formats.length <= 32 ? 'usable' : 'out of bounds'
  } catch (error) {
    return error instanceof Error ? error.name : 'thrown'
  }
}

describe('readDescription', () => {
  it('reads address, ports, formats, digits and packet time', () => {
    expect(readDescription(PLAIN)).toMatchObject({
      address: '10.0.0.1',
      port: 5000,
      rtcp: { address: '10.0.0.1', port: 5001 },
      rtcpMux: false,
      formats: [
        { payloadType: 8, codec: 'pcma' },
        { payloadType: 0, codec: 'pcmu' },
      ],
      telephoneEvent: 101,
      ptimeMs: 20,
      direction: 'sendrecv',
      secure: false,
      crypto: [],
    })
  })

  it("prefers the stream's address to the session's, and reads a=rtcp with an address of its own", () => {
    const text = sdp('audio 5000 RTP/AVP 0', 'c=IN IP4 10.0.0.7', 'rtcp:6001 IN IP4 10.0.0.9', 'rtcp-mux')
    expect(readDescription(text)).toMatchObject({
      address: '10.0.0.7',
      rtcp: { address: '10.0.0.9', port: 6001 },
      rtcpMux: true,
    })
  })

  it('takes dynamic payload types by their name, in any case and with one channel', () => {
    const text = sdp(
      'audio 5000 RTP/AVP 97 96 98',
      'rtpmap:96 pcmu/8000/1',
      'rtpmap:97 opus/48000/2',
      'rtpmap:98 pcma/8000',
    )
    expect(readDescription(text).formats).toEqual([
      { payloadType: 96, codec: 'pcmu' },
      { payloadType: 98, codec: 'pcma' },
    ])
  })

  it('does not take a static number for a codec that is mapped otherwise', () => {
    expect(readDescription(sdp('audio 5000 RTP/AVP 0', 'rtpmap:0 G726-32/8000')).formats).toEqual([])
  })

  it.each(['sendonly', 'recvonly', 'inactive', 'sendrecv'] as const)('reads the direction %s', (direction) => {
    expect(readDescription(sdp('audio 5000 RTP/AVP 0', direction)).direction).toBe(direction)
  })

  it('reads keys of both suites and passes over those with parameters that change packets', () => {
    const text = sdp(
      'audio 5000 RTP/SAVP 0',
      `crypto:1 AEAD_AES_256_GCM inline:${KEY}`,
      `crypto:2 AES_CM_128_HMAC_SHA1_80 inline:${KEY}|2^31|1:4`,
      `crypto:3 AES_CM_128_HMAC_SHA1_80 inline:${KEY} UNENCRYPTED_SRTP`,
      `crypto:4 AES_CM_128_HMAC_SHA1_32 inline:${KEY}|2^20 WSH=64`,
      `crypto:5 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`,
      'crypto:6 AES_CM_128_HMAC_SHA1_80 inline:c2hvcnQ=',
    )
    expect(readDescription(text).crypto.map(({ tag, suite }) => [tag, suite])).toEqual([
      [4, 'AES_CM_128_HMAC_SHA1_32'],
      [5, 'AES_CM_128_HMAC_SHA1_80'],
    ])
  })

  it.each([
    ['no description', 'hello', 'The far end sent no session description (v=0).'],
    ['refused audio', sdp('audio 0 RTP/AVP 0'), 'The far end refused the audio (port 0).'],
    ['no audio', sdp('video 5000 RTP/AVP 0'), 'The far end offers no audio over RTP.'],
    [
      'a host name',
      sdp('audio 5000 RTP/AVP 0', 'c=IN IP4 pbx.example.com'),
      "The far end's audio has no IP address (c=).",
    ],
    ['a group', sdp('audio 5000 RTP/AVP 0', 'c=IN IP4 239.1.1.1/127'), "The far end's audio has no IP address (c=)."],
    ['a port beyond 65535', sdp('audio 70000 RTP/AVP 0'), "The far end's audio has no valid port: 70000."],
    ['an unreadable stream', sdp('audio x RTP/AVP 0'), 'A stream (m=) of the session description cannot be read.'],
    ['too many lines', `v=0\r\n${'a=x\r\n'.repeat(500)}`, 'The session description has more than 400 lines.'],
    ['too much text', `v=0\r\na=${'x'.repeat(20_000)}`, 'The session description is longer than 16384 characters.'],
    [
      'too many streams',
      `v=0\r\n${'m=audio 0 RTP/AVP 0\r\n'.repeat(9)}`,
      'The session description has more than 8 streams.',
    ],
  ])('says why it cannot use %s', (_, text, message) => {
    expect(() => readDescription(text)).toThrow(new MediaError(message))
  })

  it('throws nothing but MediaError, whatever is changed in a description', () => {
    const secure = PLAIN + `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}\r\na=rtcp:5001 IN IP4 10.0.0.1\r\n`
    const change = fc.tuple(fc.nat(secure.length), fc.nat(12), fc.string({ maxLength: 12, unit: 'binary' }))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), (changes) => {
        let text = secure
        for (const [at, removed, added] of changes) text = text.slice(0, at) + added + text.slice(at + removed)
        expect(usability(text)).toMatch(/^(usable|MediaError)$/)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('Negotiation', () => {
  it('offers its codecs, digits and ports, each time under a new version', () => {
    const negotiation = new Negotiation(local)
    const [first, second] = [negotiation.offer(), negotiation.offer()]
    expect(readDescription(first)).toMatchObject({
      address: '127.0.0.5',
      port: 40_000,
      rtcp: { port: 40_001 },
      rtcpMux: true,
      formats: [{ codec: 'pcmu' }, { codec: 'pcma' }],
      telephoneEvent: 101,
      secure: false,
    })
    expect(first).not.toContain('crypto')
    const origin = (text: string) => /o=- (\d+) (\d+)/.exec(text)?.slice(1)
    expect(origin(second)).toEqual([origin(first)?.[0], '2'])
  })

  it("takes the first of the far end's codecs that it has", () => {
    expect(new Negotiation(local).accept(PLAIN).format.codec).toBe('pcma')
    expect(new Negotiation({ ...local, codecs: ['pcmu'] }).accept(PLAIN).format.codec).toBe('pcmu')
  })

  it('says which codecs it has when the far end has none of them', () => {
    expect(() => new Negotiation(local).accept(sdp('audio 5000 RTP/AVP 9 18'))).toThrow(
      new MediaError('The far end has none of our codecs (pcmu, pcma).'),
    )
  })

  it('says that IPv4 cannot reach IPv6', () => {
    expect(() => new Negotiation(local).accept(sdp('audio 5000 RTP/AVP 0', 'c=IN IP6 2001:db8::7'))).toThrow(
      new MediaError("The far end's audio is at 2001:db8::7, which 127.0.0.5 cannot reach."),
    )
  })

  it.each([
    ['sendonly', 'recvonly', false],
    ['inactive', 'inactive', false],
    ['recvonly', 'sendonly', true],
    ['sendrecv', 'sendrecv', true],
  ] as const)('answers %s with %s', (theirs, ours, maySend) => {
    const { sdp: answer, agreement } = new Negotiation(local).answer(sdp('audio 5000 RTP/AVP 0', theirs))
    expect([readDescription(answer).direction, agreement.maySend]).toEqual([ours, maySend])
  })

  it('sends nothing to 0.0.0.0', () => {
    const { sdp: answer, agreement } = new Negotiation(local).answer(sdp('audio 5000 RTP/AVP 0', 'c=IN IP4 0.0.0.0'))
    expect([readDescription(answer).direction, agreement.maySend]).toEqual(['recvonly', false])
  })

  it('answers every stream of an offer in its place and refuses all but the audio', () => {
    const offer = `${sdp('video 7000 RTP/AVP 96')}m=audio 5000 RTP/AVP 0 100\r\na=rtpmap:100 telephone-event/8000\r\n`
    const { sdp: answer } = new Negotiation(local).answer(offer)
    expect(answer.match(/m=.*/g)).toEqual(['m=video 0 RTP/AVP 96', 'm=audio 40000 RTP/AVP 0 100'])
  })

  it('offers two keys under RTP/AVP that may be declined, and under RTP/SAVP ones that may not', () => {
    const optional = new Negotiation({ ...local, srtp: 'sdes' })
    expect(readDescription(optional.offer())).toMatchObject({ secure: false, crypto: [{ tag: 1 }, { tag: 2 }] })
    expect(optional.accept(PLAIN).opening).toBeNull()
    const required = new Negotiation({ ...local, srtp: 'required' })
    expect(readDescription(required.offer())).toMatchObject({ secure: true, crypto: [{ tag: 1 }, { tag: 2 }] })
    expect(() => required.accept(PLAIN)).toThrow(
      new MediaError('The far end has no SRTP that we know; this trunk requires it.'),
    )
  })

  it('refuses an offer that requires SRTP where SRTP is off', () => {
    const offer = sdp('audio 5000 RTP/SAVP 0', `crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`)
    expect(() => new Negotiation(local).answer(offer)).toThrow(
      new MediaError('The far end requires SRTP, with no key that we can use.'),
    )
  })

  it('does not take a key under a tag that was not offered', () => {
    const answer = sdp('audio 5000 RTP/AVP 0', `crypto:2 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`)
    expect(new Negotiation({ ...local, srtp: 'sdes' }).accept(answer).opening).toBeNull()
  })

  it('keeps its contexts while the keys stay the same and makes new ones when they change', () => {
    const negotiation = new Negotiation({ ...local, srtp: 'sdes' })
    const answer = (key: string) => sdp('audio 5000 RTP/AVP 0', `crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${key}`)
    const first = negotiation.accept(answer(KEY))
    const second = negotiation.accept(answer(KEY))
    const third = negotiation.accept(answer(KEY.replace('W', 'X')))
    expect([second.opening === first.opening, second.sealing === first.sealing]).toEqual([true, true])
    expect([third.opening === first.opening, third.sealing === first.sealing]).toEqual([false, true])
  })

  it('agrees on keys with another one of its kind, both ways', () => {
    const a = new Negotiation({ ...local, srtp: 'required' })
    const b = new Negotiation({ ...local, srtp: 'sdes' })
    const { sdp: answer, agreement } = b.answer(a.offer())
    expect([a.accept(answer).opening === null, agreement.opening === null]).toEqual([false, false])
    expect(readDescription(answer).crypto.map(({ tag }) => tag)).toEqual([1])
  })
})
