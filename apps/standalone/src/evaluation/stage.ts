import type { Fact } from '@parley/contract'
import { createScriptedEar, createScriptedMouth, createSimulatedCarrier } from '@parley/sandbox'
import { createLog } from '@parley/voice/adapters'
import {
  type Ear,
  frameTicker,
  type Mind,
  type MindEvent,
  systemClock,
  type VirtualClock,
  virtualClock,
  voiceOf,
} from '@parley/voice-ports'
import { orderTo } from '../rehearsal/orders.ts'
import { Recorder } from '../rehearsal/recorder.ts'
import { rehearse, type Rehearsal } from '../rehearsal/rehearse.ts'

/** A call to a persona, with all that a score needs. */
export interface Staged extends Rehearsal {
  readonly number: string
  readonly facts: readonly Fact[]
  readonly speech: Recorder['speech']
}

const STEP_MS = 20

/** A call on a virtual clock, which stands still while the mind thinks: real sockets need real time. */
export async function stage(makeMind: (clock: VirtualClock) => Mind | Promise<Mind>, number: string): Promise<Staged> {
  const clock = virtualClock()
  const { mind, isBusy } = counted(await makeMind(clock))
  const done = callTo(number, mind, clock)
  let isOver = false
  const over = done.finally(() => (isOver = true)).catch(() => undefined)
  while (!isOver) {
    await clock.advance(STEP_MS)
    while (isBusy()) await new Promise((resolve) => setImmediate(resolve))
  }
  await over
  return done
}

/** The same in real time, for the models of vendors. */
export const stageLive = (mind: Mind, number: string, ears: readonly Ear[]): Promise<Staged> =>
  callTo(number, mind, systemClock(), ears)

async function callTo(
  number: string,
  mind: Mind,
  clock: VirtualClock | ReturnType<typeof systemClock>,
  ears: readonly Ear[] = [],
): Promise<Staged> {
  const mouth = createScriptedMouth()
  const recorder = new Recorder(clock)
  const carrier = recorder.record(createSimulatedCarrier({ speak: voiceOf(mouth), rng: () => 0.5 }))
  const own = { ears: [...ears, createScriptedEar()], mouth, mind, log: createLog('silent') }
  const facts: Fact[] = []
  try {
    const parts = { ...own, carrier, clock, ticker: frameTicker(clock) }
    const rehearsal = await rehearse(parts, orderTo(number), (fact) => facts.push(fact))
    return { ...rehearsal, number, facts, speech: recorder.speech }
  } finally {
    await carrier.close()
  }
}

/** Tells while a mind is being asked. */
function counted(mind: Mind): { readonly mind: Mind; readonly isBusy: () => boolean } {
  let asked = 0
  async function* held<T>(events: AsyncIterable<T>): AsyncGenerator<T> {
    asked++
    try {
      yield* events
    } finally {
      asked--
    }
  }
  const watched: Mind = {
    ...mind,
    respond: (question, signal): AsyncIterable<MindEvent> => held(mind.respond(question, signal)),
    ...(mind.observe && { observe: (question, signal) => held(mind.observe?.(question, signal) ?? none()) }),
    conclude: (ended, signal) => (asked++, mind.conclude(ended, signal).finally(() => asked--)),
  }
  return { mind: watched, isBusy: () => asked > 0 }
}

async function* none(): AsyncGenerator<never> {
  // An observer that is not there finds nothing.
}
