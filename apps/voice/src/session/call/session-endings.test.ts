import type { EndReason } from '@parley/contract'
import type { MindEvent } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { readPrices, unitPrices } from '../../prices.ts'
import { lastWords, say, stageCall, talker } from '../testing/staged-call.ts'

describe('the end of a session', () => {
  const endings: readonly [string, EndReason, (call: ReturnType<typeof stageCall>) => Promise<void> | void][] = [
    ['busy', 'busy', ({ far }) => far.end('busy')],
    ['an unanswered ring', 'no_answer', ({ far }) => far.end('no_answer')],
    ['no such number', 'not_in_service', ({ far }) => far.end('not_in_service')],
    ['a network that fails', 'carrier_failure', ({ far }) => far.end('failed')],
    ['a callee who declines', 'no_answer', ({ far }) => far.end('remote')],
    ['a ring without an end', 'no_answer', ({ clock }) => clock.advance(60_000)],
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
  it.each(endings)('caused by %s is reported once as %s', async (_, reason, happen) => {
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

  it('follows a stop within 50 ms, in mid-sentence', async () => {
    const call = stageCall()
    await call.answer()
    await call.clock.advance(1500)
    call.session.stop('stopped')
    await call.clock.advance(50)
    expect(call.ended()).toMatchObject({ reason: 'stopped', connectedSeconds: 1.5 })
    expect(call.turns()).toEqual([expect.objectContaining({ text: 'Hello, this is an', heard: false, endMs: 1500 })])
  })

  it('comes within the time limit while the callee keeps talking', async () => {
    const call = stageCall({ order: { limitSeconds: 60 } })
    await call.opened()
    await call.far.say(Array.from({ length: 400 }, (_, at) => `word${at}`).join(' '))
    await call.over()
    expect(call.ended()).toMatchObject({ reason: 'time_limit' })
    const { connectedSeconds } = call.ended() as { connectedSeconds: number }
    expect(connectedSeconds).toBeGreaterThan(45)
    expect(connectedSeconds).toBeLessThanOrEqual(60)
    expect(call.turnTexts().at(-1)).toContain('my time')
  })

  it('comes with a goodbye once the call has cost its cap', async () => {
    const usage: MindEvent = { type: 'usage', model: 'gpt-4o-mini', inputTokens: 4000, outputTokens: 100 }
    const mind = talker(({ cue }) => (cue.type === 'heard' ? [say('And on Friday?'), usage] : undefined))
    const call = stageCall({ mind, cost: { prices: unitPrices(readPrices(undefined)), costCapMicros: 1000 } })
    await call.opened()
    await call.far.says('Yes, we have one.')
    await call.clock.advance(8000)
    expect(call.ended()).toBeUndefined()
    await call.far.says('On Friday as well.')
    await call.over()
    expect(call.ended()).toMatchObject({ reason: 'time_limit' })
    expect(call.ended()?.connectedSeconds).toBeLessThan(45)
    expect(call.turnTexts().at(-1)).toContain('my time')
  })
})

describe('an opt-out in a session', () => {
  it('is reported, confirmed and ends the call when the mind understands it', async () => {
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
    expect(call.turnTexts().at(-1)).toBe('agent: You will not be called again.')
  })

  it('is reported, confirmed and ends the call when the callee presses 9', async () => {
    const call = stageCall()
    await call.opened()
    call.far.press('9')
    await call.over()
    expect(call.facts().filter(({ type }) => type === 'opted_out')).toEqual([
      expect.objectContaining({ quote: 'Pressed 9.' }),
    ])
    expect(call.turnTexts().at(-1)).toBe('agent: Understood, you will not be called again. Goodbye.')
    expect(call.ended()).toMatchObject({ reason: 'opted_out' })
  })

  const phrases = [
    ['English', 'Never call me again.'],
    ['English, on a list', 'Take me off your list.'],
    ['Spanish', 'No me vuelva a llamar nunca más.'],
    ['French', "Ne m'appelez plus jamais."],
    ['German', 'Rufen Sie mich nie wieder an.'],
  ] as const
  it.each(phrases)('in %s, followed by a hang-up, is reported before the end: %s', async (_, text) => {
    const call = stageCall()
    await call.opened()
    await call.far.says(text)
    call.far.end('remote')
    await call.over()
    expect(call.types().filter((type) => type === 'opted_out' || type === 'ended')).toEqual(['opted_out', 'ended'])
    expect(call.facts().find(({ type }) => type === 'opted_out')).toMatchObject({ quote: text })
    expect(call.ended()).toMatchObject({ reason: 'opted_out' })
  })

  it('is reported when the end of the call cuts the utterance off', async () => {
    const call = stageCall()
    await call.opened()
    await call.far.say('Never call me again do you hear me')
    await call.clock.advance(4 * 300 + 60)
    call.far.end('dropped')
    await call.over()
    expect(call.facts().find(({ type }) => type === 'opted_out')).toMatchObject({ quote: 'Never call me again' })
    expect(call.ended()).toMatchObject({ reason: 'carrier_dropped' })
  })

  it('is reported when the callee says it to the user who has taken over', async () => {
    const call = stageCall()
    await call.opened()
    call.session.letSpeak('person')
    await call.clock.advance(1000)
    await call.far.says('Never call me again.')
    call.far.end('remote')
    await call.over()
    expect(call.types().filter((type) => type === 'opted_out' || type === 'ended')).toEqual(['opted_out', 'ended'])
  })

  it('is reported when the user who has taken over stops the call afterwards', async () => {
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

  it('is reported without a quote after the callee refused to be recorded', async () => {
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
    'is not reported for "%s"',
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

  it('is not reported for the words of a voicemail greeting', async () => {
    const call = stageCall()
    await call.answer()
    await call.far.says('Please leave a message after the tone. If you sell something take me off your list.')
    await call.clock.advance(20_000)
    call.far.end('remote')
    await call.over()
    expect(call.types()).not.toContain('opted_out')
  })
})
