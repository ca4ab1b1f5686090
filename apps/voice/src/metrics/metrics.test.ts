import { describe, expect, it } from 'vitest'
import { metricsListener } from './listener.ts'
import { VoiceMetrics } from './metrics.ts'

describe('VoiceMetrics', () => {
  it('tells the delay of stages, the ends of calls and the state as it is when asked', async () => {
    const metrics = new VoiceMetrics()
    const carriers = { twilio: { attempts: 9, failures: 2, isPassedOver: true } }
    let calls = 0
    metrics.watch(() => ({ calls, capacity: 200, isDraining: false, spansLost: 3, carriers }))
    metrics.took('first_frame', 620)
    metrics.ended('agent_closed')
    calls = 3
    const text = await metrics.text()
    for (const line of [
      'parley_voice_stage_seconds_bucket{le="0.5",stage="first_frame"} 0',
      'parley_voice_stage_seconds_bucket{le="0.75",stage="first_frame"} 1',
      'parley_voice_calls_ended_total{reason="agent_closed"} 1',
      'parley_voice_legs_count 3',
      'parley_voice_capacity_count 200',
      'parley_voice_draining 0',
      'parley_voice_spans_lost_count 3',
      'parley_voice_carrier_failures_count{carrier="twilio"} 2',
      'parley_voice_carrier_passed_over{carrier="twilio"} 1',
    ])
      expect(text).toContain(`${line}\n`)
  })
})

describe('metricsListener', () => {
  it('answers GET /metrics and nothing else', async () => {
    const server = metricsListener(new VoiceMetrics())
    const [metrics, other] = await Promise.all([server.inject('/metrics'), server.inject('/')])
    expect([metrics.statusCode, other.statusCode]).toEqual([200, 404])
    expect(metrics.headers['content-type']).toContain('text/plain')
    expect(metrics.body).toContain('parley_voice_nodejs_eventloop_lag_p99_seconds')
    await server.close()
  })
})
