import { availableParallelism } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import type { FactBody } from '@parley/contract'
import { type Carrier, type Ear, levelDbm0, type Mind } from '@parley/voice-ports'
import { createTwilioCarrier } from '../../apps/voice/src/carriers/twilio/index.ts'
import { CallSession } from '../../apps/voice/src/session/call/session.ts'
import { ANSWER, benchAdapters, benchOrder } from '../voice/adapters.ts'
import { ask, type Round, start, type TwilioAccessAt } from './children.ts'
import { mount, openFront } from './front.ts'
import { Lateness } from './meter.ts'

// Whole sessions over Twilio's sockets, call after call: what is left of them, and whether they keep their time.

/** What a process may hold more after any number of calls; the carrier remembers the last 500. */
const HELD_MAX_MB = 24
const RAMP_MS = 20
const WARM_UP_CALLS = 10
const ECHOES_MAX = 20
const OVER_WITHIN_MS = 90_000
const QUIET_WITHIN_MS = 30_000
/** The far end prices a call 50 ms after its end. */
const PRICED_AFTER_MS = 1000
const LOUD_DBM0 = -40

/** Every pause of a callee who was loud ends a sentence. */
const loudnessEar: Ear = {
  name: 'loudness',
  settlesWithinMs: 20,
  turns: false,
  listen(_, clock, onEvent) {
    let isLoud = false
    onEvent({ type: 'ready' })
    return {
      push({ audio }) {
        isLoud ||= levelDbm0(audio) > LOUD_DBM0
      },
      finalize() {
        if (isLoud)
          onEvent({ type: 'words', text: 'Seven in the evening is fine for us.', final: true, atMs: clock.nowMs() })
        isLoud = false
        onEvent({ type: 'settled' })
      },
      setLanguage: () => undefined,
      close: () => undefined,
    }
  },
}

const steadyMind: Mind = {
  name: 'steady',
  async *respond() {
    yield { type: 'say', text: ANSWER }
    yield { type: 'memory', memory: null }
  },
  conclude: ({ order }) =>
    Promise.resolve({
      outcomes: order.objectives.map((objective) => ({ objective, status: 'met', quote: null, turn: null })),
      summary: {
        type: 'success',
        title: 'Done',
        description: 'All of it.',
        insights: [],
        nextSteps: [],
        actionRequired: false,
        actionText: null,
      },
    }),
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function heldMb(): number {
  gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}

const activeOf = (kind: string) => process.getActiveResourcesInfo().filter((each) => each === kind).length
const active = () => ({ timers: activeOf('Timeout'), sockets: activeOf('TCPSocketWrap') })

/** Calls that are under way, and what was wrong with those that are over. */
class Calls {
  readonly lateness = new Lateness()
  readonly wrong: string[] = []
  readonly #carrier: Carrier
  readonly #adapters = { ...benchAdapters(), ears: [loudnessEar], mind: steadyMind }
  readonly #live = new Set<CallSession>()
  begun = 0
  seconds = 0
  /** What the ledger would charge: each started minute. */
  credits = 0
  turns = 0
  #legs = 0

  constructor(carrier: Carrier) {
    this.#carrier = carrier
  }

  get live(): number {
    return this.#live.size
  }

  /** Legs whose carrier has not told their end. */
  get legs(): number {
    return this.#legs
  }

  async call(): Promise<void> {
    const index = this.begun++
    const ends: { readonly reason: string; readonly connectedSeconds: number }[] = []
    let legEnds = 0
    const add = (fact: FactBody) => {
      if (fact.type === 'ended') ends.push(fact)
      if (fact.type === 'turn') this.turns++
    }
    const session = new CallSession(benchOrder(index), {
      ...this.#adapters,
      carrier: this.#watched(() => legEnds++),
      report: { add, flushed: () => Promise.resolve() },
    })
    this.#live.add(session)
    await session.reported
    this.#live.delete(session)
    const [end] = ends
    this.seconds += end?.connectedSeconds ?? 0
    this.credits += Math.ceil((end?.connectedSeconds ?? 0) / 60)
    if (ends.length !== 1 || legEnds !== 1 || !end || !(end.connectedSeconds > 0))
      this.wrong.push(`call ${index} ended ${ends.length} times, its leg ${legEnds} times: ${JSON.stringify(ends)}`)
  }

  stop(): void {
    for (const session of this.#live) session.stop('stopped')
  }

  #watched(onEnded: () => void): Carrier {
    const carrier = this.#carrier
    const came = this.lateness.stream()
    return {
      name: carrier.name,
      dial: (options, clock, onEvent) => {
        this.#legs++
        return carrier.dial(options, clock, (event) => {
          if (event.type === 'frame') came(performance.now(), event.mediaMs)
          if (event.type === 'ended') this.#legs--
          if (event.type === 'ended') onEnded()
          onEvent(event)
        })
      },
      ask: (...args) => carrier.ask(...args),
      hangUp: (...args) => carrier.hangUp(...args),
      close: () => Promise.resolve(),
    }
  }
}

async function within(ms: number, isTrue: () => boolean): Promise<boolean> {
  for (const endMs = performance.now() + ms; !isTrue(); await wait(50)) if (performance.now() > endMs) return false
  return true
}

/** This many at once, each followed by the next, until the time is over; then all are hung up. */
async function hold(calls: Calls, together: number, forMs: number): Promise<void> {
  const endMs = performance.now() + forMs
  const line = async () => {
    while (performance.now() < endMs) await calls.call()
  }
  const lines: Promise<void>[] = []
  for (let at = 0; at < together; at++) {
    lines.push(line())
    await wait(RAMP_MS)
  }
  for (let leftMs = forMs; leftMs > 0; leftMs = endMs - performance.now()) {
    await wait(Math.min(60_000, leftMs))
    console.log(`${calls.begun} calls begun, ${calls.live} live, ${heldMb().toFixed(1)} MB held`)
  }
  calls.stop()
  if (await within(OVER_WITHIN_MS, () => calls.live === 0)) await Promise.all(lines)
  else calls.wrong.push(`${calls.live} calls were not over ${OVER_WITHIN_MS / 1000} s after they were hung up`)
}

const percent = (share: number) => `${(share * 100).toFixed(3)} %`

interface Options {
  readonly together: number
  readonly forMs: number
  /** Until the callee hangs up; empty: 20 to 60 s. */
  readonly callMs: string
  /** Share of frames more than 20 ms past due, beyond those of the bare echo. */
  readonly lateMax: number
}

/** What the calls take of this process, from now on: the machine may be too small for them, and then frames are late. */
function watchLoad(): () => string {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const [cpu, sinceMs] = [process.cpuUsage(), performance.now()]
  delay.enable()
  return () => {
    delay.disable()
    const { user, system } = process.cpuUsage(cpu)
    const share = (user + system) / 1000 / (performance.now() - sinceMs)
    return `${percent(share)} of a core, event loop late by ${(delay.percentile(99) / 1e6).toFixed(1)} ms (p99)`
  }
}

/** Sentences about what was wrong. */
async function run({ together, forMs, callMs, lateMax }: Options): Promise<readonly string[]> {
  const far = start('far', callMs)
  const echo = start('core', 'sockets')
  const access = await ask<TwilioAccessAt>(far, { type: 'twilio', talks: true })
  const { url: apiBase, accountSid, authToken, number: fromNumber } = access
  const carrier = createTwilioCarrier({ accountSid, authToken, apiKey: null, fromNumber, apiBase })
  const front = await openFront({ cameMs: 0, givenMs: Number.NaN, left: () => undefined })
  const unmount = await mount(front, carrier)
  const calls = new Calls(carrier)
  const before = active()
  await Promise.all(Array.from({ length: Math.min(WARM_UP_CALLS, together) }, () => calls.call()))
  const startMb = heldMb()
  calls.lateness.reset()
  const order = { calls: Math.min(ECHOES_MAX, together), settleMs: 0, measureMs: forMs }
  const bare = ask<Round>(echo, order)
  const loadUntil = watchLoad()
  await hold(calls, together, forMs)
  const load = loadUntil()
  const { late: echoLate } = await bare
  const { wrong, lateness } = calls
  const isQuiet = () => active().timers <= before.timers && active().sockets <= before.sockets
  const quiet = await within(QUIET_WITHIN_MS, () => front.sockets.size === 0 && isQuiet())
  await wait(PRICED_AFTER_MS)
  const minutes = await ask<number>(far, { type: 'bill' })
  const left = active()
  const endMb = heldMb()
  const late = lateness.late / lateness.frames
  console.log(
    `${calls.begun} calls, ${calls.turns} reports of turns, ${Math.round(calls.seconds)} s in our reports\n` +
      `${calls.credits} credits to charge, ${minutes} minutes on the carrier's bill\n` +
      `late by 20 ms: ${percent(late)} of ${lateness.frames} frames; of the bare echo's ${percent(echoLate)}\n` +
      `our process: ${load}, ${availableParallelism()} processors\n` +
      `held: ${startMb.toFixed(1)} MB at the start, ${endMb.toFixed(1)} MB at the end\n` +
      `left: ${calls.legs} legs, ${front.sockets.size} media sockets, ` +
      `${Math.max(0, left.timers - before.timers)} timers, ${Math.max(0, left.sockets - before.sockets)} sockets of any kind`,
  )
  if (calls.credits !== minutes) wrong.push(`The carrier bills ${minutes} minutes, the ends are ${calls.credits}.`)
  if (!quiet || calls.legs > 0) wrong.push('Something of the calls is left.')
  if (!(late - echoLate <= lateMax)) wrong.push(`More than ${percent(lateMax)} of the frames were late.`)
  if (!(endMb - startMb <= HELD_MAX_MB)) wrong.push(`More than ${HELD_MAX_MB} MB are held.`)
  if (calls.turns < together) wrong.push('The sessions have not talked.')
  await carrier.close()
  await unmount()
  await front.close()
  far.disconnect()
  echo.disconnect()
  return wrong
}

/** Returns the exit code: 1 if anything was wrong. */
export async function soak(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      calls: { type: 'string', default: '200' },
      minutes: { type: 'string', default: '30' },
      'call-seconds': { type: 'string' },
      'late-percent': { type: 'string', default: '1' },
    },
  })
  const [together, minutes] = [Number(values.calls), Number(values.minutes)]
  const seconds = values['call-seconds'] === undefined ? null : Number(values['call-seconds'])
  if (!(Number.isInteger(together) && together > 0 && minutes > 0) || (seconds !== null && !(seconds > 0)))
    throw new Error('--calls, --minutes and --call-seconds are numbers above 0.')
  const callMs = seconds === null ? '' : String(seconds * 1000)
  const lateMax = Number(values['late-percent']) / 100
  const wrong = await run({ together, forMs: minutes * 60_000, callMs, lateMax })
  for (const line of wrong.slice(0, 20)) console.log(`Wrong: ${line}`)
  return wrong.length === 0 ? 0 : 1
}
