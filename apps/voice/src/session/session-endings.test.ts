import type { EndReason } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { lastWords, say, stageCall, talker } from './testing/staged-call.ts'

describe('an ending', () => {
  const endings: readonly [string, EndReason, (call: ReturnType<typeof stageCall>) => Promise<void> | void][] = [
    ['busy', 'busy', ({ far }) => far.end('busy')],
    ['nobody there', 'no_answer', ({ far }) => far.end('no_answer')],
    ['no such number', 'not_in_service', ({ far }) => far.end('not_in_service')],
    ['a network that fails', 'carrier_failure', ({ far }) => far.end('failed')],
    ['a callee who declines', 'no_answer', ({ far }) => far.end('remote')],
    ['a ring without end', 'no_answer', ({ clock }) => clock.advance(60_000)],
    ['a stop before the answer', 'canceled', ({ session }) => session.stop('stopped')],
    ['a drain before the answer', 'interrupted', ({ session }) => session.stop('interrupted')],
    ['a callee who hangs up', 'callee_hung_up', async (call) => (await call.opened(), call.far.end('remote'))],
    ['a network that drops', 'carrier_dropped', async (call) => (await call.opened(), call.far.end('dropped'))],
    ['a stop', 'stopped', async (call) => (await call.opened(), call.session.stop('stopped'))],
    ['a drain', 'interrupted', async (call) => (await call.opened(), call.session.stop('interrupted'))],
    ['silence', 'silence', (call) => call.answer()],
    [
      'a callee who hangs up on the goodbye',
      'agent_closed',
      async (call) => {
        await call.opened()
        await call.far.says('Very well bye.')
        await call.clock.advance(1500)
        call.far.end('remote')
      },
    ],
  ]
  it.each(endings)('by %s is %s, told once', async (_, reason, happen) => {
    const call = stageCall()
    await happen(call)
    await call.over()
    expect(call.facts().filter(({ type }) => type === 'ended')).toEqual([
      expect.objectContaining({ reason, message: expect.stringMatching(/\.$/) }),
    ])
    expect(call.types().slice(-2)).toEqual(['ended', 'wrapped_up'])
    expect(call.far.hangUps).toBeLessThanOrEqual(1)
    await expect(call.session.ended).resolves.toBe(reason)
  })

  it('comes within a second of a stop, in mid-sentence', async () => {
    const call = stageCall()
    await call.answer()
    await call.clock.advance(1500)
    call.session.stop('stopped')
    await call.clock.advance(50)
    expect(call.ended()).toMatchObject({ reason: 'stopped', connectedSeconds: 1.5 })
    expect(call.turns()).toEqual([expect.objectContaining({ text: 'Hello, this is an', heard: false, endMs: 1500 })])
  })

  it('is believed without the network after a while', async () => {
    const call = stageCall()
    await call.opened()
    call.far.forgetsEnd = true
    call.session.stop('stopped')
    await call.over()
    expect(call.ended()).toMatchObject({ reason: 'stopped' })
  })

  it('comes inside the limit, whatever the callee does', async () => {
    const call = stageCall({ order: { limitSeconds: 60 } })
    await call.opened()
    await call.far.say(Array.from({ length: 400 }, (_, at) => `word${at}`).join(' '))
    await call.over()
    expect(call.ended()).toMatchObject({ reason: 'time_limit' })
    const { connectedSeconds } = call.ended() as { connectedSeconds: number }
    expect(connectedSeconds).toBeGreaterThan(45)
    expect(connectedSeconds).toBeLessThanOrEqual(60)
    expect(call.lines().at(-1)).toContain('my time')
  })
})

describe('an opt-out', () => {
  it('that the mind understands is told at once, confirmed, and ends the call', async () => {
    const mind = talker((asked) =>
      asked.cue.type === 'heard' ? [{ type: 'opted_out', quote: lastWords(asked) }, say('You will not be called again.')] : undefined,
    )
    const call = stageCall({ mind })
    await call.opened()
    await call.far.says('Take me off your list.')
    await call.over()
    expect(call.facts().find(({ type }) => type === 'opted_out')).toMatchObject({ quote: 'Take me off your list.' })
    expect(call.ended()).toMatchObject({ reason: 'opted_out' })
    const { connectedSeconds } = call.ended() as { connectedSeconds: number }
    expect(connectedSeconds * 1000 - call.turns().at(-1)!.endMs!).toBeLessThan(2000)
    expect(call.lines().at(-1)).toBe('agent: You will not be called again.')
  })

  it('by key is the same without a mind', async () => {
    const call = stageCall()
    await call.opened()
    call.far.press('9')
    await call.over()
    expect(call.facts().filter(({ type }) => type === 'opted_out')).toEqual([expect.objectContaining({ quote: 'Pressed 9.' })])
    expect(call.lines().at(-1)).toBe('agent: Understood, you will not be called again. Goodbye.')
    expect(call.ended()).toMatchObject({ reason: 'opted_out' })
  })
})
