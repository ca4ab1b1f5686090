import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readTraceparent } from '@parley/traces'
import { type OtlpReceiver, startOtlpReceiver } from '@parley/traces/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type App, createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { createContext } from '../context.ts'
import { noJournal } from '../journal.ts'
import { type FakeApi, startFakeApi } from '../session/testing/fake-api.ts'
import { anOrder, quietLog, steadyMouth } from '../session/testing/fakes.ts'
import { SANDBOX } from '@parley/sandbox'

const SECRET = 'a secret of some length'
const BUSY = '+12125550101'
const TRACEPARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`

let api: FakeApi
let receiver: OtlpReceiver
let app: App
let url: string
let dataDir: string

async function start(environment: Record<string, string>): Promise<void> {
  const own = { API_URL: api.url, VOICE_SECRET: SECRET, SANDBOX_SPEED: '100', DATA_DIR: dataDir }
  const parts = { sandbox: SANDBOX, log: quietLog(), mouth: steadyMouth, journal: noJournal }
  app = createApp(await createContext(readConfig({ ...own, ...environment }), parts))
  url = await app.server.listen({ host: '127.0.0.1', port: 0 })
}

async function call(callId: string, headers: Record<string, string>) {
  await fetch(`${url}/v1/calls`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${SECRET}`, ...headers },
    body: JSON.stringify(anOrder({ callId, callee: BUSY })),
  })
  await api.until(callId, (facts) => facts.some(({ type }) => type === 'wrapped_up'))
  return api.requests.map(({ traceparent }) => readTraceparent(traceparent))
}

beforeEach(async () => {
  ;[api, receiver] = await Promise.all([startFakeApi(), startOtlpReceiver()])
  dataDir = await mkdtemp(join(tmpdir(), 'parley-voice-'))
})
afterEach(async () => {
  await app.calls.drain()
  await app.server.close()
  await Promise.all([api.close(), receiver.close()])
  await rm(dataDir, { recursive: true })
})

describe('an order', () => {
  it('that names a trace has its call and its facts in it', async () => {
    await start({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
    const { traceId, spanId } = readTraceparent(TRACEPARENT)!
    const told = await call('traced', { traceparent: TRACEPARENT })
    expect(new Set(told.map((each) => each?.traceId))).toEqual(new Set([traceId]))
    await expect.poll(() => receiver.spans.map(({ name }) => name).toSorted()).toEqual(['order', 'ring', 'summary'])
    const order = receiver.spans.find(({ name }) => name === 'order')
    expect(order).toMatchObject({ traceId, parentSpanId: spanId, attributes: { 'parley.call_id': 'traced' } })
    expect(told.at(-1)?.spanId).toBe(order?.spanId)
    const ring = receiver.spans.find(({ name }) => name === 'ring')
    expect(ring).toMatchObject({ traceId, attributes: { 'parley.end_reason': 'busy' } })
  })

  it('of an api without traces begins one', async () => {
    await start({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
    const told = await call('alone', {})
    expect(told.at(-1)?.traceId).toMatch(/^[0-9a-f]{32}$/)
    await expect
      .poll(() => new Set(receiver.spans.map(({ traceId }) => traceId)))
      .toEqual(new Set([told.at(-1)?.traceId]))
    expect(receiver.spans.find(({ name }) => name === 'order')?.parentSpanId).toBeFalsy()
  })

  it('that names a trace is taken by a service without traces, which sends its facts in none', async () => {
    await start({})
    const told = await call('untraced', { traceparent: TRACEPARENT })
    expect(new Set(told)).toEqual(new Set([undefined]))
    expect(receiver.requests).toBe(0)
  })
})
