import { callsRoutes } from '@parley/contract'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Metrics } from './platform/metrics/metrics.ts'
import { createTestApp, PATIENTLY, type TestApp } from './testing.ts'

/** Value of a line without labels, or with just these. */
async function valueOf(metrics: Metrics, name: string, labels = ''): Promise<number | undefined> {
  const lines = (await metrics.text()).split('\n')
  const line = lines.find((each) => each.startsWith(`${name}${labels} `))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

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
