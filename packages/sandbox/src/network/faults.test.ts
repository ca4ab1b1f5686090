import { describe, expect, it } from 'vitest'
import { FRAME_MS, type LegEvent } from '@parley/voice-ports'
import { Agent } from './testing/agent.ts'

describe('what the network adds to a call', () => {
  const typesOf = (agent: Agent, type: LegEvent['type']) => agent.events.filter((event) => event.type === type)

  it.each([
    ['0103', ['machine', 'beep']],
    ['0100', ['human']],
    ['0108', ['unknown']],
  ])('judges ...%s as %j', async (ending, verdicts) => {
    const agent = new Agent(ending)
    await agent.answer()
    await agent.clock.advance(20_000)
    expect(typesOf(agent, 'machine')).toMatchObject(verdicts.map((verdict) => ({ verdict })))
  })

  it('keeps the media time of frames that are lost or not sent in silence', async () => {
    const agent = new Agent('0107', { faults: { dtx: true } })
    await agent.answer()
    await agent.clock.advance(2000)
    expect(agent.mediaTimes).toEqual([])
    const lossy = new Agent('0107', { faults: { loss: 0.5 }, rng: alternating() })
    await lossy.answer()
    await lossy.clock.advance(1000)
    expect(lossy.mediaTimes.length).toBeLessThan(40)
    expect(lossy.mediaTimes.every((ms) => ms % FRAME_MS === 0)).toBe(true)
    expect(lossy.mediaTimes.at(-1)! - lossy.mediaTimes[0]!).toBeGreaterThan(900)
  })

  it('delays frames by its jitter and keeps their order', async () => {
    const agent = new Agent('0107', { faults: { jitterMs: 100 }, rng: alternating() })
    await agent.answer()
    await agent.clock.advance(3000)
    expect(agent.mediaTimes).toEqual(agent.mediaTimes.toSorted((a, b) => a - b))
    const delays = agent.arrivals.map((atMs, at) => atMs - agent.mediaTimes[at]!)
    expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(50)
  })

  it('returns our voice as echo so late and so much quieter', async () => {
    const agent = new Agent('0107', { faults: { echo: { delayMs: 700, lossDb: 20 } } })
    await agent.answer()
    await agent.clock.advance(1000)
    agent.levels.length = 0
    const sentMs = agent.clock.nowMs()
    await agent.say('Hello?')
    await agent.until(() => agent.levels.some((level) => level > -40))
    expect(agent.clock.nowMs() - sentMs).toBeGreaterThanOrEqual(700)
    expect(agent.clock.nowMs() - sentMs).toBeLessThan(800)
  })

  it('loses every third mark when it is told to', async () => {
    const agent = new Agent('0107', { faults: { losesMarkEvery: 3 } })
    await agent.answer()
    for (const name of ['a', 'b', 'c', 'd']) agent.leg.mark(name)
    await agent.clock.advance(100)
    expect(typesOf(agent, 'mark')).toMatchObject([{ name: 'a' }, { name: 'b' }, { name: 'd' }])
  })

  it('does not heed the first hang-ups when it is told to', async () => {
    const agent = new Agent('0107', { faults: { failedHangUps: 2 } })
    await agent.answer()
    for (const over of [0, 0, 1]) {
      agent.leg.hangUp()
      await agent.clock.advance(1000)
      expect(typesOf(agent, 'ended')).toHaveLength(over)
    }
  })
})

/** 0.1, 0.9, 0.1 ... */
function alternating(): () => number {
  let at = 0
  return () => (at++ % 2 === 0 ? 0.1 : 0.9)
}
