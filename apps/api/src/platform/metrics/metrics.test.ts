import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { listenForMetrics } from './listener.ts'
import { createMetrics, type Metrics } from './metrics.ts'

const quiet = pino({ level: 'silent' })

/** Value of a line without labels. */
async function valueOf(metrics: Metrics, name: string): Promise<number | undefined> {
  const lines = (await metrics.text()).split('\n')
  const line = lines.find((each) => each.startsWith(`${name} `))
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
