import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { activeTraceparent, createTraces, NO_TRACES, readTraceparent, type Traces, traceparentOf } from './index.ts'
import { type OtlpReceiver, startOtlpReceiver } from './testing.ts'

let receiver: OtlpReceiver
let traces: Traces
const told: number[] = []

const start = (share = 1) =>
  createTraces({
    endpoint: receiver.url,
    share,
    service: 'parley-test',
    version: '1',
    instance: 'here',
    onLost: (lost) => void told.push(lost),
    gatherMs: 5,
  })

beforeEach(async () => {
  told.length = 0
  receiver = await startOtlpReceiver()
  traces = await start()
})
afterEach(async () => {
  await traces.close()
  await receiver.close()
})

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

describe('a traceparent', () => {
  test('is written as it was read', () => {
    expect(traceparentOf(readTraceparent(PARENT)!)).toBe(PARENT)
  })

  test.each(['', 'x', `ff${PARENT.slice(2)}`, PARENT.replace(/-b7\w+/, `-${'0'.repeat(16)}`), undefined, ['a']])(
    'that is %j is none',
    (text) => expect(readTraceparent(text)).toBeUndefined(),
  )
})

describe('exported traces', () => {
  test('send a span with its parent, links, times and attributes', async () => {
    const parent = readTraceparent(PARENT)!
    const attributes = { 'parley.turn.index': 3, 'parley.turn.speaker': 'agent', 'parley.turn.heard': true } as const
    const span = traces.begin('turn', { parent, links: [parent], attributes, startMs: 1_700_000_000_000 })
    span.end(1_700_000_000_250)
    await expect.poll(() => receiver.spans).toHaveLength(1)
    expect(receiver.spans[0]).toMatchObject({
      name: 'turn',
      service: 'parley-test',
      traceId: parent.traceId,
      parentSpanId: parent.spanId,
      links: [{ traceId: parent.traceId, spanId: parent.spanId }],
      startMs: 1_700_000_000_000,
      endMs: 1_700_000_000_250,
      attributes,
    })
  })

  test('make what runs within a span its child, and tell of an error its kind alone', async () => {
    const failing = traces.run('outer', { parent: null }, () =>
      traces.run('inner', {}, () => {
        expect(activeTraceparent()).toMatch(/^00-\w{32}-\w{16}-01$/)
        return Promise.reject(new TypeError('+12025550142 said "hello"'))
      }),
    )
    await expect(failing).rejects.toThrow('said')
    expect(activeTraceparent()).toBeUndefined()
    await expect.poll(() => receiver.spans).toHaveLength(2)
    const [inner, outer] = receiver.spans
    expect([inner?.traceId, inner?.parentSpanId]).toEqual([outer?.traceId, outer?.spanId])
    expect(inner).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'TypeError' } })
    expect(receiver.bodies.join('')).not.toMatch(/2025550142|hello/)
  })

  test('of a share of 0 send nothing, and tell others so', async () => {
    const none = await start(0)
    await none.run('left out', {}, () => {
      expect(activeTraceparent()).toMatch(/-00$/)
      return Promise.resolve()
    })
    // A caller that is kept is kept here too.
    none.begin('kept', { parent: readTraceparent(PARENT) }).end()
    await none.close()
    expect(receiver.spans.map(({ name }) => name)).toEqual(['kept'])
  })

  test('drop and count what a silent receiver does not take, without waiting', async () => {
    receiver.behave('silent')
    const startedAt = performance.now()
    for (let at = 0; at < 10_000; at++) traces.begin('turn').end()
    // Far below the deadline of one export.
    expect(performance.now() - startedAt).toBeLessThan(4000)
    expect(traces.lost).toBe(10_000 - 4096)
    // Told once a minute, not ten thousand times.
    expect(told).toEqual([1])
    const closedAt = performance.now()
    await traces.close()
    expect(performance.now() - closedAt).toBeLessThan(4000)
  })

  test('count what a receiver refuses, and go on', async () => {
    receiver.behave('broken')
    traces.begin('refused').end()
    await expect.poll(() => traces.lost).toBe(1)
    receiver.behave('well')
    traces.begin('taken').end()
    await expect.poll(() => receiver.spans.map(({ name }) => name)).toEqual(['taken'])
  })
})

test('without settings nothing is made and nothing is active', async () => {
  const off = await createTraces(undefined)
  expect(off).toBe(NO_TRACES)
  await off.run('nothing', {}, () => Promise.resolve(expect(activeTraceparent()).toBeUndefined()))
  expect(off.begin('nothing').context).toBeUndefined()
})
