import { type ModelAnswer, type ModelStep, words } from '@parley/sandbox/testing'
import type { Asked } from '@parley/voice-ports'
import { aCallState, heardTurn } from '@parley/voice-ports/conformance'
import { describe, expect, it } from 'vitest'
import { ModelFailure } from './failure.ts'
import { openModels, PROVIDERS, saidOf, take } from './testing.ts'

const models = openModels()
const live = () => new AbortController().signal
const asked: Asked = {
  ...aCallState({ turns: [heardTurn(0, 'agent', 'Hello.'), heardTurn(1, 'user', 'Yes?')] }),
  cue: { type: 'heard', text: 'Yes?' },
}

const saying = (text: string, ...more: readonly ModelStep[]): ModelAnswer => ({ steps: [...words(text), ...more] })
const bytes = (text: string): ModelStep => ({ type: 'bytes', text })

/** What goes wrong, what kind of failure that is, and what was said until then. */
const FAULTS: readonly (readonly [fault: string, answer: ModelAnswer, kind: ModelFailure['kind'], said: string])[] = [
  ['429', { status: 429, retryAfterSeconds: 7 }, 'busy', ''],
  ['500', { status: 500 }, 'broken', ''],
  ['401', { status: 401, message: 'Incorrect key sk-12345' }, 'refused', ''],
  ['404', { status: 404, message: 'No such model.' }, 'refused', ''],
  ['a connection dropped before the first word', { steps: [{ type: 'drop' }] }, 'broken', ''],
  ['a connection dropped in mid-word', saying('Hello. I would li', { type: 'drop' }), 'broken', 'Hello. I would li'],
  ['half a frame', { ...saying('Hello. I ', bytes('data: {"choi')), finish: 'none' }, 'broken', 'Hello. I '],
  ['a line that is no event', saying('Hello. ', bytes('data: {nonsense\n\n'), ...words('Bye.')), 'broken', 'Hello. '],
  ['a missing finish', { ...saying('Hello. I'), finish: 'none' }, 'broken', 'Hello. I'],
  ['a cut in mid-sentence', { ...saying('Hello. I would like'), finish: 'length' }, 'unusable', 'Hello. I would like'],
  ['a cut in reasoning', { steps: [{ type: 'think', text: 'So they…' }], finish: 'length' }, 'unusable', ''],
  ['reasoning alone', { steps: [{ type: 'think', text: 'So they…' }] }, 'unusable', ''],
  ['reasoning as text alone', saying('<think>So they want seven.</think>'), 'unusable', ''],
  ['an object alone', saying('{"say": "Hello there."}'), 'unusable', ''],
  ['an answer without content', { steps: [] }, 'unusable', ''],
  ['a withheld answer', { ...saying('Hello. I'), finish: 'filter' }, 'unusable', 'Hello. I'],
]

describe.each(PROVIDERS)('a failing model (%s)', (provider) => {
  it.each(FAULTS)('fails with %s, so that another can answer', async (_, answer, kind, said) => {
    const { mind } = await models.stage(() => answer, provider)
    const { events, error } = await take(mind.respond(asked, live()))
    expect(error).toBeInstanceOf(ModelFailure)
    expect(error).toMatchObject({ kind })
    expect(saidOf(events)).toBe(said)
    // What broke off leaves no memory, and does not hang up.
    expect(events.filter(({ type }) => type === 'memory' || type === 'hang_up')).toEqual([])
  })

  it('fails when no first word comes within 4 s', async () => {
    for (const answer of [
      { steps: words('Hello.'), headMs: 60_000 },
      { steps: [{ type: 'think', text: 'Hm' } as const, { type: 'stall' } as const] },
      { steps: [bytes(': keep-alive\n\n'), { type: 'wait', ms: 60_000 } as const, ...words('Hello.')] },
    ]) {
      const { far, mind, clock } = await models.stage(() => answer, provider)
      const taken = take(mind.respond(asked, live()))
      await expect.poll(() => far.exchanges.length).toBe(1)
      await clock.advance(4000)
      expect(await taken).toMatchObject({ events: [], error: { kind: 'late' } })
      await expect.poll(() => far.exchanges[0]?.abandoned).toBe(true)
    }
  })

  it('fails when it falls silent for 3 s in its middle', async () => {
    const { mind, clock } = await models.stage(() => saying('Hello. I ', { type: 'stall' }), provider)
    const reply = mind.respond(asked, live())[Symbol.asyncIterator]()
    let said = ''
    while (!said.includes('I ')) {
      const { value } = await reply.next()
      if (value?.type === 'say') said += value.text
    }
    const rest = take({ [Symbol.asyncIterator]: () => reply })
    await clock.advance(3000)
    expect(await rest).toMatchObject({ error: { kind: 'late' } })
  })
})

describe('a failing model', () => {
  it("keeps the vendor's Retry-After, and tells neither its words about a key nor what the model wrote", async () => {
    const failureOf = async (answer: ModelAnswer) => {
      const { mind } = await models.stage(() => answer)
      return (await take(mind.respond(asked, live()))).error
    }
    expect(await failureOf({ status: 429, retryAfterSeconds: 7 })).toMatchObject({ status: 429, retryAfterMs: 7000 })
    expect(String(await failureOf({ status: 401, message: 'Incorrect key sk-12345' }))).not.toContain('sk-')
    expect(String(await failureOf(saying('Hi. ', bytes('data: {"secret words\n\n'))))).not.toContain('secret')
  })

  it('is asked once: no hidden retries', async () => {
    const { far, mind } = await models.stage(() => ({ status: 500 }))
    await take(mind.respond(asked, live()))
    expect(far.exchanges).toHaveLength(1)
  })

  it('lets a whole sentence stand that was cut at the longest', async () => {
    const { mind } = await models.stage(() => ({ ...saying('Hello. I am calling about a table.'), finish: 'length' }))
    expect(await take(mind.respond(asked, live()))).toMatchObject({ error: null })
  })

  it('is unreachable where nothing listens', async () => {
    const { far, mind } = await models.stage(() => undefined)
    await far.close()
    expect(await take(mind.respond(asked, live()))).toMatchObject({ events: [], error: { kind: 'unreachable' } })
  })

  it('ends after 20 s, however steadily it talks', async () => {
    const steps = Array.from({ length: 400 }, (): ModelStep[] => [
      { type: 'say', text: 'and ' },
      { type: 'wait', ms: 500 },
    ])
    const { mind, clock } = await models.stage(() => ({ steps: steps.flat() }))
    const taken = take(mind.respond(asked, live()))
    let over = false
    void taken.then(() => (over = true))
    while (!over) await clock.advance(100)
    expect(await taken).toMatchObject({ error: { kind: 'late' } })
    expect(clock.nowMs()).toBeLessThanOrEqual(20_200)
  })
})
