import { callsRoutes } from '@parley/contract'
import { readTraceparent } from '@parley/traces'
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '@parley/traces/testing'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBatch, signUpWith } from './batches/testing.ts'
import { call, Script, type StandInVoice, startStandInVoice } from './calls/testing.ts'
import { createLog } from './platform/log/log.ts'
import { type Client, createTestApp, PATIENTLY, type TestApp } from './testing.ts'

const ORDER = { callee: '+12025550100', purpose: 'Say hello', maxDurationMinutes: 1 }
const STRANGER = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`

let receiver: OtlpReceiver
let voice: StandInVoice
let app: TestApp
const lines: string[] = []

beforeAll(async () => {
  ;[receiver, voice] = await Promise.all([startOtlpReceiver(), startStandInVoice()])
  app = await createTestApp({
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      VOICE_URL: voice.url,
      CALLING_HOURS: 'off',
      LIVE_CALLS_PER_ACCOUNT: '10',
    },
    overrides: { log: createLog('info', { write: (line) => void lines.push(line) }) },
  })
})
afterAll(async () => {
  await app.close()
  await Promise.all([voice.close(), receiver.close()])
})

const place = async (client: Client, headers: Record<string, string> = {}) =>
  (await client.request(callsRoutes.place, { body: ORDER, headers })).data.id
const traceIdOf = async (id: string) => {
  await voice.orderOf(id)
  return readTraceparent(voice.traceparents.get(id))?.traceId
}
/** Once it was exported. */
function spanOf(name: string, matches: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
  let found: ReceivedSpan | undefined
  return expect
    .poll(() => (found = receiver.spans.find((span) => span.name === name && matches(span))), PATIENTLY)
    .toBeDefined()
    .then(() => found!)
}

describe('the trace of a call', () => {
  test('begins with its request, whatever trace a stranger names, and is in the lines of its job', async () => {
    const { client } = await app.signUp()
    const id = await place(client, { traceparent: STRANGER })
    const traceId = await traceIdOf(id)
    expect(traceId).toMatch(/^[0-9a-f]{32}$/)
    const request = await spanOf('POST /api/calls', (span) => span.traceId === traceId)
    expect(request.parentSpanId).toBeFalsy()
    expect(request.links).toMatchObject([{ traceId: readTraceparent(STRANGER)?.traceId }])
    expect(
      lines.find((line) => line.includes('"route":"/api/calls"') && line.includes(`"traceId":"${traceId}"`)),
    ).toBeDefined()
    await new Script(app, id).end(0, 'no_answer')
  })

  test('begins with the call itself where a list dials it', async () => {
    const { client } = await signUpWith(app, 20)
    const calls = ['+12125551001', '+12125551002'].map((callee) => ({ callee, purpose: 'Ask', maxDurationMinutes: 2 }))
    await createBatch(client, calls)
    const orders = await expect
      .poll(() => voice.orders.filter(({ purpose }) => purpose === 'Ask'), PATIENTLY)
      .toHaveLength(2)
      .then(() => voice.orders.filter(({ purpose }) => purpose === 'Ask'))
    const ids = await Promise.all(orders.map(({ callId }) => traceIdOf(callId)))
    expect(new Set(ids).size).toBe(2)
    for (const [at, { callId }] of orders.entries()) {
      const placed = await spanOf('place call', ({ attributes }) => attributes['parley.call_id'] === callId)
      expect([placed.traceId, placed.parentSpanId || null]).toEqual([ids[at], null])
      await new Script(app, callId).end(0, 'no_answer')
    }
  })

  test('is its own when it waits for a line that another call leaves', async () => {
    const { client } = await app.signUp()
    await voice.join(app, { capacity: 1 })
    const first = await place(client)
    await traceIdOf(first)
    const waiting = await place(client)
    const rowOf = async () => (await app.context.db.select().from(call).where(eq(call.id, waiting)))[0]
    await expect.poll(async () => (await rowOf())?.waitingSince, PATIENTLY).not.toBeNull()
    await new Script(app, first).end(0, 'no_answer')
    const traceId = await traceIdOf(waiting)
    expect(traceId).toBe(readTraceparent((await rowOf())?.traceparent)?.traceId)
    await spanOf('POST /api/calls', (span) => span.traceId === traceId)
    await new Script(app, waiting).end(0, 'no_answer')
  })

  test('goes on in facts that name it, and facts without it are taken alike', async () => {
    const { client } = await app.signUp()
    const id = await place(client)
    const traceId = await traceIdOf(id)
    const script = new Script(app, id, undefined, String(voice.traceparents.get(id)))
    await script.say({ type: 'dialing' }, { type: 'ringing' })
    const facts = await spanOf('facts', (span) => span.traceId === traceId)
    expect(facts.attributes).toMatchObject({ 'parley.call_id': id, 'parley.facts': ['dialing', 'ringing'] })
    const untold = new Script(app, id)
    await untold.say({ type: 'dialing' }, { type: 'ringing' })
    await untold.end(0, 'no_answer')
    expect((await client.request(callsRoutes.get, { params: { id } })).data.status).toBe('failed')
  })
})
