import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CORPUS, parsed, wired } from '../testing/messages.ts'
import { digitIn, reasonsIn, sdpIn, sipfragStatus } from './bodies.ts'
import { Framer } from './framing.ts'
import { Headers, MESSAGE_MAX_BYTES, parseMessage, serialise, type SipRequest } from './message.ts'
import { sessionExpiresIn } from './session-timer.ts'
import { parseNameAddr, parseUri, parseVia } from './syntax.ts'

const BASIC = [
  'OPTIONS sip:a@127.0.0.1 SIP/2.0',
  'Via: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bK1',
  'From: <sip:b@127.0.0.1>;tag=1',
  'To: <sip:a@127.0.0.1>',
  'Call-ID: x',
  'CSeq: 1 OPTIONS',
]
const without = (name: string) => BASIC.filter((line) => !line.startsWith(name))

describe('SIP parser', () => {
  it('reads every message of the corpus and writes it so that it reads the same', () => {
    for (const bytes of CORPUS) {
      const { message, facts } = parsed(bytes)
      const again = parsed(serialise(message))
      expect(again.facts).toEqual(facts)
      expect(again.message.body).toBe(message.body)
    }
  })

  it('reads compact names, folded lines, lists over several lines and quoted names with brackets', () => {
    const { message, facts } = parsed(CORPUS[0]!)
    expect(message.headers.get('subject')).toBe('folded on two lines')
    expect(message.headers.values('via')).toHaveLength(2)
    expect(message.headers.values('record-route')).toEqual(['<sip:198.51.100.7;lr;ftag=as1>', '<sip:203.0.113.5;lr>'])
    expect(message.headers.lists('supported', 'timer')).toBe(true)
    expect(facts).toMatchObject({ fromTag: '88sja8x', toTag: null, cseq: 314_159, method: 'INVITE' })
    expect(parseNameAddr(message.headers.get('from')!)).toMatchObject({ display: 'A "quoted" <name>' })
    expect(sdpIn(message)).toContain('m=audio 40000')
  })

  it.each([
    ['no Call-ID', without('Call-ID')],
    ['no From', without('From')],
    ['no Via in a request', without('Via')],
    ['a Via without branch', [...without('Via'), 'Via: SIP/2.0/UDP 127.0.0.1']],
    ['two Call-IDs', [...BASIC, 'i: y']],
    ['two Content-Lengths', [...BASIC, 'Content-Length: 0', 'l: 5']],
    ['a Content-Length beyond the datagram', [...BASIC, 'Content-Length: 5']],
    ['a Content-Length that is no number', [...BASIC, 'Content-Length: 1e3']],
    ['a negative Content-Length', [...BASIC, 'Content-Length: -1']],
    ['another method in CSeq', [...without('CSeq'), 'CSeq: 1 INVITE']],
    ['a CSeq of 2^31', [...without('CSeq'), 'CSeq: 2147483648 OPTIONS']],
    ['another version', ['OPTIONS sip:a@127.0.0.1 SIP/3.0', ...BASIC.slice(1)]],
    ['a header without a colon', [...BASIC, 'hello']],
    ['a NUL in a value', [...BASIC, 'Subject: a\0b']],
    ['a bare LF in a value', [...BASIC, 'Subject: a\nX: b']],
    ['129 header fields', [...BASIC, ...Array.from({ length: 124 }, () => 'X: y')]],
    ['a line of 9 kB', [...BASIC, `X: ${'y'.repeat(9000)}`]],
  ])('refuses %s', (_, lines) => {
    expect(parseMessage(wired(lines))).toHaveProperty('problem')
  })

  it('refuses 64 kB and one byte', () => {
    expect(parseMessage(Buffer.alloc(MESSAGE_MAX_BYTES + 1, 'a'))).toEqual({ problem: 'too long' })
  })

  it('takes a body up to Content-Length and drops what follows it in a datagram', () => {
    expect(parsed(wired([...BASIC, 'Content-Length: 2'], 'abc')).message.body).toBe('ab')
  })

  it('throws before a value begins another header line', () => {
    expect(() => new Headers().add('to', 'x\r\nRoute: <sip:evil>')).toThrow(RangeError)
    expect(() => new Headers().set('to', 'x\ny')).toThrow(RangeError)
    const request: SipRequest = { type: 'request', method: 'BYE', uri: 'sip:a\r\nb', headers: new Headers(), body: '' }
    expect(() => serialise(request)).toThrow(RangeError)
  })

  it.each([
    ['sip:+12025550100@[2001:db8::1]:5062;transport=tcp;lr', { host: '[2001:db8::1]', port: 5062 }],
    ['sips:example.com', { scheme: 'sips', user: null, port: null }],
    ['tel:+1-202-555-0100', { scheme: 'tel', user: '+1-202-555-0100' }],
    ['sip:a:secret@h?Route=x', { user: 'a', host: 'h' }],
  ])('reads the URI %s', (text, fields) => {
    expect(parseUri(text)).toMatchObject(fields)
  })

  it.each(['sip:', 'sip:a b@h', 'sip:a@h:0', 'sip:a@h:99999', 'http://h', 'sip:a@h<', 'tel:', 'sip:@h'])(
    'refuses the URI %s',
    (text) => {
      expect(parseUri(text)).toBeNull()
    },
  )

  it('reads Via, Reason, Session-Expires, sipfrag and INFO digits', () => {
    expect(parseVia('SIP / 2.0 / TCP host.example:99 ;branch=z9hG4bK1;rport')).toMatchObject({ port: 99 })
    expect(reasonsIn(parsed(CORPUS[5]!).message)).toEqual([{ protocol: 'Q.850', cause: 16 }])
    expect(sipfragStatus(parsed(CORPUS[4]!).message)).toBe(200)
    expect(sessionExpiresIn(new Headers().add('session-expires', '600;refresher=uas'))).toEqual({
      seconds: 600,
      refresher: 'uas',
    })
    expect(sessionExpiresIn(new Headers().add('session-expires', '5'))).toBeNull()
    const info = { ...parsed(CORPUS[4]!).message, headers: new Headers().add('content-type', 'application/dtmf-relay') }
    expect(digitIn({ ...info, body: 'Signal= #\r\nDuration=160\r\n' })).toBe('#')
    expect(digitIn({ ...info, body: 'Signal=12' })).toBeNull()
  })

  it('finds the session description in a multipart body', () => {
    const { message } = parsed(CORPUS[1]!)
    const headers = new Headers().add('content-type', 'multipart/mixed; boundary="b1"')
    const body =
      '--b1\r\nContent-Type: application/isup\r\n\r\n\x01\r\n--b1\r\nContent-Type: application/sdp\r\n\r\nv=0\r\n--b1--'
    expect(sdpIn({ ...message, headers, body })).toContain('v=0')
  })

  /** Everything that is read of a message that comes in. */
  function readAll(bytes: Buffer): void {
    const result = parseMessage(bytes)
    new Framer().push(bytes)
    if ('problem' in result) return
    for (const name of ['via', 'contact', 'record-route']) result.message.headers.values(name).map(parseNameAddr)
    sdpIn(result.message)
    reasonsIn(result.message)
    digitIn(result.message)
    serialise(result.message)
  }

  it('never throws on mutated messages', () => {
    const piece = fc.constantFrom('\r\n', '<', '"', ',', ';', '\\', ':', 'Via: ', ' ', '\0', '@', '\r\n ', '>')
    const mutation = fc.record({
      at: fc.nat(2000),
      cut: fc.nat(40),
      insert: fc.oneof(fc.uint8Array({ maxLength: 8 }), piece),
      times: fc.oneof(fc.constant(1), fc.constant(200)),
    })
    fc.assert(
      fc.property(fc.constantFrom(...CORPUS.keys()), fc.array(mutation, { maxLength: 5 }), (which, mutations) => {
        let bytes = Buffer.from(CORPUS[which]!)
        for (const { at, cut, insert, times } of mutations) {
          const place = at % (bytes.length + 1)
          const inserted = Array.from({ length: times }, () => Buffer.from(insert))
          bytes = Buffer.concat([bytes.subarray(0, place), ...inserted, bytes.subarray(place + cut)])
        }
        readAll(bytes)
      }),
      { numRuns: 3000 },
    )
  })

  it.each([',', '<', '"', ';a', '\r\n ', '\r\nv:a', '\\"', '<,', '--b1', ' ', 'v: a;b=c,', '@:'])(
    'reads 60 kB of %j within 100 ms, wherever they stand',
    (hostile) => {
      const filling = hostile.repeat(Math.floor(60_000 / hostile.length))
      for (const message of CORPUS)
        for (const place of ['Via: ', 'From: ', 'Contact: ', '\r\n\r\n', 'SIP/2.0 ', 'CSeq: ', 'Reason: ']) {
          const at = message.indexOf(place)
          if (at < 0) continue
          const cut = at + place.length
          const bytes = Buffer.concat([message.subarray(0, cut), Buffer.from(filling), message.subarray(cut)])
          // The quickest of three: other processes take their time too.
          const tookMs = [1, 2, 3].map(() => {
            const startedMs = performance.now()
            readAll(bytes)
            return performance.now() - startedMs
          })
          expect(Math.min(...tookMs)).toBeLessThan(100)
        }
    },
  )
})

describe('framing of a stream', () => {
  it('cuts the same messages whatever the chunks', () => {
    const streamed = Buffer.concat(
      CORPUS.map((bytes) => serialise(parsed(bytes).message)).flatMap((bytes) => [bytes, Buffer.from('\r\n')]),
    )
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 50 }), (sizes) => {
        const framer = new Framer()
        const found: string[] = []
        for (let at = 0, step = 0; at < streamed.length; step++) {
          const size = sizes[step % sizes.length]!
          for (const framed of framer.push(streamed.subarray(at, at + size)))
            found.push(framed.type === 'message' ? framed.parsed.facts.callId : framed.type)
          at += size
        }
        expect(found.filter((one) => one !== 'ping')).toEqual(CORPUS.map((bytes) => parsed(bytes).facts.callId))
      }),
      { numRuns: 100 },
    )
  })

  it('breaks off without Content-Length, at a malformed header, and beyond 64 kB without an end', () => {
    expect(new Framer().push(wired(BASIC))).toMatchObject([{ type: 'broken', problem: 'Content-Length' }])
    expect(new Framer().push(wired(['hello', 'Content-Length: 0']))).toMatchObject([{ type: 'broken' }])
    expect(new Framer().push(Buffer.alloc(70_000, 'a'))).toMatchObject([{ type: 'broken', problem: 'too long' }])
    const framer = new Framer()
    framer.push(wired([...BASIC, 'Content-Length: 65536']))
    expect(framer.push(wired([...BASIC, 'Content-Length: 0']))).toEqual([])
  })

  it('answers two empty lines as a ping and ignores one', () => {
    const framer = new Framer()
    expect(framer.push(Buffer.from('\r\n\r\n'))).toEqual([{ type: 'ping' }])
    expect(framer.push(Buffer.from('\r\n'))).toEqual([])
    expect(framer.push(wired([...BASIC, 'Content-Length: 0']))).toMatchObject([{ type: 'message' }])
  })
})
