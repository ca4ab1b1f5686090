import type { Logger } from 'pino'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

interface Sample {
  readonly value: number
  readonly labels?: Readonly<Record<string, string>>
}

/** A figure that is read when the metrics are. No label names a call, an account or a phone number. */
interface Figure {
  /** Begins with `parley_` and ends with its unit. */
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
  /** How long a reading is good for, however many ask; 5 s without it. */
  readonly freshMs?: number
  read(): Promise<readonly Sample[]> | readonly Sample[]
}

export interface Metrics {
  figure(figure: Figure): void
  /** An answered request; `route` is its pattern, never its address. */
  answered(request: {
    readonly method: string
    readonly route: string
    readonly status: number
    readonly ms: number
  }): void
  /** Prometheus's text format. */
  text(): Promise<string>
  readonly contentType: string
}

const FRESH_MS = 5000
const READ_DEADLINE_MS = 3000
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics(log: Logger): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'parley_api_' })
  const failed = new Counter({
    name: 'parley_figures_failed_total',
    help: 'Figures that could not be read in time',
    labelNames: ['figure'],
    registers: [registry],
  })
  const requests = new Histogram({
    name: 'parley_http_request_seconds',
    help: 'Time until a request was answered',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  })

  return {
    figure(figure) {
      const { name, help, labels = [] } = figure
      const read = kept(figure)
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers: [registry],
        async collect() {
          gauge.reset()
          try {
            for (const { value, labels: of } of await read()) gauge.set({ ...of }, value)
          } catch (error) {
            // An old figure would look like a current one.
            gauge.reset()
            failed.inc({ figure: name })
            log.warn({ err: error, figure: name }, 'a figure was not read')
          }
        },
      })
    },
    answered({ method, route, status, ms }) {
      requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, ms / 1000)
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

/** Waits 3 s for a reading. */
function kept(figure: Figure): () => Promise<readonly Sample[]> {
  const { name, freshMs = FRESH_MS } = figure
  let last: { readonly samples: Promise<readonly Sample[]>; readonly untilMs: number } | undefined
  return () => {
    const nowMs = performance.now()
    if (last && nowMs < last.untilMs) return last.samples
    const { promise, resolve, reject } = Promise.withResolvers<readonly Sample[]>()
    const timer = setTimeout(() => reject(new Error(`${name} was not read in time`)), READ_DEADLINE_MS)
    timer.unref()
    Promise.resolve(figure.read())
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
    last = { samples: promise, untilMs: nowMs + freshMs }
    return promise
  }
}
