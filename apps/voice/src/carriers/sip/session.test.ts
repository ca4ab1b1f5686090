import { describe, expect, it } from 'vitest'
import { CONTACT, Stage, WITH_SDP } from './testing/stage.ts'

const ended = (stage: Stage) => stage.events.findLast((event) => event.type === 'ended')
const timed = (value: string, ...more: (readonly [string, string])[]) => ({
  ...WITH_SDP,
  headers: [CONTACT, ['session-expires', value] as const, ...more],
})

describe('session timer', () => {
  it('refreshes by UPDATE at half the interval where the far end takes it', async () => {
    const stage = await Stage.open()
    await stage.answer(timed('200;refresher=uac', ['allow', 'INVITE, BYE, UPDATE']))
    await stage.talk(100_000)
    expect(stage.sent('UPDATE').headers.get('session-expires')).toBe('200;refresher=uac')
    await stage.reply('UPDATE', 200, { headers: [['session-expires', '200;refresher=uac']] })
    await stage.talk(100_000)
    expect(stage.wire.timesOf('UPDATE').length).toBeGreaterThan(1)
    expect(stage.end).toBeNull()
  })

  it('refreshes by re-INVITE with its offer otherwise, acknowledges and takes the answer', async () => {
    const stage = await Stage.open()
    await stage.answer(timed('200;refresher=uac'))
    await stage.talk(100_000)
    expect(stage.media.offers).toBe(2)
    expect(stage.sent('INVITE').headers.get('to')).toContain('tag=theirs')
    await stage.reply('INVITE', 200, timed('200;refresher=uac'))
    expect(stage.wire.timesOf('ACK')).toHaveLength(2)
    expect(stage.media.accepted).toHaveLength(2)
  })

  it('waits 2.1 to 4 s after 491 and tries again', async () => {
    const stage = await Stage.open()
    await stage.answer(timed('200;refresher=uac'))
    await stage.talk(100_000)
    await stage.reply('INVITE', 491)
    await stage.clock.advance(2000)
    expect(stage.media.offers).toBe(2)
    await stage.clock.advance(2000)
    expect(stage.media.offers).toBe(3)
  })

  it('answers 491 to a re-INVITE while its own is under way', async () => {
    const stage = await Stage.open()
    await stage.answer(timed('200;refresher=uac'))
    await stage.talk(100_000)
    await stage.ask('INVITE', [CONTACT])
    expect(stage.lastStatus).toBe(491)
  })

  it('hangs up when the far end does not refresh in time, and not when it does', async () => {
    const stage = await Stage.open()
    await stage.answer(timed('120;refresher=uas'))
    await stage.talk(80_000)
    await stage.ask('UPDATE', [['session-expires', '120;refresher=uac']])
    expect(stage.wire.last('200').message.headers.get('session-expires')).toBe('120;refresher=uac')
    expect(stage.wire.last('200').message.headers.get('require')).toBe('timer')
    await stage.talk(80_000)
    expect(stage.end).toBeNull()
    await stage.talk(10_000)
    // 32 s before the 120 s are over, counted from the refresh at 80 s.
    expect(stage.wire.timesOf('BYE')[0]).toBe(168_001)
    expect(ended(stage)).toMatchObject({ cause: 'dropped' })
  })

  it('ends as dropped when the refresh meets 481', async () => {
    const stage = await Stage.open()
    await stage.answer(timed('200;refresher=uac', ['allow', 'UPDATE']))
    await stage.talk(100_000)
    await stage.reply('UPDATE', 481)
    expect(ended(stage)).toMatchObject({ cause: 'dropped', code: '481' })
  })

  it('asks by OPTIONS where the far end knows no session timer, and lives on when only those go unanswered', async () => {
    const stage = await Stage.open()
    await stage.answer()
    await stage.talk(580_000)
    expect(stage.wire.timesOf('OPTIONS').length).toBeGreaterThan(0)
    expect(stage.wire.timesOf('UPDATE')).toEqual([])
    expect(stage.end).toBeNull()
  })

  it('refuses an interval below 90 s', async () => {
    const stage = await Stage.open()
    await stage.answer()
    await stage.ask('UPDATE', [['session-expires', '30']])
    expect(stage.lastStatus).toBe(422)
  })

  it('raises the interval once when the trunk wants a longer one', async () => {
    const stage = await Stage.open()
    await stage.reply('INVITE', 422, { headers: [['min-se', '1800']] })
    expect(stage.sent('INVITE').headers.get('session-expires')).toBe('1800;refresher=uac')
    expect(stage.sent('INVITE').headers.get('cseq')).toBe('2 INVITE')
    await stage.reply('INVITE', 422, { headers: [['min-se', '1800']] })
    expect(stage.end).toMatchObject({ cause: 'failed', code: '422' })
  })
})
