import { recorder, silent } from '@parley/sandbox/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { framesOf, HZ, putThrough, toneFrame } from '../../session/testing/ring-in.ts'
import { type Line, startLine } from './testing.ts'

const lines: Line[] = []
afterAll(async () => {
  await Promise.all(lines.map((line) => line.close()))
})

const CALLEE = '+12125550107'
const OWNER = '+12125550155'

/** Silent until it is told to sound. */
function phone(hz: number) {
  const inner = silent()
  const sounds = { on: false }
  const frame = toneFrame(hz)
  const party = recorder({
    ...inner,
    tick: (nowMs, heard) => ({ ...inner.tick(nowMs, heard), frame: sounds.on ? frame : null }),
  })
  return { party, sounds }
}

describe('a second leg over Twilio', () => {
  // In real time: a machine that does everything at once may miss its beat.
  it('is put through both ways, a little ahead of what Twilio plays, and metered', { retry: 2 }, async () => {
    const [callee, owner] = [phone(HZ.callee), phone(HZ.owner)]
    const partyOf = (to: string) => (to === OWNER ? owner.party : callee.party)
    const line = await startLine({
      far: { answering: (to) => ({ type: 'answers', afterMs: 100, party: () => partyOf(to) }) },
    })
    lines.push(line)
    const { session, report, until, legs, pass } = await putThrough(line.carrier, {
      callee: CALLEE,
      owner: OWNER,
      ownerHears: () => owner.party.heard.length > 0,
      accept: () => line.far.calls[1]?.press('1'),
    })
    expect(line.far.calls.map(({ to }) => to)).toEqual([CALLEE, OWNER])
    for (const { sounds } of [callee, owner]) sounds.on = true
    await pass(2000)
    expect(framesOf(callee.party.heard, HZ.owner)).toBeGreaterThan(75)
    expect(framesOf(owner.party.heard, HZ.callee)).toBeGreaterThan(75)
    line.far.calls[1]?.press('5')
    await until(() => callee.party.digits.length > 0)
    line.far.calls[1]?.hangUp()
    await until(() => !session.person.speaks)
    line.far.calls[0]?.hangUp()
    await session.ended
    expect(legs()).toMatchObject([
      { leg: 2, carrierCallId: line.far.calls[1]?.sid, connectedSeconds: null },
      {
        leg: 2,
        carrierCallId: line.far.calls[1]?.sid,
        connectedSeconds: expect.toBeOneOf([2, 3, 4]),
        end: 'accepted',
        carrier: { name: 'twilio' },
      },
    ])
    expect(report.facts.find(({ type }) => type === 'ended')).toMatchObject({ reason: 'callee_hung_up' })
    for (const { streams } of line.far.calls)
      for (const { bufferedMostMs, malformed } of streams) {
        expect(malformed).toBe(0)
        expect(bufferedMostMs).toBeLessThanOrEqual(500)
      }
  })
})
