import type { ReportedFact } from '@parley/contract'
import type { Traces } from '@parley/traces'

/** Told several times a second while somebody speaks: the voice service has a span for each turn. */
const OFTEN: ReadonlySet<string> = new Set(['turn', 'phase'])

/** A span for facts that move the call on, up to the last one. */
export function traceFacts<T>(
  traces: Traces,
  callId: string,
  facts: readonly ReportedFact[],
  work: () => Promise<T>,
): Promise<T> {
  const types = new Set(facts.flatMap(({ type }) => (OFTEN.has(type) ? [] : [type])))
  if (types.size === 0) return work()
  const attributes = { 'parley.call_id': callId, 'parley.facts': [...types] }
  return traces.run('facts', { kind: 'server', attributes }, work)
}
