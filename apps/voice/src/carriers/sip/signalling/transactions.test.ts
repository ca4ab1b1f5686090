import { virtualClock } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { FakeWire, factsIn, requestOf, type ResponseFields, responseTo, TCP, UDP } from '../testing/fake-wire.ts'
import type { SipRequest, SipResponse } from './message.ts'
import { type Incoming, Transactions } from './transactions.ts'
import type { Target } from './wire.ts'

function setUp(max?: number) {
  const clock = virtualClock()
  const wire = new FakeWire(() => clock.nowMs())
  const incoming: Incoming[] = []
  const transactions = new Transactions({
    clock,
    wire,
    onRequest: (one) => void incoming.push(one),
    ...(max !== undefined && { max }),
  })
  const heard: string[] = []
  const responses: SipResponse[] = []
  const send = (method: string, target: Target = UDP) =>
    transactions.request(requestOf(method), target, {
      onResponse: (response) => {
        heard.push(String(response.status))
        responses.push(response)
      },
      onFailed: ({ kind }) => void heard.push(kind),
    })
  const reply = (request: SipRequest, status: number, fields?: ResponseFields) =>
    transactions.receive({ ...responseTo(request, status, fields), source: UDP })
  const arrive = (request: SipRequest, branch = 'z9hG4bKfar', source: Target = UDP) => {
    const headers = request.headers.copy().add('via', `SIP/2.0/UDP 192.0.2.9;branch=${branch};rport`)
    const message = { ...request, headers }
    transactions.receive({ message, facts: factsIn(message), source })
  }
  return { clock, wire, transactions, incoming, heard, send, reply, arrive }
}

describe('client transaction', () => {
  it('repeats INVITE over UDP at 0.5, 1.5, 3.5 … s and gives up after 32 s (timers A and B)', async () => {
    const { clock, wire, heard, send, transactions } = setUp()
    send('INVITE')
    await clock.advance(31_999)
    expect(wire.timesOf('INVITE')).toEqual([0, 500, 1500, 3500, 7500, 15_500, 31_500])
    expect(heard).toEqual([])
    await clock.advance(1)
    expect(heard).toEqual(['timeout'])
    expect(transactions.size).toBe(0)
  })

  it('repeats other requests at most every 4 s, and gives up after 32 s (timers E and F)', async () => {
    const { clock, wire, heard, send } = setUp()
    send('OPTIONS')
    await clock.advance(32_000)
    expect(wire.timesOf('OPTIONS')).toEqual([0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500])
    expect(heard).toEqual(['timeout'])
  })

  it('sends once over TCP', async () => {
    const { clock, wire, send } = setUp()
    send('INVITE', TCP)
    send('OPTIONS', TCP)
    await clock.advance(31_000)
    expect(wire.sent).toHaveLength(2)
  })

  it('stops repeating INVITE at a provisional response and rings on beyond 32 s', async () => {
    const { clock, wire, heard, send, reply } = setUp()
    const { request } = send('INVITE')
    await clock.advance(600)
    reply(request, 180)
    await clock.advance(60_000)
    expect(wire.timesOf('INVITE')).toEqual([0, 500])
    expect(heard).toEqual(['180'])
  })

  it('acknowledges a failure with the branch of its INVITE, and again for 32 s (timer D)', async () => {
    const { clock, wire, heard, send, reply, transactions } = setUp()
    const { request } = send('INVITE')
    reply(request, 486)
    reply(request, 486)
    expect(wire.timesOf('ACK')).toHaveLength(2)
    const ack = wire.last('ACK').message
    expect(ack.headers.get('via')).toBe(request.headers.get('via'))
    expect(ack.headers.get('cseq')).toBe('1 ACK')
    expect(ack.headers.get('to')).toContain('tag=theirs')
    expect(heard).toEqual(['486'])
    await clock.advance(31_999)
    expect(transactions.size).toBe(1)
    await clock.advance(1)
    expect(transactions.size).toBe(0)
  })

  it('hands on every 2xx to INVITE for 32 s without acknowledging it itself', async () => {
    const { clock, wire, heard, send, reply, transactions } = setUp()
    const { request } = send('INVITE')
    reply(request, 200)
    reply(request, 200, { tag: 'fork' })
    expect(heard).toEqual(['200', '200'])
    expect(wire.timesOf('ACK')).toEqual([])
    await clock.advance(32_000)
    expect(transactions.size).toBe(0)
    reply(request, 200)
    expect(transactions.counts.strayResponses).toBe(1)
  })

  it('takes late repetitions of a final response in for 5 s (timer K)', async () => {
    const { clock, heard, send, reply, transactions } = setUp()
    const { request } = send('BYE')
    reply(request, 200)
    reply(request, 200)
    expect(heard).toEqual(['200'])
    await clock.advance(5000)
    expect(transactions.size).toBe(0)
  })

  it('takes a 487 without Via by Call-ID and CSeq', () => {
    const { heard, send, reply } = setUp()
    const { request } = send('INVITE')
    reply(request, 180)
    reply(request, 487, { withoutVia: true })
    expect(heard).toEqual(['180', '487'])
  })

  it('withdraws with the branch and CSeq number of the INVITE, once', () => {
    const { wire, send, reply, transactions } = setUp()
    const invite = send('INVITE')
    reply(invite.request, 180)
    const handlers = { onResponse: () => undefined, onFailed: () => undefined }
    transactions.cancel(invite, handlers)
    transactions.cancel(invite, handlers)
    expect(wire.timesOf('CANCEL')).toHaveLength(1)
    expect(wire.last('CANCEL').message.headers.get('via')).toBe(invite.request.headers.get('via'))
    expect(wire.last('CANCEL').message.headers.get('cseq')).toBe('1 CANCEL')
  })

  it('drops a response whose branch or Call-ID is not its own', () => {
    const { heard, send, transactions } = setUp()
    const { request } = send('INVITE')
    const { message, facts } = responseTo(request, 200)
    transactions.receive({ message, facts: { ...facts, callId: 'other' }, source: UDP })
    const forged = { ...facts, via: { ...facts.via!, params: new Map([['branch', 'z9hG4bKforged']]) } }
    transactions.receive({ message, facts: forged, source: UDP })
    expect(heard).toEqual([])
    expect(transactions.counts.strayResponses).toBe(2)
  })

  it('tells a failure of the socket after request() has returned', async () => {
    const { wire, heard, send, clock } = setUp()
    wire.failure = { kind: 'refused', message: 'Nothing listens.' }
    send('INVITE', TCP)
    expect(heard).toEqual([])
    await clock.advance(0)
    expect(heard).toEqual(['refused'])
  })

  it('refuses a request beyond its bound', () => {
    const { send } = setUp(2)
    send('INVITE')
    send('OPTIONS')
    expect(() => send('BYE')).toThrow(RangeError)
  })
})

describe('server transaction', () => {
  it('answers a repeated request with the same response for 32 s (timer J)', async () => {
    const { clock, wire, incoming, arrive, transactions } = setUp()
    arrive(requestOf('OPTIONS'))
    incoming[0]!.answer({ status: 200, reason: 'OK' })
    arrive(requestOf('OPTIONS'))
    expect(incoming).toHaveLength(1)
    expect(wire.timesOf('200')).toHaveLength(2)
    await clock.advance(32_000)
    expect(transactions.size).toBe(0)
  })

  it('repeats a failure of INVITE until its ACK (timers G, H and I)', async () => {
    const { clock, wire, incoming, arrive, transactions } = setUp()
    arrive(requestOf('INVITE'))
    incoming[0]!.answer({ status: 403, reason: 'No' })
    await clock.advance(4000)
    expect(wire.timesOf('403')).toEqual([0, 500, 1500, 3500])
    arrive(requestOf('ACK'))
    await clock.advance(5000)
    expect(wire.timesOf('403')).toHaveLength(4)
    expect(transactions.size).toBe(0)
  })

  it('gives up a failure without ACK after 32 s', async () => {
    const { clock, wire, incoming, arrive, transactions } = setUp()
    arrive(requestOf('INVITE'))
    incoming[0]!.answer({ status: 403, reason: 'No' })
    await clock.advance(40_000)
    expect(wire.timesOf('403')).toHaveLength(11)
    expect(transactions.size).toBe(0)
  })

  it.each([
    ['UDP', UDP],
    ['TCP', TCP],
  ])('repeats a 2xx of INVITE over %s until an ACK of another branch', async (_, source) => {
    const { clock, wire, incoming, arrive, transactions } = setUp()
    const acks: (SipRequest | null)[] = []
    arrive(requestOf('INVITE'), 'z9hG4bKa', source)
    incoming[0]!.answer({ status: 200, reason: 'OK', onAck: (ack) => void acks.push(ack) })
    await clock.advance(1600)
    expect(wire.timesOf('200')).toEqual([0, 500, 1500])
    arrive(requestOf('ACK'), 'z9hG4bKb', source)
    await clock.advance(40_000)
    expect(wire.timesOf('200')).toHaveLength(3)
    expect(acks.map((ack) => ack?.method)).toEqual(['ACK'])
    expect(transactions.size).toBe(0)
  })

  it('says that no ACK came after 32 s', async () => {
    const { clock, incoming, arrive } = setUp()
    const acks: (SipRequest | null)[] = []
    arrive(requestOf('INVITE'))
    incoming[0]!.answer({ status: 200, reason: 'OK', onAck: (ack) => void acks.push(ack) })
    await clock.advance(32_000)
    expect(acks).toEqual([null])
  })

  it('answers to the source with received and rport, and copies Record-Route', () => {
    const { wire, incoming, arrive } = setUp()
    arrive(requestOf('OPTIONS', [['record-route', '<sip:192.0.2.9;lr>']]), 'z9hG4bKx', { ...UDP, port: 33_333 })
    incoming[0]!.answer({ status: 200, reason: 'OK' })
    const { message, target } = wire.last('200')
    expect(target.port).toBe(33_333)
    expect(message.headers.get('via')).toMatch(/;branch=z9hG4bKx;received=192\.0\.2\.9;rport=33333$/)
    expect(message.headers.get('record-route')).toBe('<sip:192.0.2.9;lr>')
    expect(message.headers.get('to')).toMatch(/;tag=[0-9a-f]{16}$/)
  })

  it('drops requests beyond its bound and forgets one that is never answered', async () => {
    const { clock, incoming, arrive, transactions } = setUp(2)
    for (const branch of ['a', 'b', 'c']) arrive(requestOf('OPTIONS'), `z9hG4bK${branch}`)
    expect(incoming).toHaveLength(2)
    expect(transactions.counts.refused).toBe(1)
    await clock.advance(130_000)
    expect(transactions.size).toBe(0)
  })
})
