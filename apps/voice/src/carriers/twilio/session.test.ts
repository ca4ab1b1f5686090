import { hangsUpAfter, recorder } from '@parley/sandbox/testing'
import { frameTicker, systemClock } from '@parley/voice-ports'
import { afterAll, describe, expect, it } from 'vitest'
import { CallSession } from '../../session/call/session.ts'
import { anOrder, factSink, memorySink, quietLog, steadyMouth, textEar } from '../../session/testing/fakes.ts'
import { talker } from '../../session/testing/staged-call.ts'
import { type Line, startLine } from './testing.ts'

const lines: Line[] = []
afterAll(async () => {
  await Promise.all(lines.map((line) => line.close()))
})

describe('a session over Twilio', () => {
  // In real time: a machine that does everything at once may miss its beat.
  it('keeps a little ahead of what Twilio plays, and ends with its seconds', { retry: 2 }, async () => {
    const heard = recorder(hangsUpAfter(6000))
    const line = await startLine({ far: { answering: () => ({ type: 'answers', afterMs: 100, party: () => heard }) } })
    lines.push(line)
    const clock = systemClock()
    const report = factSink()
    const recording = memorySink()
    const session = new CallSession(anOrder({ callee: '+12125550107' }), {
      carrier: line.carrier,
      ears: [textEar],
      mouth: steadyMouth,
      mind: talker(),
      clock,
      ticker: frameTicker(clock),
      report,
      recordingOf: () => recording,
      log: quietLog(),
    })
    await session.ended
    await session.reported
    const [call] = line.far.calls
    expect(report.facts.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['dialing', 'ringing', 'answered', 'ended']),
    )
    expect(report.facts.find((fact) => fact.type === 'ended')).toMatchObject({
      reason: 'callee_hung_up',
      connectedSeconds: expect.toBeOneOf([6, 7]),
    })
    const [stream] = call?.streams ?? []
    expect(call?.streams).toHaveLength(1)
    // 160 ms ahead, and what a late beat of the far end adds.
    expect(stream?.bufferedMostMs).toBeGreaterThanOrEqual(140)
    expect(stream?.bufferedMostMs).toBeLessThanOrEqual(500)
    expect(stream?.malformed).toBe(0)
    expect(heard.heard.length).toBeGreaterThan(200)
  })
})
