import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Facts, parseMessage, serialise, type SipMessage } from './signalling/message.ts'
import { SDP } from './testing/fake-media.ts'
import { responseTo, UDP } from './testing/fake-wire.ts'
import { CONTACT, Stage } from './testing/stage.ts'

const value = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    '<sip:far@192.0.2.9;lr>',
    '<sip:far@192.0.2.9>,<sip:x@203.0.113.1>',
    '<tel:+1>',
    '600;refresher=uas',
    '99999999;refresher=uac',
    '-1',
    'refer',
    'terminated',
    'timer',
    'Q.850;cause=999',
    'application/sdp',
    'message/sipfrag',
    'application/dtmf-relay',
    'multipart/mixed;boundary=""',
    'Digest realm="a", nonce="b"',
    'Digest realm="a", nonce="b", qop="auth", algorithm=SHA-256',
  ),
)
const name = fc.constantFrom(
  'contact',
  'record-route',
  'session-expires',
  'min-se',
  'allow',
  'event',
  'subscription-state',
  'reason',
  'content-type',
  'www-authenticate',
  'proxy-authenticate',
  'retry-after',
  'refer-to',
)
const fields = fc.array(fc.tuple(name, value), { maxLength: 4 })
const body = fc.oneof(fc.constantFrom('', SDP, 'SIP/2.0 200 OK', 'SIP/2.0 486 Busy', 'Signal=1'), fc.string())
const method = fc.constantFrom(
  'INVITE',
  'UPDATE',
  'BYE',
  'INFO',
  'NOTIFY',
  'OPTIONS',
  'ACK',
  'CANCEL',
  'REFER',
  'PRACK',
)
const status = fc.constantFrom(100, 180, 183, 200, 202, 301, 302, 400, 401, 407, 408, 422, 481, 486, 491, 500, 503, 603)
const step = fc.oneof(
  fc.record({
    kind: fc.constant('response' as const),
    to: method,
    status,
    fields,
    body,
    tag: fc.constantFrom('a', 'b'),
  }),
  fc.record({ kind: fc.constant('request' as const), method, fields, body, tag: fc.constantFrom('a', 'b', 'c') }),
  fc.record({ kind: fc.constant('time' as const), ms: fc.constantFrom(10, 600, 5000, 40_000) }),
  fc.record({ kind: fc.constant('ours' as const), act: fc.constantFrom('hangUp', 'transfer', 'digits') }),
)

/** Only what can be parsed reaches the agent in the product, too. */
function received(message: SipMessage): { readonly message: SipMessage; readonly facts: Facts } | null {
  const parsed = parseMessage(serialise(message))
  return 'problem' in parsed ? null : parsed
}

describe('a leg with a hostile trunk', () => {
  it('never throws, ends at most once, and keeps the order of its events, whatever the trunk sends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(step, { maxLength: 25 }), async (isAnswered, steps) => {
        const stage = await Stage.open([{ username: 'parley', password: 'x' }, { name: 'second' }])
        const timed = ['session-expires', '120;refresher=uac'] as const
        if (isAnswered) await stage.reply('INVITE', 200, { tag: 'a', body: SDP, headers: [CONTACT, timed] })
        for (const one of steps) {
          if (one.kind === 'time') await stage.clock.advance(one.ms)
          else if (one.kind === 'ours') {
            if (one.act === 'hangUp') stage.leg.hangUp()
            else if (one.act === 'transfer') stage.leg.transfer('+12025550177')
            else stage.leg.sendDigits('1')
          } else if (one.kind === 'response') {
            const sent = stage.wire.sent.findLast(
              ({ message }) => message.type === 'request' && message.method === one.to && one.to !== 'ACK',
            )?.message
            if (sent?.type !== 'request') continue
            try {
              const { message } = responseTo(sent, one.status, {
                tag: one.tag,
                headers: [CONTACT, ...one.fields],
                body: one.body,
              })
              const good = received(message)
              if (good) stage.agent.receive({ ...good, source: UDP })
            } catch (error) {
              // The test itself could not build such a header.
              if (!(error instanceof RangeError || /malformed/.test(String(error)))) throw error
            }
          } else {
            try {
              await stage.ask(one.method, one.fields, one.body, { tag: one.tag })
            } catch (error) {
              if (!(error instanceof RangeError || /malformed/.test(String(error)))) throw error
            }
          }
          await stage.clock.advance(0)
        }
        stage.leg.hangUp()
        await stage.clock.advance(200_000)
        const { types } = stage
        expect(types.filter((type) => type === 'ended')).toHaveLength(1)
        expect(types.at(-1)).toBe('ended')
        expect(types.filter((type) => type === 'answered').length).toBeLessThan(2)
        expect(types.filter((type) => type === 'media up').length).toBe(types.filter((t) => t === 'media down').length)
        expect(stage.agent.calls).toBe(0)
        expect(stage.agent.transactions.size).toBe(0)
        expect(stage.opened.every(({ closed }) => closed)).toBe(true)
      }),
      { numRuns: 400 },
    )
  })
})
