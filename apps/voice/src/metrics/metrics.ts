import type { FactBody, Stage } from '@parley/contract'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

type Ending = Extract<FactBody, { readonly type: 'ended' }>['reason']

/** What is known of the process only when somebody asks. */
export interface VoiceState {
  readonly calls: number
  readonly capacity: number
  readonly isDraining: boolean
  /** Spans that could not be exported. */
  readonly spansLost: number
  /** By carrier: of the calls of the last 10 minutes. */
  readonly carriers: Readonly<
    Record<string, { readonly attempts: number; readonly failures: number; readonly isPassedOver: boolean }>
  >
}

const SECONDS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10]

/** Figures of one voice service, a few for each turn and none for each frame. No label names a call or a number. */
export class VoiceMetrics {
  readonly #registry = new Registry()
  readonly #stages: Histogram
  readonly #ended: Counter
  #state: () => VoiceState = () => ({ calls: 0, capacity: 0, isDraining: false, spansLost: 0, carriers: {} })

  constructor() {
    const registers = [this.#registry]
    collectDefaultMetrics({ register: this.#registry, prefix: 'parley_voice_' })
    this.#stages = new Histogram({
      name: 'parley_voice_stage_seconds',
      help: 'Delay of each stage of a reply, in call time',
      labelNames: ['stage'],
      buckets: SECONDS,
      registers,
    })
    this.#ended = new Counter({
      name: 'parley_voice_calls_ended_total',
      help: 'Calls that have ended, by reason',
      labelNames: ['reason'],
      registers,
    })
    this.#addState()
  }

  /** Where to ask for the state, once there is one. */
  watch(state: () => VoiceState): void {
    this.#state = state
  }

  took(stage: Stage, delayMs: number): void {
    this.#stages.observe({ stage }, delayMs / 1000)
  }

  ended(reason: Ending): void {
    this.#ended.inc({ reason })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  /** Prometheus's text format. */
  text(): Promise<string> {
    return this.#registry.metrics()
  }

  #addState(): void {
    this.#gauge('parley_voice_legs_count', 'Calls that this service holds', ({ calls }) => calls)
    this.#gauge('parley_voice_capacity_count', 'Calls that it takes at once', ({ capacity }) => capacity)
    this.#gauge('parley_voice_draining', '1: it takes no more calls and ends', ({ isDraining }) => Number(isDraining))
    this.#gauge('parley_voice_spans_lost_count', 'Spans that could not be exported', ({ spansLost }) => spansLost)
    const ofCarrier = 'of a carrier in the last 10 minutes'
    this.#gaugeOfCarriers('parley_voice_carrier_attempts_count', `Calls ${ofCarrier}`, ({ attempts }) => attempts)
    this.#gaugeOfCarriers('parley_voice_carrier_failures_count', `Failures ${ofCarrier}`, ({ failures }) => failures)
    this.#gaugeOfCarriers(
      'parley_voice_carrier_passed_over',
      '1: the last calls of the carrier failed in a row, and none has gone through since',
      (carrier) => Number(carrier.isPassedOver),
    )
  }

  #gauge(name: string, help: string, value: (state: VoiceState) => number): void {
    const read = () => value(this.#state())
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect: () => gauge.set(read()),
    })
  }

  #gaugeOfCarriers(name: string, help: string, value: (carrier: VoiceState['carriers'][string]) => number): void {
    const read = () => Object.entries(this.#state().carriers)
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ['carrier'],
      registers: [this.#registry],
      collect() {
        for (const [carrier, figures] of read()) gauge.set({ carrier }, value(figures))
      },
    })
  }
}
