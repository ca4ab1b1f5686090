import { systemClock } from '@parley/voice-ports'
import { afterEach, describe, expect, it } from 'vitest'
import { framesOf, HZ, putThrough, toneFrame } from '../../session/testing/ring-in.ts'
import { SipCarrier } from './index.ts'
import { openRtp } from './media/index.ts'
import { FarEnd, NUMBERS } from './testing/far-end.ts'
import { trunkFile } from './testing/trunk.ts'

const ADDRESS = '127.0.0.63'
const ends: { close: () => Promise<void> }[] = []

afterEach(async () => {
  for (const end of ends.splice(0)) await end.close()
})

describe('a second leg over SIP', () => {
  // In real time: a machine that does everything at once may miss its beat.
  it('is put through both ways over RTP, and metered', { retry: 2 }, async () => {
    const clock = systemClock()
    const heard: { audio: Uint8Array }[] = []
    const onMedia: ConstructorParameters<typeof FarEnd>[0]['onMedia'] = (event) => {
      if (event.type === 'frame') heard.push({ audio: event.frame.audio })
    }
    const farEnd = await FarEnd.open({ address: ADDRESS, clock, openMedia: openRtp, onMedia })
    const file = trunkFile([{ host: ADDRESS, port: farEnd.port }])
    const carrier = await SipCarrier.open({ file, clock, openMedia: openRtp })
    ends.push(carrier, farEnd)
    // Both answer under the same number.
    const { answers } = NUMBERS
    const { session, report, until, legs, pass } = await putThrough(carrier, {
      callee: answers,
      owner: answers,
      ownerHears: () => (farEnd.calls[1]?.media ?? null) !== null && heard.length > 0,
      accept: () => farEnd.calls[1]?.media?.sendDigits('1'),
    })
    const [callee, owner] = farEnd.calls
    // A phone hears the other one alone: what it hears of a tone has crossed both legs.
    const haveCrossed = () => [HZ.owner, HZ.callee].every((hz) => framesOf(heard, hz) > 60)
    for (let sent = 0; sent < 1000 && (sent % 25 !== 0 || !haveCrossed()); sent++) {
      callee?.media?.send(toneFrame(HZ.callee))
      owner?.media?.send(toneFrame(HZ.owner))
      await pass(20)
    }
    expect(haveCrossed()).toBe(true)
    await owner?.send('BYE')
    await until(() => !session.person.speaks)
    await callee?.send('BYE')
    await session.ended
    expect(legs()).toMatchObject([{ connectedSeconds: null }, { leg: 2, end: 'accepted', carrier: { name: 'sip' } }])
    expect(legs()[1]?.connectedSeconds).toBeGreaterThan(1)
    expect(report.facts.find(({ type }) => type === 'ended')).toMatchObject({ reason: 'callee_hung_up' })
  })
})
