import type { CallOrder, Fact, FactBody, Turn } from '@parley/contract'
import { CallSession, type Context } from '@parley/voice/adapters'

export type RehearsalParts = Pick<Context, 'carrier' | 'ears' | 'mouth' | 'mind' | 'clock' | 'ticker' | 'log'>

export interface Rehearsal {
  readonly order: CallOrder
  /** In their final state. */
  readonly turns: readonly Turn[]
  readonly ended: Extract<Fact, { type: 'ended' }>
  readonly wrappedUp: Extract<Fact, { type: 'wrapped_up' }>
}

/** One call of the voice service without the api: its facts are kept here. */
export async function rehearse(
  parts: RehearsalParts,
  order: CallOrder,
  onFact: (fact: Fact) => void = () => undefined,
): Promise<Rehearsal> {
  const startedMs = parts.clock.nowMs()
  const turns = new Map<number, Turn>()
  const last: { ended?: Rehearsal['ended']; wrappedUp?: Rehearsal['wrappedUp'] } = {}
  let seq = 0

  function add(body: FactBody): void {
    const fact: Fact = {
      ...body,
      seq: ++seq,
      at: new Date().toISOString(),
      callMs: Math.round(parts.clock.nowMs() - startedMs),
    }
    if (fact.type === 'turn') turns.set(fact.turn.index, fact.turn)
    if (fact.type === 'ended') last.ended = fact
    if (fact.type === 'wrapped_up') last.wrappedUp = fact
    onFact(fact)
  }

  const session = new CallSession(order, { ...parts, report: { add, flushed: () => Promise.resolve() } })
  await session.reported
  const { ended, wrappedUp } = last
  if (!ended || !wrappedUp) throw new Error('The call was not reported to its end.')
  return { order, turns: [...turns.values()], ended, wrappedUp }
}
