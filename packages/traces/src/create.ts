import type { TraceSettings } from './settings.ts'
import { NO_TRACES, type Traces } from './traces.ts'

export interface TracesOf extends TraceSettings {
  /** Such as `parley-api`. */
  readonly service: string
  readonly version: string
  /** Tells the processes of one service apart. */
  readonly instance: string
  /** Told of spans that could not be exported, at most once a minute. */
  readonly onLost?: (lost: number) => void
  /** How long spans are gathered for one request. */
  readonly gatherMs?: number
}

/** Without settings nothing of OpenTelemetry is even loaded. */
export async function createTraces(settings: TracesOf | undefined): Promise<Traces> {
  if (!settings) return NO_TRACES
  const { exportedTraces } = await import('./exported.ts')
  return exportedTraces(settings)
}
