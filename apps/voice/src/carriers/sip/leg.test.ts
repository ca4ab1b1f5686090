import { describe, expect, it } from 'vitest'
import { SDP } from './testing/fake-media.ts'
import { CONTACT, Stage, WITH_SDP } from './testing/stage.ts'

const ended = (stage: Stage) => stage.events.findLast((event) => event.type === 'ended')

describe('SIP leg', () => {
  it('rings, is answered, acknowledges, and hangs up with the connected time', async () => {
    const stage = await Stage.open()
    const invite = stage.sent('INVITE')
    expect(invite.uri).toBe('sip:+12025550100@192.0.2.9')
    expect(invite.headers.get('p-asserted-identity')).toBe('<sip:+12025550199@192.0.2.9>')
    await stage.answer()
    expect(stage.types).toEqual(['placed', 'ringing', 'answered', 'media up'])
    expect(stage.sent('ACK').uri).toBe('sip:far@192.0.2.9:5070')
    await stage.clock.advance(3000)
    stage.leg.hangUp()
    stage.leg.hangUp()
    expect(stage.wire.timesOf('BYE')).toHaveLength(1)
    await stage.clock.advance(200)
    expect(stage.types).not.toContain('hung_up')
    await stage.reply('BYE', 200)
    expect(stage.types.slice(4)).toEqual(['media down', 'hung_up', 'ended'])
    expect(ended(stage)).toMatchObject({ cause: 'local', connectedMs: 3000 })
    expect(stage.media.closed).toBe(true)
    expect(stage.agent.calls).toBe(0)
  })

  it('ends with 408 when nobody confirms a BYE within 32 s', async () => {
    const stage = await Stage.open()
    await stage.answer()
    stage.leg.hangUp()
    await stage.clock.advance(32_000)
    expect(ended(stage)).toMatchObject({ cause: 'local', code: '408', connectedMs: 0 })
    expect(stage.agent.calls).toBe(0)
  })

  it('acknowledges a repeated 200 again', async () => {
    const stage = await Stage.open()
    await stage.answer()
    await stage.reply('INVITE', 200, WITH_SDP)
    expect(stage.wire.timesOf('ACK')).toHaveLength(2)
    expect(stage.types.filter((type) => type === 'answered')).toHaveLength(1)
  })

  it('takes the first 2xx of a fork and hangs up the others', async () => {
    const stage = await Stage.open()
    await stage.reply('INVITE', 180, { tag: 'a', headers: [CONTACT] })
    await stage.reply('INVITE', 180, { tag: 'b', headers: [CONTACT] })
    await stage.reply('INVITE', 200, { ...WITH_SDP, tag: 'b' })
    await stage.reply('INVITE', 200, { ...WITH_SDP, tag: 'a' })
    expect(stage.sent('BYE').headers.get('to')).toContain('tag=a')
    expect(stage.wire.timesOf('ACK')).toHaveLength(2)
    await stage.reply('BYE', 200)
    expect(stage.end).toBeNull()
    await stage.ask('BYE', [], '', { tag: 'b' })
    expect(ended(stage)).toMatchObject({ cause: 'remote' })
  })

  it('plays early media before the answer', async () => {
    const stage = await Stage.open()
    await stage.reply('INVITE', 183, WITH_SDP)
    stage.media.emit({ type: 'frame', frame: { audio: new Uint8Array(160) }, mediaMs: 0 })
    expect(stage.types).toEqual(['placed', 'ringing', 'media up', 'frame'])
    await stage.reply('INVITE', 200, { headers: [CONTACT] })
    expect(stage.types.at(-1)).toBe('answered')
  })

  it.each([
    ['without a description', { headers: [CONTACT] }],
    ['with an unusable one', { headers: [CONTACT], body: 'v=0\r\n' }],
  ])('acknowledges and hangs up an answer %s', async (_, fields) => {
    const stage = await Stage.open()
    await stage.answer(fields)
    expect(stage.wire.timesOf('ACK')).toHaveLength(1)
    expect(stage.wire.timesOf('BYE')).toHaveLength(1)
    expect(ended(stage)).toMatchObject({ cause: 'failed', code: '488', connectedMs: 0 })
  })

  it('withdraws by CANCEL only once the trunk has said something', async () => {
    const stage = await Stage.open()
    stage.leg.hangUp()
    expect(stage.wire.timesOf('CANCEL')).toEqual([])
    await stage.reply('INVITE', 100)
    expect(stage.wire.timesOf('CANCEL')).toHaveLength(1)
    await stage.reply('INVITE', 487)
    expect(ended(stage)).toMatchObject({ cause: 'canceled', connectedMs: 0, code: '487' })
  })

  it('hangs up an answer that crosses its CANCEL', async () => {
    const stage = await Stage.open()
    await stage.reply('INVITE', 180)
    stage.leg.hangUp()
    await stage.reply('INVITE', 200, WITH_SDP)
    expect(stage.types).not.toContain('answered')
    await stage.reply('BYE', 200)
    expect(ended(stage)).toMatchObject({ cause: 'canceled', connectedMs: 0 })
  })

  it('ends a withdrawn call that the trunk never confirms after 32 s', async () => {
    const stage = await Stage.open()
    await stage.reply('INVITE', 180)
    stage.leg.hangUp()
    await stage.clock.advance(32_000)
    expect(ended(stage)).toMatchObject({ cause: 'canceled' })
  })

  it('gives up ringing at answerTimeoutMs as no_answer', async () => {
    const stage = await Stage.open([{}], { answerTimeoutMs: 20_000 })
    await stage.reply('INVITE', 180)
    await stage.clock.advance(20_000)
    await stage.reply('CANCEL', 200)
    await stage.reply('INVITE', 487, { withoutVia: true })
    expect(stage.sent('INVITE').headers.get('expires')).toBe('20')
    expect(ended(stage)).toMatchObject({ cause: 'no_answer' })
  })

  it('hangs up at limitMs, and announces it to the trunk', async () => {
    const stage = await Stage.open([{}], { limitMs: 120_000 })
    expect(stage.sent('INVITE').headers.get('session-expires')).toBe('120;refresher=uac')
    await stage.answer()
    await stage.talk(120_000)
    await stage.reply('BYE', 200)
    expect(ended(stage)).toMatchObject({ cause: 'local', connectedMs: 120_000 })
  })

  it.each([
    ['Q.850;cause=16;text="Normal call clearing"', 'remote'],
    ['Q.850;cause=41', 'dropped'],
    ['SIP;cause=408;text="x"', 'dropped'],
  ])('ends a BYE with Reason %s as %s', async (reason, cause) => {
    const stage = await Stage.open()
    await stage.answer()
    await stage.clock.advance(1500)
    await stage.ask('BYE', [['reason', reason]])
    expect(stage.lastStatus).toBe(200)
    expect(ended(stage)).toMatchObject({ cause, connectedMs: 1500 })
  })

  it('answers hold, an offerless re-INVITE and UPDATE, and refuses what it cannot use', async () => {
    const stage = await Stage.open()
    await stage.answer()
    await stage.ask('INVITE', [CONTACT], `${SDP}a=sendonly\r\n`)
    expect(stage.lastStatus).toBe(200)
    expect(stage.media.answered).toHaveLength(1)
    await stage.ask('ACK')
    await stage.ask('INVITE', [CONTACT])
    expect(stage.wire.last('200').message.body).toBe(SDP)
    await stage.ask('ACK', [], SDP, { cseq: 3 })
    expect(stage.media.accepted).toHaveLength(2)
    await stage.ask('UPDATE', [CONTACT], SDP)
    expect(stage.lastStatus).toBe(200)
    await stage.ask('UPDATE', [CONTACT], 'v=0\r\n')
    expect(stage.lastStatus).toBe(488)
    await stage.ask('INVITE', [['content-type', 'text/plain']], 'hello')
    expect(stage.lastStatus).toBe(415)
    expect(stage.end).toBeNull()
  })

  it('refuses requests out of order, of strangers, unknown ones and a transfer by the far end', async () => {
    const stage = await Stage.open()
    await stage.answer()
    await stage.ask('OPTIONS', [], '', { cseq: 9 })
    expect(stage.lastStatus).toBe(200)
    await stage.ask('BYE', [], '', { cseq: 9 })
    expect(stage.lastStatus).toBe(500)
    await stage.ask('BYE', [], '', { cseq: 10, tag: 'stranger' })
    expect(stage.lastStatus).toBe(481)
    await stage.ask('REFER', [['refer-to', '<sip:evil@x>']], '', { cseq: 11 })
    expect(stage.lastStatus).toBe(603)
    await stage.ask('FLY', [], '', { cseq: 12 })
    expect(stage.lastStatus).toBe(501)
    await stage.ask('INVITE', [['require', '100rel']], SDP, { cseq: 13 })
    expect(stage.lastStatus).toBe(420)
    expect(stage.end).toBeNull()
  })

  it('takes digits of INFO', async () => {
    const stage = await Stage.open()
    await stage.answer()
    await stage.ask('INFO', [['content-type', 'application/dtmf-relay']], 'Signal=5\r\nDuration=160\r\n')
    expect(stage.events.at(-1)).toEqual({ type: 'digit', digit: '5' })
  })

  it('says dropped when the media fails', async () => {
    const stage = await Stage.open()
    await stage.answer()
    stage.media.emit({ type: 'failed', message: 'the socket failed' })
    await stage.reply('BYE', 200)
    expect(ended(stage)).toMatchObject({ cause: 'dropped' })
  })

  it('asks a silent far end whether it is there, and ends as dropped when it is not', async () => {
    const stage = await Stage.open()
    await stage.answer()
    await stage.clock.advance(11_000)
    await stage.reply('OPTIONS', 200)
    expect(stage.end).toBeNull()
    await stage.clock.advance(45_000)
    expect(ended(stage)).toMatchObject({ cause: 'dropped', code: '408' })
  })

  it('ends as dropped when the far end says 481', async () => {
    const stage = await Stage.open()
    await stage.answer()
    await stage.clock.advance(11_000)
    await stage.reply('OPTIONS', 481)
    expect(ended(stage)).toMatchObject({ cause: 'dropped', code: '481' })
  })
})

describe('transfer by REFER', () => {
  const refer = async () => {
    const stage = await Stage.open()
    await stage.answer()
    stage.leg.transfer('+12025550177')
    return stage
  }
  const notify = (stage: Stage, status: string, state = 'active;expires=60') =>
    stage.ask(
      'NOTIFY',
      [
        ['event', 'refer'],
        ['subscription-state', state],
        ['content-type', 'message/sipfrag'],
      ],
      `SIP/2.0 ${status}\r\n`,
    )

  it('ends as transferred once the other phone answers', async () => {
    const stage = await refer()
    expect(stage.sent('REFER').headers.get('refer-to')).toBe('<sip:+12025550177@192.0.2.9>')
    await stage.reply('REFER', 202)
    await notify(stage, '180 Ringing')
    expect(stage.end).toBeNull()
    await notify(stage, '200 OK', 'terminated')
    await stage.reply('BYE', 200)
    expect(ended(stage)).toMatchObject({ cause: 'transferred' })
  })

  it('ends as transferred when the trunk hangs up with the transfer accepted', async () => {
    const stage = await refer()
    await stage.reply('REFER', 202)
    await stage.ask('BYE')
    expect(ended(stage)).toMatchObject({ cause: 'transferred' })
  })

  it.each([
    ['the trunk refuses', async (stage: Stage) => stage.reply('REFER', 405)],
    [
      'the other phone is busy',
      async (stage: Stage) => {
        await stage.reply('REFER', 202)
        await notify(stage, '486 Busy Here', 'terminated')
      },
    ],
    [
      'nothing is told within 60 s',
      async (stage: Stage) => {
        await stage.reply('REFER', 202)
        await stage.talk(60_000)
      },
    ],
  ])('says transfer_failed once when %s, and can transfer again', async (_, fail) => {
    const stage = await refer()
    await fail(stage)
    expect(stage.types.filter((type) => type === 'transfer_failed')).toHaveLength(1)
    expect(stage.end).toBeNull()
    stage.leg.transfer('+12025550178')
    expect(stage.sent('REFER').headers.get('refer-to')).toContain('+12025550178')
  })

  it('sends nothing for what is no E.164 number', async () => {
    const stage = await Stage.open()
    await stage.answer()
    for (const to of ['', '911', '+1 202', '+12025550177>\r\nX: y']) stage.leg.transfer(to)
    expect(stage.wire.timesOf('REFER')).toEqual([])
  })
})
