import { describe, expect, it } from 'vitest'
import { type Mind, type MindEvent, virtualClock, type VirtualClock } from '@parley/voice-ports'
import { aCallState, mindConforms } from '@parley/voice-ports/conformance'
import { createScriptedMind } from '@parley/offline-mind'
import { hedgedMind } from './hedged.ts'

mindConforms('a mind hedged by another', () => {
  const minds = [createScriptedMind(), createScriptedMind()] as const
  return { mind: hedgedMind(minds, { clock: virtualClock() }), repeatable: true }
})

const asked = { ...aCallState(), cue: { type: 'opening' } } as const
const say = (text: string): MindEvent => ({ type: 'say', text })
const memory: MindEvent = { type: 'memory', memory: null }

/** Gives each event at its time since it was asked; an Error breaks it off. */
function timed(name: string, clock: VirtualClock, ...steps: readonly (readonly [number, MindEvent | Error])[]) {
  const log = { asked: 0, aborted: false }
  const mind: Mind = {
    name,
    async *respond(_, signal) {
      log.asked++
      signal.addEventListener('abort', () => (log.aborted = true))
      const startMs = clock.nowMs()
      for (const [atMs, event] of steps) {
        if (atMs > 0) {
          await new Promise<void>((resolve) => {
            clock.after(startMs + atMs - clock.nowMs(), resolve)
            signal.addEventListener('abort', () => resolve())
          })
        }
        if (signal.aborted) return
        if (event instanceof Error) throw event
        yield event
      }
    },
    conclude: () => Promise.reject(new Error(`${name} concludes nothing.`)),
  }
  return { mind, log }
}

type Steps = Parameters<typeof timed> extends [string, VirtualClock, ...infer S] ? S : never

async function race(first: Steps, second: Steps) {
  const clock = virtualClock()
  const [one, two] = [timed('first', clock, ...first), timed('second', clock, ...second)]
  const mind = hedgedMind([one.mind, two.mind], { clock })
  const events: (MindEvent & { atMs: number })[] = []
  let failure: unknown = null
  const take = async () => {
    for await (const event of mind.respond(asked, new AbortController().signal))
      events.push({ ...event, atMs: clock.nowMs() })
  }
  const done = take().catch((error: unknown) => (failure = error))
  await clock.advance(10_000)
  await done
  const said = events.flatMap((event) => (event.type === 'say' ? [`${event.text} ${event.atMs}`] : []))
  return { said, events, failure, counts: mind.counts, one: one.log, two: two.log }
}

describe('hedgedMind', () => {
  it('does not ask the second mind when the first speaks within 1.2 s', async () => {
    const { said, two, counts } = await race(
      [
        [1100, say('one')],
        [5000, say('more')],
        [5000, memory],
      ],
      [[0, say('two')]],
    )
    expect(said).toEqual(['one 1100', 'more 5000'])
    expect(two.asked).toBe(0)
    expect(counts).toEqual({ asked: 1, hedged: 0, wonBySecond: 0 })
  })

  it('uses the second mind when it speaks first, and aborts the first', async () => {
    const outcome: MindEvent = { type: 'phase', phase: 'early' }
    const { said, events, one, counts } = await race(
      [
        [100, outcome],
        [3000, say('one')],
        [3000, memory],
      ],
      [
        [300, say('two')],
        [400, memory],
      ],
    )
    expect(said).toEqual(['two 1500'])
    expect(events.map(({ type }) => type)).toEqual(['say', 'memory'])
    expect(one.aborted).toBe(true)
    expect(counts).toEqual({ asked: 1, hedged: 1, wonBySecond: 1 })
  })

  it('uses the first mind with all it gave when it still speaks first, and aborts the second', async () => {
    const phase: MindEvent = { type: 'phase', phase: 'early' }
    const { said, events, two, counts } = await race(
      [
        [100, phase],
        [1400, say('one')],
        [1400, memory],
      ],
      [[900, say('two')]],
    )
    expect(said).toEqual(['one 1400'])
    expect(events.map(({ type }) => type)).toEqual(['phase', 'say', 'memory'])
    expect(two.aborted).toBe(true)
    expect(counts).toEqual({ asked: 1, hedged: 1, wonBySecond: 0 })
  })

  it.each([
    ['fails before its first word', [[200, new Error('gone')]] as Steps],
    ['gives an empty reply', [[200, memory]] as Steps],
  ])('asks the second mind at once when the first %s', async (_, first) => {
    const { said } = await race(first, [
      [300, say('two')],
      [300, memory],
    ])
    expect(said).toEqual(['two 500'])
  })

  it('fails with the first failure when both fail', async () => {
    const { failure, said } = await race([[200, new Error('one gone')]], [[100, new Error('two gone')]])
    expect(said).toEqual([])
    expect(failure).toEqual(new Error('one gone'))
  })

  it('ends without an error when it is aborted while it waits', async () => {
    const clock = virtualClock()
    const [one, two] = [timed('first', clock, [5000, say('one')]), timed('second', clock, [5000, say('two')])]
    const abort = new AbortController()
    const reply = hedgedMind([one.mind, two.mind], { clock }).respond(asked, abort.signal)[Symbol.asyncIterator]()
    const next = reply.next()
    await clock.advance(2000)
    abort.abort()
    expect(await next).toEqual({ done: true, value: undefined })
    expect([one.log, two.log]).toEqual([
      { asked: 1, aborted: true },
      { asked: 1, aborted: true },
    ])
  })

  it('concludes with the second mind when the first cannot', async () => {
    const clock = virtualClock()
    const mind = hedgedMind([timed('first', clock).mind, createScriptedMind()], { clock })
    const { summary } = await mind.conclude(
      { ...aCallState(), endReason: 'callee_hung_up' },
      new AbortController().signal,
    )
    expect(summary.title).not.toBe('')
  })
})
