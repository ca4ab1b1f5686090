import { callsRoutes } from '@parley/contract'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, PATIENTLY, type TestApp } from '../../testing.ts'
import { listenForMetrics } from './listener.ts'
import { createMetrics, type Metrics } from './metrics.ts'

const quiet = pino({ level: 'silent' })

/** Value of a line without labels, or with just these. */
async function valueOf(metrics: Metrics, name: string, labels = ''): Promise<number | undefined> {
  const lines = (await metrics.text()).split('\n')
  const line = lines.find((each) => each.startsWith(`${name}${labels} `))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

describe('createMetrics', () => {
  test('reads a figure once for all who ask within its time', async () => {
    const metrics = createMetrics(quiet)
    let reads = 0
    metrics.figure({ name: 'parley_test_count', help: 'A test', read: () => [{ value: ++reads }] })
    expect([await valueOf(metrics, 'parley_test_count'), await valueOf(metrics, 'parley_test_count')]).toEqual([1, 1])
  })

  test('leaves out a figure that cannot be read, counts that, and gives the others', async () => {
    const metrics = createMetrics(quiet)
    const broken = () => Promise.reject(new Error('no database'))
    metrics.figure({ name: 'parley_broken_count', help: 'Broken', labels: ['state'], freshMs: 0, read: broken })
    metrics.figure({ name: 'parley_whole_count', help: 'Whole', read: () => [{ value: 7 }] })
    await metrics.text()
    const text = await metrics.text()
    expect(text).not.toMatch(/^parley_broken_count/m)
    expect(text).toContain('parley_whole_count 7')
    expect(text).toContain('parley_figures_failed_total{figure="parley_broken_count"}')
  })
})

describe('listenForMetrics', () => {
  test('answers GET /metrics and nothing else', async () => {
    const metrics = createMetrics(quiet)
    const listener = await listenForMetrics(metrics, { host: '127.0.0.1', port: 0 })
    const url = `http://127.0.0.1:${listener.port}`
    const [told, root, posted] = await Promise.all([
      fetch(`${url}/metrics`),
      fetch(url),
      fetch(`${url}/metrics`, { method: 'POST' }),
    ])
    expect([told.status, root.status, posted.status]).toEqual([200, 404, 404])
    expect(told.headers.get('content-type')).toContain('text/plain')
    expect(await told.text()).toContain('parley_api_process_cpu_seconds_total')
    await listener.close()
  })
})

describe('the figures of the api', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ environment: { CALLING_HOURS: 'off' } })
  })
  afterAll(() => app.close())

  test('tell requests by pattern and hold no word of an account or call', async () => {
    const { client, user } = await app.signUp()
    const id = 'no-call-of-mine'
    await client.request(callsRoutes.get, { params: { id } })
    const text = await app.context.metrics.text()
    expect(text).toMatch(/parley_http_request_seconds_count\{method="GET",route="[^"]*:id[^"]*",status="4xx"\} 1/)
    for (const word of [id, user.id, user.email]) expect(text).not.toContain(word)
  })

  test('show an empty line, sound books and a free pool', async () => {
    const { metrics } = app.context
    expect(await valueOf(metrics, 'parley_books_drift_credits')).toBe(0)
    expect(await valueOf(metrics, 'parley_holds_expired_count')).toBe(0)
    expect(await valueOf(metrics, 'parley_calls_count', '{state="waiting"}')).toBe(0)
    expect(await valueOf(metrics, 'parley_database_pool_connections', '{state="waiting"}')).toBe(0)
    expect(await valueOf(metrics, 'parley_figures_failed_total')).toBeUndefined()
  })

  test('show jobs that are due and how long the oldest has waited', async () => {
    const { db, metrics } = app.context
    await db.execute(sql`insert into jobs.queue
      select (jsonb_populate_record(queue, '{"name": "late"}')).* from jobs.queue where name = 'calls.dial'`)
    await db.execute(sql`insert into jobs.job (name, data, state, start_after)
      values ('late', '{}', 'created', now() - interval '90 seconds'), ('late', '{}', 'failed', now())`)
    await expect.poll(() => valueOf(metrics, 'parley_jobs_waiting', '{job="late"}'), PATIENTLY).toBe(1)
    expect(await valueOf(metrics, 'parley_jobs_failed', '{job="late"}')).toBe(1)
    expect(await valueOf(metrics, 'parley_jobs_oldest_seconds', '{job="late"}')).toBeGreaterThanOrEqual(89)
  })
})
