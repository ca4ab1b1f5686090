import type { EndReason } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { lastWords, say, stageCall, talker } from '../testing/staged-call.ts'

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
      asked.cue.type === 'heard'
        ? [{ type: 'opted_out', quote: lastWords(asked) }, say('You will not be called again.')]
        : undefined,
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
    expect(call.facts().filter(({ type }) => type === 'opted_out')).toEqual([
      expect.objectContaining({ quote: 'Pressed 9.' }),
    ])
    expect(call.lines().at(-1)).toBe('agent: Understood, you will not be called again. Goodbye.')
    expect(call.ended()).toMatchObject({ reason: 'opted_out' })
  })

  const phrases = [
    ['English', 'Never call me again.'],
    ['English, on a list', 'Take me off your list.'],
    ['Spanish', 'No me vuelva a llamar nunca más.'],
    ['French', "Ne m'appelez plus jamais."],
    ['German', 'Rufen Sie mich nie wieder an.'],
  ] as const
  it.each(phrases)('in %s, followed at once by the hang-up, is told before the end: %s', async (_, text) => {
    const call = stageCall()
    await call.opened()
    await call.far.says(text)
    call.far.end('remote')
    await call.over()
    expect(call.types().filter((type) => type === 'opted_out' || type === 'ended')).toEqual(['opted_out', 'ended'])
    expect(call.facts().find(({ type }) => type === 'opted_out')).toMatchObject({ quote: text })
    expect(call.ended()).toMatchObject({ reason: 'opted_out' })
  })

  it('is kept of an utterance that the end cuts off', async () => {
    const call = stageCall()
    await call.opened()
    await call.far.say('Never call me again do you hear me')
    await call.clock.advance(4 * 300 + 60)
    call.far.end('dropped')
    await call.over()
    expect(call.facts().find(({ type }) => type === 'opted_out')).toMatchObject({ quote: 'Never call me again' })
    expect(call.ended()).toMatchObject({ reason: 'carrier_dropped' })
  })

  it('said to a person who has taken over is kept', async () => {
    const call = stageCall()
    await call.opened()
    call.session.letSpeak('person')
    await call.clock.advance(1000)
    await call.far.says('Never call me again.')
    call.far.end('remote')
    await call.over()
    expect(call.types().filter((type) => type === 'opted_out' || type === 'ended')).toEqual(['opted_out', 'ended'])
  })

  it('is kept when a person who has taken over, or the account, ends the call on it', async () => {
    const call = stageCall()
    await call.opened()
    call.session.letSpeak('person')
    await call.far.says('Please never call me again.')
    await call.clock.advance(1000)
    call.session.stop('stopped')
    await call.over()
    expect(call.types()).toContain('opted_out')
    expect(call.ended()).toMatchObject({ reason: 'stopped' })
  })

  it('is told without its words where the callee wants none kept', async () => {
    const call = stageCall({ order: { record: true } })
    await call.opened()
    await call.far.says("I don't want to be recorded.")
    await call.clock.advance(3000)
    await call.far.says('Never call me again.')
    call.far.end('remote')
    await call.over()
    expect(call.facts().filter(({ type }) => type === 'opted_out')).toEqual([expect.objectContaining({ quote: '' })])
  })

  it.each(['Do not call me before nine.', 'Call me again tomorrow.', 'No me llame antes de las nueve.'])(
    'is not "%s"',
    async (text) => {
      const call = stageCall()
      await call.opened()
      await call.far.says(text)
      call.far.end('remote')
      await call.over()
      expect(call.types()).not.toContain('opted_out')
      expect(call.ended()).toMatchObject({ reason: 'callee_hung_up' })
    },
  )

  it('is not what a recorded greeting says', async () => {
    const call = stageCall()
    await call.answer()
    await call.far.says('Please leave a message after the tone. If you sell something take me off your list.')
    await call.clock.advance(20_000)
    call.far.end('remote')
    await call.over()
    expect(call.types()).not.toContain('opted_out')
  })
})
