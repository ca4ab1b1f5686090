import type { Fact, FactBody, Turn } from '@parley/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { virtualClock } from '@parley/voice-ports'
import { startFakeApi, type FakeApi } from '../testing/fake-api.ts'
import { errorLog, quietLog } from '../testing/fakes.ts'
import { Report, type ReportOptions } from './report.ts'
import { memoryStore } from './store.ts'

let api: FakeApi
beforeEach(async () => void (api = await startFakeApi()))
afterEach(async () => {
  vi.restoreAllMocks()
  await api.close()
})

const pace = { gatherMs: 5, firstRetryMs: 5, longestRetryMs: 20 }
const report = (changes = {}, more: Partial<ReportOptions> = {}) =>
  new Report({
    apiUrl: api.url,
    credential: 's3cret',
    callId: 'call/1',
    clock: virtualClock(),
    store: memoryStore('call/1', quietLog()),
    log: quietLog(),
    pace: { ...pace, ...changes },
    ...more,
  })
const phase = (name: string): FactBody => ({ type: 'phase', phase: name })
const turn = (index: number, text: string): FactBody => {
  const spoken: Turn = { index, speaker: 'agent', text, startMs: 0, endMs: null, heard: false }
  return { type: 'turn', turn: spoken }
}
const phases = (kept: Iterable<{ type: string }>) =>
  Array.from(kept, (fact) => ('phase' in fact ? fact.phase : fact.type))

describe('Report', () => {
  it('sends facts numbered from 1, in order, with the secret', async () => {
    const facts = report()
    for (const name of ['a', 'b', 'c']) facts.add(phase(name))
    await facts.flushed()
    const kept = api.facts.get('call/1')!
    expect(kept.map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(phases(kept)).toEqual(['a', 'b', 'c'])
    expect(api.requests).toEqual([{ path: '/internal/calls/call%2F1/facts', authorization: 'Bearer s3cret', count: 3 }])
  })

  it('sends at most 100 facts per request', async () => {
    const facts = report()
    for (let n = 0; n < 250; n++) facts.add(phase(`p${n}`))
    await facts.flushed()
    expect(api.requests.map(({ count }) => count)).toEqual([100, 100, 50])
    expect(phases(api.facts.get('call/1')!)).toEqual(Array.from({ length: 250 }, (_, n) => `p${n}`))
  })

  it.each([
    ['an error', 500],
    ['a refusal for now', 429],
    ['a wrong secret', 401],
    ['a broken connection', 'broken'],
  ] as const)('retries after %s', async (_, failure) => {
    api.failures.push(failure, failure, failure)
    const facts = report()
    facts.add(phase('a'))
    facts.add(phase('b'))
    await facts.flushed()
    expect(phases(api.facts.get('call/1')!)).toEqual(['a', 'b'])
    expect(api.requests).toHaveLength(4)
  })

  it('delivers each fact once and in order when an answer was lost', async () => {
    api.failures.push('lost_answer')
    const facts = report()
    facts.add(phase('a'))
    await api.until('call/1', (kept) => kept.length === 1)
    facts.add(phase('b'))
    await facts.flushed()
    expect(phases(api.facts.get('call/1')!)).toEqual(['a', 'b'])
  })

  it('merges waiting facts of one growing turn', async () => {
    const facts = report()
    for (const text of ['one', 'one two', 'one two three']) facts.add(turn(0, text))
    facts.add(phase('x'))
    facts.add(turn(0, 'one two three four'))
    await facts.flushed()
    const kept = api.facts.get('call/1')!
    expect(kept.map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(kept.map((fact) => (fact.type === 'turn' ? fact.turn.text : fact.type))).toEqual([
      'one two three',
      'phase',
      'one two three four',
    ])
  })

  it('delivers the words added to a turn after an answer was lost', async () => {
    api.failures.push('lost_answer')
    const facts = report({ firstRetryMs: 50, longestRetryMs: 50 })
    facts.add(turn(0, 'one'))
    await api.until('call/1', (kept) => kept.length === 1)
    facts.add(turn(0, 'one two'))
    await facts.flushed()
    const last = api.facts.get('call/1')!.at(-1)!
    expect(last).toMatchObject({ seq: 2, turn: { text: 'one two' } })
  })

  it('delivers the end and an opt-out after a fact that the api refuses', async () => {
    api.refuses = (fact) => fact.type === 'phase' && fact.phase === 'bad'
    const facts = report()
    facts.add({ type: 'dialing' })
    for (const name of ['a', 'bad', 'b', 'bad', 'c']) facts.add(phase(name))
    facts.add({ type: 'opted_out', quote: 'Never call me again.' })
    facts.add({ type: 'ended', reason: 'opted_out', message: '', connectedSeconds: 3 })
    await facts.flushed()
    const kept = api.facts.get('call/1') ?? []
    expect(phases(kept)).toEqual(['dialing', 'a', 'dialing', 'b', 'dialing', 'c', 'opted_out', 'ended'])
    expect(kept.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('gives up after a 404', async () => {
    api.failures.push(404)
    const facts = report()
    facts.add(phase('a'))
    await facts.flushed()
    facts.add(phase('b'))
    await facts.flushed()
    expect(api.requests).toHaveLength(1)
  })

  it('gives up a fact that the api has not taken for 7 days, and none before', async () => {
    api.failures.push(...Array.from({ length: 1000 }, () => 500))
    const facts = report()
    facts.add(phase('a'))
    const flushed = facts.flushed()
    const days = (count: number) => Date.now() + count * 86_400_000
    const now = vi.spyOn(Date, 'now').mockReturnValue(days(6.9))
    const asked = api.requests.length
    await vi.waitFor(() => expect(api.requests.length).toBeGreaterThan(asked + 5), 40_000)
    now.mockReturnValue(days(0.2))
    await flushed
    expect(api.facts.size).toBe(0)
  })

  it('holds a bounded number of facts while the api is away, and never leaves out an opt-out or the end', async () => {
    api.failures.push(500)
    const stored: Fact[] = []
    const { log, alarms } = errorLog()
    const store = { ...memoryStore('call/1', log), append: async (some: readonly Fact[]) => void stored.push(...some) }
    const facts = report({ gatherMs: 60_000, firstRetryMs: 60_000, longestRetryMs: 60_000 }, { log, store })
    for (let n = 0; n < 20_100; n++) facts.add(phase('a'))
    facts.add({ type: 'opted_out', quote: 'Never again.' })
    facts.add({ type: 'ended', reason: 'opted_out', message: '', connectedSeconds: 3 })
    await vi.waitFor(() => expect(stored.at(-1)?.type).toBe('ended'), 40_000)
    facts.stop()
    expect(stored.map(({ seq }) => seq)).toEqual(Array.from({ length: 20_002 }, (_, at) => at + 1))
    expect(alarms()).toEqual(['facts_dropped'])
  })

  it('delivers facts once an unreachable api is back', async () => {
    const { url } = api
    await api.close()
    const facts = report()
    facts.add(phase('a'))
    const flushed = facts.flushed()
    api = await startFakeApi(Number(new URL(url).port))
    await flushed
    expect(phases(api.facts.get('call/1')!)).toEqual(['a'])
  })
})
