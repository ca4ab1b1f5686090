import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '@parley/traces/testing'
import { freePort, type Person, type Running, runParley, signUp, until } from './world.ts'

const CALLEE = '+12025550100'
const EMAIL = 'traced@parley.example'
const PURPOSE = 'Reserve a heron for the Lovelace jubilee'

let receiver: OtlpReceiver
let parley: Running
let person: Person
let hookUrl: string
const hooks: string[] = []
const hookServer = createServer((request, response) => {
  request.resume().on('end', () => {
    hooks.push(request.url ?? '')
    response.end()
  })
})

beforeAll(async () => {
  receiver = await startOtlpReceiver()
  const port = await freePort()
  await new Promise<void>((listening) => void hookServer.listen(port, '127.0.0.1', listening))
  hookUrl = `http://127.0.0.1:${port}/hook`
  parley = await runParley({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    SANDBOX_SPEED: '20',
    LOG_LEVEL: 'info',
  })
  person = await signUp(parley.url, EMAIL)
  await person.send('PATCH', `/api/user/${person.user.id}/settings`, { webhookUrl: hookUrl })
})
afterAll(async () => {
  await parley.dispose()
  await receiver.close()
  hookServer.close()
})

const named = (spans: readonly ReceivedSpan[], name: string) => spans.filter((span) => span.name === name)

/** The spans of the trace that a call was placed in, once its last fact and its webhook are there. */
async function traceOf(callId: string): Promise<ReceivedSpan[]> {
  return until('the whole trace of the call', async () => {
    const placed = receiver.spans.find(
      ({ name, attributes }) => name === 'place call' && attributes['parley.call_id'] === callId,
    )
    const spans = receiver.spans.filter(({ traceId }) => traceId === placed?.traceId)
    const hasLastFact = named(spans, 'facts').some(({ attributes }) =>
      [attributes['parley.facts']].flat().includes('wrapped_up'),
    )
    return hasLastFact && named(spans, 'summary').length > 0 && named(spans, 'job notices.deliver').length > 1 && spans
  })
}

describe('a call from its order to its last fact', () => {
  test('is one trace over api and voice, which tells no word about anybody, nor do the logs', async () => {
    const { id } = await person.place(CALLEE, { purpose: PURPOSE })
    const ended = await person.ended(id)
    const spans = await traceOf(id)
    const byId = new Map(spans.map((span) => [span.spanId, span]))
    const parentOf = ({ parentSpanId = '' }: ReceivedSpan) => byId.get(parentSpanId)?.name
    const [request] = named(spans, 'POST /api/calls')
    const [placed] = named(spans, 'place call')
    const [job] = named(spans, 'job calls.dial')
    const [order] = named(spans, 'order')
    // From order to webhook, each the child of what caused it.
    expect(request).toMatchObject({ service: 'parley-api', attributes: { 'http.response.status_code': 201 } })
    expect(request?.parentSpanId).toBeFalsy()
    expect(parentOf(placed!)).toBe('POST /api/calls')
    expect(parentOf(job!)).toBe('place call')
    expect(order).toMatchObject({ service: 'parley-voice', attributes: { 'parley.order': 'taken' } })
    expect(parentOf(order!)).toBe('job calls.dial')
    for (const name of ['ring', 'turn', 'summary', 'facts']) {
      expect(named(spans, name).length).toBeGreaterThan(0)
      for (const span of named(spans, name)) expect([name, parentOf(span)]).toEqual([name, 'order'])
    }
    for (const delivery of named(spans, 'job notices.deliver')) expect(parentOf(delivery)).toBe('facts')
    expect(hooks.length).toBeGreaterThan(1)
    // A turn is linked to the one before it, the first to the order.
    const turns = named(spans, 'turn').toSorted((one, other) => one.endMs - other.endMs)
    expect(turns.length).toBeGreaterThan(2)
    expect(new Set(turns.flatMap(({ attributes }) => attributes['parley.turn.speaker']))).toEqual(
      new Set(['agent', 'user']),
    )
    const linked = turns.map(({ links }) => links.map(({ spanId }) => byId.get(spanId)?.name))
    expect(linked.filter(([name]) => name === 'order')).toHaveLength(1)
    expect(linked.filter(([name]) => name === 'turn')).toHaveLength(turns.length - 1)
    // None is as long as the call.
    const callMs = Math.max(...spans.map(({ endMs }) => endMs)) - Math.min(...turns.map(({ startMs }) => startMs))
    for (const { startMs, endMs } of [order!, ...turns]) expect(endMs - startMs).toBeLessThan(callMs / 2)
    expect(turns.some(({ attributes }) => Number(attributes['parley.stage.first_frame_ms']) > 0)).toBe(true)

    const logged = parley
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    const sent = [...receiver.bodies, ...logged.filter((line) => line.includes(id))].join('')
    expect(logged.length).toBeGreaterThan(10)
    const words = [...(ended.transcript ?? '').matchAll(/[A-Za-z]{7,}/g)].map(([word]) => word)
    expect(words.length).toBeGreaterThan(5)
    const personal = [CALLEE, CALLEE.slice(1), EMAIL, 'Lovelace', 'heron', 'jubilee', person.user.id, hookUrl, ...words]
    // Words of our own names are no words of the call.
    const own = /^(summary|parley)$/i
    expect(personal.filter((word) => !own.test(word) && sent.includes(word))).toEqual([])
  })

  test('is logged by both services with the id of its trace', async () => {
    const { id } = await person.place(CALLEE)
    await person.ended(id)
    const [{ traceId } = { traceId: '' }] = await traceOf(id)
    const lines = parley
      .log()
      .split('\n')
      .filter((line) => line.includes(traceId))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(new Set(lines.map(({ service }) => service))).toEqual(new Set(['api', 'voice']))
    for (const { node } of lines) expect(node).toEqual(expect.stringMatching(/./))
    expect(lines.find(({ msg }) => msg === 'call ended')).toMatchObject({ callId: id, node: 'voice-1', traceId })
  })

  test('goes on as before when nobody takes the spans', async () => {
    receiver.behave('silent')
    const { id } = await person.place(CALLEE)
    expect(await person.ended(id)).toMatchObject({ status: 'completed', endReason: 'agent_closed' })
    receiver.behave('well')
  })
})
