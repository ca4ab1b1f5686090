import { describe, expect, it } from 'vitest'
import type { Clock } from '../audio/clock.ts'
import { FRAME_BYTES, FRAME_MS, type Frame } from '../audio/frame.ts'
import type { Carrier, EndCause, Leg, LegEvent } from '../carrier.ts'

/** A carrier with a far end that a test can rely on. */
export interface CarrierUnderTest {
  readonly carrier: Carrier
  readonly clock: Clock
  /** Advances call time. */
  advance(ms: number): Promise<void>
  /** answers: within 10 s, then stays connected for 10 s. noAnswer: rings without end. */
  readonly numbers: { readonly answers: string; readonly busy: string; readonly noAnswer: string }
  /** How late an event may come: 0 on a virtual clock, the machine's own delays on a real one. */
  readonly toleranceMs: number
}

type Make = () => CarrierUnderTest | Promise<CarrierUnderTest>

interface Seen {
  readonly event: LegEvent
  readonly atMs: number
}

const ANSWER_MS = 10_000
const voiced: Frame = { audio: Uint8Array.from({ length: FRAME_BYTES }, (_, i) => (i % 8 < 4 ? 0x9f : 0x1f)) }

function demand(holds: boolean, complaint: string): void {
  if (!holds) throw new Error(complaint)
}

/** One leg, and all its events. */
class Call {
  readonly seen: Seen[] = []
  readonly leg: Leg
  readonly under: CarrierUnderTest

  constructor(under: CarrierUnderTest, to: string, answerTimeoutMs = 30_000) {
    this.under = under
    let returned = false
    const note = (event: LegEvent) => {
      demand(returned, `${event.type} came before dial() had returned`)
      this.seen.push({ event, atMs: under.clock.nowMs() })
    }
    this.leg = under.carrier.dial(
      { callId: 'call', to, userId: 'user', language: 'en', answerTimeoutMs },
      under.clock,
      note,
    )
    returned = true
  }

  all<T extends LegEvent['type']>(type: T): { event: Extract<LegEvent, { type: T }>; atMs: number }[] {
    return this.seen.filter(
      (one): one is { event: Extract<LegEvent, { type: T }>; atMs: number } => one.event.type === type,
    )
  }

  async until(type: LegEvent['type'], withinMs: number): Promise<void> {
    for (let waitedMs = 0; waitedMs < withinMs && this.all(type).length === 0; waitedMs += FRAME_MS)
      await this.under.advance(FRAME_MS)
    demand(this.all(type).length > 0, `${type} did not come within ${withinMs} ms`)
  }

  endedOnce(cause: EndCause): number {
    const ends = this.all('ended')
    demand(ends.length === 1, `ended came ${ends.length} times`)
    demand(this.seen.at(-1)?.event.type === 'ended', `${this.seen.at(-1)?.event.type} came after ended`)
    demand(ends[0]?.event.cause === cause, `ended as ${ends[0]?.event.cause}, not as ${cause}`)
    return ends[0]?.event.connectedMs ?? 0
  }
}

async function answered(make: Make): Promise<Call> {
  const under = await make()
  const call = new Call(under, under.numbers.answers)
  await call.until('answered', ANSWER_MS)
  return call
}

/** Sends at the pace of the clock, as a session does where playout is ours, with a mark behind the last frame. */
async function sendPaced(call: Call, frames: number, mark: string): Promise<void> {
  for (let sent = 1; sent <= frames; sent++) {
    call.leg.send(voiced)
    if (sent === frames) call.leg.mark(mark)
    await call.under.advance(FRAME_MS)
  }
}

/** Each check throws the violation that it finds. */
export const carrierChecks = {
  async 'dial() returns before the first event, and ringing precedes answered'(make: Make) {
    const call = await answered(make)
    const types = call.seen.map(({ event }) => event.type)
    demand(
      types.indexOf('ringing') >= 0 && types.indexOf('ringing') < types.indexOf('answered'),
      'it was answered without ringing',
    )
    demand(call.all('answered').length === 1, 'it was answered twice')
  },

  async 'after the answer a frame of 160 bytes comes every 20 ms'(make: Make) {
    const call = await answered(make)
    const { toleranceMs } = call.under
    const startMs = call.under.clock.nowMs()
    await call.under.advance(2000)
    const frames = call.all('frame').filter(({ atMs }) => atMs > startMs)
    demand(Math.abs(frames.length - 100) <= 1 + toleranceMs / FRAME_MS, `${frames.length} frames came in 2 s`)
    demand(
      frames.every(({ event }) => event.frame.audio.length === FRAME_BYTES),
      'a frame was not 160 bytes long',
    )
    const firstMs = frames[0]?.atMs ?? 0
    frames.forEach(({ atMs }, at) => {
      const lateMs = atMs - firstMs - at * FRAME_MS
      demand(Math.abs(lateMs) <= toleranceMs, `frame ${at} came ${lateMs.toFixed(1)} ms from its time`)
    })
    const text = call.under.carrier.capabilities.text
    demand(text || frames.every(({ event }) => event.frame.text === undefined), 'text came without the capability')
  },

  async 'marks come in order, each after the audio sent before it was played'(make: Make) {
    const call = await answered(make)
    const startMs = call.under.clock.nowMs()
    await sendPaced(call, 10, 'first')
    await sendPaced(call, 5, 'second')
    await call.under.advance(1000)
    const marks = call.all('mark')
    demand(
      marks.map(({ event }) => event.name).join(' ') === 'first second',
      `marks came as: ${marks.map(({ event }) => event.name).join(' ')}`,
    )
    for (const [at, frames] of [10, 15].entries()) {
      const tookMs = (marks[at]?.atMs ?? 0) - startMs
      demand(
        tookMs >= frames * FRAME_MS - call.under.toleranceMs,
        `a mark behind ${frames * FRAME_MS} ms of audio came after ${tookMs} ms`,
      )
    }
  },

  async 'clear() drops pending marks and no later ones'(make: Make) {
    const call = await answered(make)
    for (let sent = 0; sent < 50; sent++) call.leg.send(voiced)
    call.leg.mark('dropped')
    call.leg.clear()
    await sendPaced(call, 2, 'kept')
    await call.under.advance(2000)
    demand(
      call
        .all('mark')
        .map(({ event }) => event.name)
        .join(' ') === 'kept',
      'a cleared mark came, or a later one did not',
    )
  },

  async 'hangUp() ends the leg once with the connected time'(make: Make) {
    const call = await answered(make)
    await call.under.advance(3000)
    const connectedMs = call.under.clock.nowMs() - (call.all('answered')[0]?.atMs ?? 0)
    call.leg.hangUp()
    call.leg.hangUp()
    await call.under.advance(1000)
    const countedMs = call.endedOnce('local')
    demand(
      Math.abs(countedMs - connectedMs) <= 1 + call.under.toleranceMs * 4,
      `${connectedMs} ms were counted as ${countedMs}`,
    )
  },

  async 'methods do nothing after the end of the leg'(make: Make) {
    const call = await answered(make)
    call.leg.hangUp()
    await call.under.advance(1000)
    call.leg.send(voiced)
    call.leg.mark('late')
    call.leg.sendDigits('1')
    call.leg.clear()
    call.leg.hangUp()
    await call.under.advance(1000)
    call.endedOnce('local')
  },

  async 'methods are safe before the answer, and hangUp() cancels'(make: Make) {
    const under = await make()
    const call = new Call(under, under.numbers.noAnswer)
    call.leg.send(voiced)
    call.leg.mark('early')
    call.leg.sendDigits('1')
    call.leg.clear()
    await call.until('ringing', ANSWER_MS)
    call.leg.hangUp()
    call.leg.hangUp()
    await under.advance(2000)
    demand(call.endedOnce('canceled') === 0, 'time was counted without an answer')
    demand(call.all('mark').length === 0, 'a mark came without an answer')
  },

  async 'a busy and an unanswered leg end as such with 0 ms connected'(make: Make) {
    const under = await make()
    const busy = new Call(under, under.numbers.busy)
    await busy.until('ended', ANSWER_MS)
    demand(busy.endedOnce('busy') === 0, 'a busy leg was counted as connected')
    const alone = new Call(under, under.numbers.noAnswer, 3000)
    await alone.until('ended', ANSWER_MS)
    demand(alone.endedOnce('no_answer') === 0, 'ringing was counted as connected')
  },

  async 'close() ends each leg once'(make: Make) {
    const call = await answered(make)
    await call.under.carrier.close()
    await call.under.advance(1000)
    call.endedOnce('dropped')
  },
}

export type CarrierCheck = keyof typeof carrierChecks

/** Registers the checks in the adapter's test file. */
export function carrierConforms(name: string, make: Make): void {
  describe(`${name}: carrier port`, () => {
    it.each(Object.entries(carrierChecks))('%s', async (_, check) => {
      await expect(check(make)).resolves.toBeUndefined()
    })
  })
}
