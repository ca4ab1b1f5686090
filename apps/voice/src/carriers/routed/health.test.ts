import { virtualClock } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { stageRouted } from './testing/scripted.ts'

/** Both carriers of `stageRouted`; the preferred one fails so many calls in a row. */
async function failing(times: number) {
  const clock = virtualClock()
  const staged = stageRouted(clock)
  const { first, second, dial } = staged
  const fail = async () => {
    await dial()
    first.end('failed', '503')
    await clock.advance(0)
    second.end('busy')
  }
  for (let time = 0; time < times; time++) await fail()
  const counts = () => [first.dialed.length, second.dialed.length]
  return { ...staged, clock, fail, counts }
}

describe('the circuit of a carrier', () => {
  it('opens after 5 failures in a row, and is passed over', async () => {
    const { routed, dial, counts, second, logged } = await failing(5)
    const why = { failuresInRow: 5, lastCode: '503', openForMs: 30_000 }
    expect(routed.figures()['twilio']).toMatchObject({ circuit: 'open', attempts: 5, failures: 5, ...why })
    await dial()
    expect(logged().at(-1)).toMatchObject({
      msg: 'carrier passed over',
      carrier: 'twilio',
      why: 'circuit_open',
      ...why,
    })
    expect(counts()).toEqual([5, 6])
    second.end('busy')
    expect(routed.figures()['sip']).toMatchObject({ circuit: 'closed', failures: 0 })
  })

  it('stays closed when a call reached the callee in between', async () => {
    const { routed, dial, first, fail } = await failing(4)
    await dial()
    first.end('busy')
    for (let time = 0; time < 4; time++) await fail()
    expect(routed.figures()['twilio']).toMatchObject({ circuit: 'closed', failures: 8 })
  })

  it('lets one call probe after 30 s, and closes when that one reaches the callee', async () => {
    const { clock, routed, dial, first, counts } = await failing(5)
    await clock.advance(29_999)
    await dial()
    expect(counts()).toEqual([5, 6])
    await clock.advance(1)
    expect(routed.figures()['twilio']?.circuit).toBe('half_open')
    await dial()
    await dial()
    expect(counts()).toEqual([6, 7])
    first.emit({ type: 'ringing' })
    first.end('no_answer')
    expect(routed.figures()['twilio']?.circuit).toBe('closed')
    await dial()
    expect(counts()).toEqual([7, 7])
  })

  it('opens for twice as long after a failed probe, for 5 minutes at most', async () => {
    const { clock, routed, fail } = await failing(5)
    const circuit = () => routed.figures()['twilio']?.circuit
    for (const openMs of [30_000, 60_000, 120_000, 240_000, 300_000, 300_000]) {
      await clock.advance(openMs - 1)
      expect(circuit()).toBe('open')
      await clock.advance(1)
      expect(circuit()).toBe('half_open')
      await fail()
    }
  })

  it('lets the next call probe when the first probe was canceled or told nothing for 2 minutes', async () => {
    const { clock, dial, first, counts } = await failing(5)
    await clock.advance(30_000)
    const probe = await dial()
    probe.hangUp()
    first.end('canceled')
    await dial()
    expect(counts()).toEqual([7, 5])
    await clock.advance(119_999)
    await dial()
    expect(counts()).toEqual([7, 6])
    await clock.advance(1)
    await dial()
    expect(counts()).toEqual([8, 6])
  })

  it('fails a call at once when every circuit is open', async () => {
    const clock = virtualClock()
    const { first, second, dial, events } = stageRouted(clock)
    for (let time = 0; time < 5; time++) {
      await dial()
      first.end('failed', '503')
      await clock.advance(0)
      second.end('failed', '500')
      await clock.advance(0)
    }
    await dial()
    expect([first.dialed.length, second.dialed.length]).toEqual([5, 5])
    expect(events.at(-1)).toMatchObject({ type: 'ended', cause: 'failed', code: 'circuit_open' })
  })

  it('counts a carrier that did not take a call within 10 s as failed, without dialing again', async () => {
    const clock = virtualClock()
    const { first, second, dial, routed } = stageRouted(clock)
    const leg = await dial()
    await clock.advance(10_000)
    leg.hangUp()
    first.end('canceled')
    expect(routed.figures()['twilio']).toMatchObject({ attempts: 1, failures: 1 })
    expect(second.dialed).toEqual([])
  })
})

describe('the figures of a carrier', () => {
  it('are the answer-seizure ratio and the median post-dial delay of the last 10 minutes', async () => {
    const clock = virtualClock()
    const { first, dial, routed } = stageRouted(clock)
    expect(routed.figures()['twilio']).toEqual({
      attempts: 0,
      failures: 0,
      answerSeizureRatio: null,
      postDialMs: null,
      circuit: 'closed',
      failuresInRow: 0,
      lastCode: null,
      openForMs: 0,
    })
    for (const [rings, answers] of [
      [1000, true],
      [3000, false],
      [2000, false],
      [null, false],
    ] as const) {
      await dial()
      await clock.advance(rings ?? 500)
      if (rings !== null) first.emit({ type: 'ringing' })
      if (answers) first.emit({ type: 'answered' })
      first.end(answers ? 'remote' : 'busy')
    }
    expect(routed.figures()['twilio']).toMatchObject({ attempts: 4, answerSeizureRatio: 0.25, postDialMs: 2000 })
    await clock.advance(600_000)
    expect(routed.figures()['twilio']).toMatchObject({ attempts: 1, answerSeizureRatio: 0, postDialMs: null })
  })

  it('are of the last 100 attempts', async () => {
    const clock = virtualClock()
    const { first, dial, routed } = stageRouted(clock)
    for (let call = 0; call < 120; call++) {
      await dial()
      first.end('busy')
    }
    expect(routed.figures()['twilio']?.attempts).toBe(100)
  })
})
