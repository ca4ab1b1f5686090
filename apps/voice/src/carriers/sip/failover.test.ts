import { describe, expect, it } from 'vitest'
import { responseTo } from './testing/fake-wire.ts'
import { Stage, WITH_SDP } from './testing/stage.ts'

const TWO = [{ name: 'first' }, { name: 'second' }]
const addressed = (stage: Stage) =>
  stage.wire.sent
    .filter(({ message }) => message.type === 'request' && message.method === 'INVITE')
    .map(({ target }) => target.address)

describe('fail-over between trunks', () => {
  it.each([400, 402, 403, 408, 488, 500, 502, 503, 504])('tries the next trunk after %i', async (status) => {
    const stage = await Stage.open(TWO)
    await stage.reply('INVITE', status)
    expect(addressed(stage)).toEqual(['192.0.2.9', '192.0.2.10'])
    expect(stage.opened[0]?.closed).toBe(true)
    await stage.answer()
    expect(stage.types).toEqual(['placed', 'ringing', 'answered', 'media up'])
  })

  it.each([
    [404, 'not_in_service'],
    [410, 'not_in_service'],
    [484, 'not_in_service'],
    [480, 'no_answer'],
    [486, 'busy'],
    [600, 'busy'],
    [603, 'busy'],
    [604, 'not_in_service'],
    [606, 'failed'],
    [699, 'failed'],
  ])('ends after %i as %s without another trunk', async (status, cause) => {
    const stage = await Stage.open(TWO)
    await stage.reply('INVITE', status)
    expect(stage.end).toMatchObject({ cause, code: String(status), connectedMs: 0 })
    expect(addressed(stage)).toEqual(['192.0.2.9'])
  })

  it.each([
    [402, 'funds'],
    [407, 'keys'],
    [403, undefined],
  ])('ends after %i of its only trunk as refused for %s', async (status, refusal) => {
    const stage = await Stage.open()
    await stage.reply('INVITE', status)
    expect(stage.end).toMatchObject({ cause: 'failed', code: String(status) })
    expect(stage.end?.refusal).toBe(refusal)
  })

  it.each([
    ['Q.850;cause=17', 'busy'],
    ['Q.850;cause=1', 'not_in_service'],
    ['Q.850 ;text="a;b" ;cause=19', 'no_answer'],
  ])('believes the Reason %s more than a 503', async (reason, cause) => {
    const stage = await Stage.open(TWO)
    await stage.reply('INVITE', 503, { headers: [['reason', reason]] })
    expect(stage.end).toMatchObject({ cause, code: '503' })
  })

  it.each([
    ['180', 180, {}],
    ['183 with sound', 183, WITH_SDP],
  ])('stays with a trunk that said %s before its 503', async (_, status, fields) => {
    const stage = await Stage.open(TWO)
    await stage.reply('INVITE', status, fields)
    await stage.reply('INVITE', 503)
    expect(stage.end).toMatchObject({ cause: 'failed', code: '503' })
    expect(addressed(stage)).toEqual(['192.0.2.9'])
  })

  it('leaves a trunk that says nothing within 6 s, and hangs up its late answer', async () => {
    const stage = await Stage.open(TWO)
    const late = stage.wire.last('INVITE')
    await stage.clock.advance(6000)
    expect(addressed(stage).at(-1)).toBe('192.0.2.10')
    await stage.answer()
    if (late.message.type !== 'request') throw new Error('no request')
    stage.agent.receive({ ...responseTo(late.message, 200, { ...WITH_SDP, tag: 'late' }), source: late.target })
    expect(stage.wire.last('BYE').target.address).toBe('192.0.2.9')
    expect(stage.end).toBeNull()
  })

  it('stays with a trunk that answers without ringing first', async () => {
    const stage = await Stage.open(TWO)
    await stage.reply('INVITE', 200, WITH_SDP)
    await stage.talk(20_000)
    expect(stage.end).toBeNull()
    expect(addressed(stage)).toEqual(['192.0.2.9'])
  })

  it('tries the next trunk when the socket fails, and ends when none is left', async () => {
    const stage = await Stage.open(TWO)
    await stage.reply('INVITE', 503)
    stage.wire.failure = { kind: 'refused', message: 'Nothing listens.' }
    await stage.reply('INVITE', 503)
    expect(stage.end).toMatchObject({ cause: 'failed', code: '503' })
  })

  it('takes another trunk when the first has no place or its turn is too late', async () => {
    const stage = await Stage.open([{ concurrency: 1 }, { name: 'second' }])
    expect(stage.links[0]?.take()).toBeNull()
    const paced = await Stage.open([{ callsPerSecond: 0.1 }, { name: 'second' }])
    expect(paced.links[0]?.pace()).toBeNull()
  })

  it('gives the place of a call back when it ends', async () => {
    const stage = await Stage.open([{ concurrency: 1 }])
    await stage.reply('INVITE', 486)
    expect(stage.links[0]?.take()).not.toBeNull()
  })

  it('rests a trunk as long as Retry-After says, up to 60 s', async () => {
    const stage = await Stage.open(TWO)
    await stage.reply('INVITE', 503, { headers: [['retry-after', '20']] })
    expect(stage.links[0]?.isUp).toBe(false)
  })

  it('follows a redirection to the same number within the trunk, twice at most', async () => {
    const stage = await Stage.open([{ concurrency: 1, sources: ['192.0.2.64/28'] }])
    for (const host of ['192.0.2.65', '192.0.2.66', '192.0.2.67'])
      await stage.reply('INVITE', 302, { headers: [['contact', `<sip:+12025550100@${host}>`]] })
    expect(stage.sent('INVITE').uri).toBe('sip:+12025550100@192.0.2.66')
    expect(stage.end).toMatchObject({ cause: 'failed', code: '302' })
  })

  it.each(['<sip:+19005550100@192.0.2.9>', '<sip:+12025550100@203.0.113.1>', '<tel:+12025550100>', 'nonsense'])(
    'refuses a redirection to %s',
    async (contact) => {
      const stage = await Stage.open(TWO)
      await stage.reply('INVITE', 302, { headers: [['contact', contact]] })
      expect(stage.end).toMatchObject({ cause: 'failed', code: '302' })
    },
  )

  it('answers a challenge with a new CSeq number, and tries the next trunk when the password is wrong', async () => {
    const stage = await Stage.open([{ username: 'parley', password: 'secret' }, { name: 'second' }])
    const challenge = { headers: [['proxy-authenticate', 'Digest realm="t", nonce="n", qop="auth"']] as const }
    await stage.reply('INVITE', 407, challenge)
    const again = stage.sent('INVITE')
    expect(again.headers.get('cseq')).toBe('2 INVITE')
    expect(again.headers.get('proxy-authorization')).toContain('username="parley"')
    await stage.reply('INVITE', 407, challenge)
    expect(addressed(stage).at(-1)).toBe('192.0.2.10')
  })

  it('sends the credentials of the INVITE with its ACK, and of its own with BYE', async () => {
    const stage = await Stage.open([{ username: 'parley', password: 'secret' }])
    await stage.reply('INVITE', 401, { headers: [['www-authenticate', 'Digest realm="t", nonce="n"']] })
    await stage.answer()
    expect(stage.sent('ACK').headers.get('authorization')).toBe(stage.sent('INVITE').headers.get('authorization'))
    stage.leg.hangUp()
    expect(stage.sent('BYE').headers.get('authorization')).toContain('uri="sip:far@192.0.2.9:5070"')
  })

  it('ends a number that is no E.164 number without a packet', async () => {
    const stage = await Stage.open([{}], { to: '+1202555\r\nX: y' })
    expect(stage.end).toMatchObject({ cause: 'failed', code: '484' })
    expect(stage.wire.sent).toEqual([])
  })
})
