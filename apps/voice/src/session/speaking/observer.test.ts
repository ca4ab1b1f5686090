import type { Outcome } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import type { Asked, Mind, Observation } from '@parley/voice-ports'
import { aCallState } from '@parley/voice-ports/conformance'
import { createTroubledMind } from '@parley/sandbox'
import { quietLog } from '../testing/fakes.ts'
import { Observer } from './observer.ts'
import { Outcomes } from './outcomes.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))
const outcome = (status: Outcome['status']): Outcome => ({ objective: 'a table', status, quote: null, turn: null })
const found = (status: Outcome['status'], index = 0): Observation => ({
  type: 'outcome',
  index,
  outcome: outcome(status),
})

/** An observer whose looks the test answers one by one. */
function setUp({ heedsAbort = true } = {}) {
  const log: string[] = []
  const looks: { answer(...events: readonly (Observation | Error)[]): Promise<void>; signal: AbortSignal }[] = []
  const mind: Pick<Mind, 'observe'> = {
    async *observe(_: Asked, signal: AbortSignal) {
      const { promise, resolve } = Promise.withResolvers<readonly (Observation | Error)[]>()
      const answer = async (...events: readonly (Observation | Error)[]) => {
        resolve(events)
        await settled()
      }
      looks.push({ answer, signal })
      if (heedsAbort) signal.addEventListener('abort', () => resolve([]))
      for (const event of await promise) {
        if (event instanceof Error) throw event
        yield event
      }
    },
  }
  const outcomes = new Outcomes(['a table', 'a price'])
  const observer = new Observer({
    mind: { ...createTroubledMind('an empty reply'), ...mind },
    outcomes,
    question: () => ({ ...aCallState(), cue: { type: 'heard', text: 'Yes.' } }),
    log: quietLog(),
    events: {
      outcomes: (list) => void log.push(list.map(({ status }) => status).join()),
      language: (language) => void log.push(language),
      optedOut: (quote) => void log.push(`opted out: ${quote}`),
      usage: ({ model }) => void log.push(`used ${model}`),
    },
  })
  return { observer, outcomes, looks, log }
}

describe('Observer', () => {
  it('passes on what it finds', async () => {
    const { observer, looks, log } = setUp()
    observer.look()
    await settled()
    await looks[0]!.answer(
      found('met', 1),
      { type: 'language', language: 'es' },
      { type: 'opted_out', quote: 'No more.' },
      { type: 'usage', model: 'x', inputTokens: 1, outputTokens: 1 },
    )
    expect(log).toEqual(['open,met', 'es', 'opted out: No more.', 'used x'])
  })

  it('looks once at a time, and once more after all turns that came meanwhile', async () => {
    const { observer, looks } = setUp()
    for (let turn = 0; turn < 5; turn++) observer.look()
    await settled()
    expect(looks).toHaveLength(1)
    await looks[0]!.answer()
    expect(looks).toHaveLength(2)
    await looks[1]!.answer()
    expect(looks).toHaveLength(2)
    observer.look()
    await settled()
    expect(looks).toHaveLength(3)
  })

  it('never replaces an outcome that the mind told after the look began', async () => {
    const { observer, outcomes, looks, log } = setUp()
    outcomes.tell(1, outcome('offered'))
    observer.look()
    await settled()
    outcomes.tell(0, outcome('refused'))
    await looks[0]!.answer(found('met', 0), found('met', 1), found('met', 7))
    expect(outcomes.list.map(({ status }) => status)).toEqual(['refused', 'met'])
    expect(log).toEqual(['refused,met'])
  })

  it('goes on after a look that failed', async () => {
    const { observer, looks, log } = setUp()
    observer.look()
    await settled()
    await looks[0]!.answer(new Error('gone'))
    observer.look()
    await settled()
    await looks[1]!.answer(found('met'))
    expect(log).toEqual(['met,open'])
  })

  it('at the end of the call keeps the outcome of the look under way, and begins no other', async () => {
    const { observer, outcomes, looks, log } = setUp()
    observer.look()
    observer.look()
    await settled()
    const ended = observer.end(60_000)
    await looks[0]!.answer({ type: 'language', language: 'es' }, found('met'))
    await ended
    observer.look()
    await settled()
    expect(outcomes.list[0]?.status).toBe('met')
    expect(log).toEqual([])
    expect(looks).toHaveLength(1)
  })

  it.each([true, false])(
    'at the end of the call aborts the look when its time is up (heeding: %s)',
    async (heedsAbort) => {
      const { observer, looks, log } = setUp({ heedsAbort })
      observer.look()
      await settled()
      await observer.end(0)
      expect(looks[0]!.signal.aborted).toBe(true)
      await looks[0]!.answer(found('met'))
      expect(log).toEqual([])
    },
  )
})
