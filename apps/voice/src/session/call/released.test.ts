import { setFlagsFromString } from 'node:v8'
import { setImmediate as nextJob } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import type { Carrier, Clock, LegEvent } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { anOrder, errorLog, factSink, mindThat, steadyMouth, textEar, virtualTime } from '../testing/fakes.ts'
import { FarEnd } from '../testing/far-end.ts'
import { CallSession } from './session.ts'

/** A carrier that remembers its legs, as one does that late callbacks come to. */
function remembering(far: FarEnd) {
  const kept: { readonly clock: Clock; readonly onEvent: (event: LegEvent) => void }[] = []
  const carrier: Carrier = {
    name: far.name,
    dial(options, clock, onEvent) {
      kept.push({ clock, onEvent })
      return far.dial(options, clock, onEvent)
    },
    ask: (id) => far.ask(id),
    hangUp: () => far.hangUp(),
    close: () => far.close(),
  }
  return { carrier, kept }
}

async function overCall() {
  const { clock, ticker } = virtualTime()
  const far = new FarEnd(clock)
  const { carrier, kept } = remembering(far)
  const report = factSink()
  const { log, errors } = errorLog()
  const session = new CallSession(anOrder(), {
    carrier,
    ears: [textEar],
    mouth: steadyMouth,
    mind: mindThat(() => []),
    clock,
    ticker,
    report,
    log,
  })
  await clock.advance(500)
  far.ring()
  far.answer()
  await clock.advance(2000)
  far.end('remote')
  await clock.advance(1000)
  await session.reported
  // Whatever was still to be done in time.
  await clock.advance(600_000)
  return { clock, kept, report, errors, session: new WeakRef(session) }
}

const ROUNDS_MAX = 50

describe('a carrier that keeps what it was dialed with', () => {
  it('does not keep the call itself', async () => {
    const { session, kept } = await overCall()
    setFlagsFromString('--expose-gc')
    const collect: unknown = runInNewContext('gc')
    if (typeof collect !== 'function') throw new Error('There is no collector.')
    // What a job has made or looked at lives to its end, and a collector may need more than one round.
    let isGone = false
    for (let round = 0; round < ROUNDS_MAX && !isGone; round++) {
      await nextJob()
      Reflect.apply(collect, undefined, [])
      await nextJob()
      isGone = session.deref() === undefined
    }
    expect(isGone).toBe(true)
    expect(kept).toHaveLength(1)
  })

  it('tells an ended call nothing, and its late faults end no other call', async () => {
    const { clock, kept, report, errors } = await overCall()
    const facts = report.facts.length
    const [leg] = kept
    leg?.onEvent({ type: 'ended', cause: 'remote', connectedMs: 9000, code: null, cost: null })
    leg?.clock.after(10, () => {
      throw new Error('planted')
    })
    await clock.advance(100)
    expect(report.facts).toHaveLength(facts)
    expect(errors.filter((line) => line.includes('planted'))).toHaveLength(1)
  })
})
