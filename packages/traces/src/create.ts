import type { TraceOptions } from './settings.ts'
import { NO_TRACES, type Traces } from './traces.ts'

/** Without settings nothing of OpenTelemetry is even loaded. */
export async function createTraces(settings: TraceOptions | undefined): Promise<Traces> {
  if (!settings) return NO_TRACES
  const { exportedTraces } = await import('./exported.ts')
  return exportedTraces(settings)
}
