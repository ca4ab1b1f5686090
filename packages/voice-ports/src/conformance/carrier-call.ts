import type { Clock } from '../audio/clock.ts'
import { FRAME_BYTES, FRAME_MS, type Frame } from '../audio/frame.ts'
import type { Carrier, CarrierStanding, DialOptions, EndCause, Leg, LegEnd, LegEvent } from '../carrier.ts'

/** A carrier with a far end that a test can rely on. */
export interface CarrierUnderTest {
  readonly carrier: Carrier
  readonly clock: Clock
  /** Advances call time. */
  advance(ms: number): Promise<void>
  /** answers: within 10 s, then stays connected for 10 s. noAnswer: rings without end. */
  readonly numbers: { readonly answers: string; readonly busy: string; readonly noAnswer: string }
  /** Digits as the callee heard them; needed with the capability. */
  readonly digitsHeard?: () => readonly { readonly digit: string; readonly atMs: number }[]
  /** How late an event may come: 0 on a virtual clock, the machine's own delays on a real one. */
  readonly toleranceMs: number
}

export type Make = () => CarrierUnderTest | Promise<CarrierUnderTest>

interface Seen {
  readonly event: LegEvent
  readonly atMs: number
}

export const ANSWER_MS = 10_000
/** From the end of a leg to its `ended`, for a carrier that does not lose it. */
export const BILLED_MS = 1000
export const voiced: Frame = { audio: Uint8Array.from({ length: FRAME_BYTES }, (_, i) => (i % 8 < 4 ? 0x9f : 0x1f)) }

export function demand(holds: boolean, complaint: string): void {
  if (!holds) throw new Error(complaint)
}

/** One leg, and all its events. */
export class Call {
  readonly seen: Seen[] = []
  readonly leg: Leg
  readonly under: CarrierUnderTest

  constructor(under: CarrierUnderTest, to: string, options: Partial<DialOptions> = {}) {
    this.under = under
    let returned = false
    const note = (event: LegEvent) => {
      demand(returned, `${event.type} came before dial() had returned`)
      this.seen.push({ event, atMs: under.clock.nowMs() })
    }
    this.leg = under.carrier.dial(
      {
        callId: 'call',
        to,
        from: null,
        userId: 'user',
        language: 'en',
        answerTimeoutMs: 30_000,
        limitMs: 600_000,
        detectMachine: false,
        webhookBase: null,
        ...options,
      },
      under.clock,
      note,
    )
    returned = true
  }

  get types(): LegEvent['type'][] {
    return this.seen.map(({ event }) => event.type)
  }

  get carrierCallId(): string {
    const [placed] = this.all('placed')
    demand(placed !== undefined, 'the leg was never placed')
    return placed?.event.carrierCallId ?? ''
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

  async hangUp(): Promise<void> {
    this.leg.hangUp()
    await this.under.advance(BILLED_MS)
  }

  ask(carrierCallId: string): Promise<CarrierStanding | null> {
    return this.under.carrier.ask(carrierCallId, new AbortController().signal)
  }

  /** The leg's end as it came; without `ended`, as the carrier tells it. */
  async end(cause: EndCause): Promise<LegEnd> {
    const ends = this.all('ended')
    demand(ends.length <= 1, `ended came ${ends.length} times`)
    demand(this.all('hung_up').length <= 1, 'hung_up came twice')
    const [end] = ends
    if (end) {
      demand(this.types.at(-1) === 'ended', `${this.types.at(-1)} came after ended`)
      demand(end.event.cause === cause, `ended as ${end.event.cause}, not as ${cause}`)
      return end.event
    }
    demand(this.all('hung_up').length === 1, 'ended came 0 times, and hung_up neither')
    const standing = await this.ask(this.carrierCallId)
    if (standing?.state !== 'ended') throw new Error('ended was lost, and ask() does not tell the duration')
    demand(standing.cause === cause, `ended as ${standing.cause}, not as ${cause}`)
    return standing
  }
}

export async function answered(make: Make, options?: Partial<DialOptions>): Promise<Call> {
  const under = await make()
  const call = new Call(under, under.numbers.answers, options)
  await call.until('answered', ANSWER_MS)
  return call
}

/** Sends at the pace of the clock, as a session does where playout is ours, with a mark behind the last frame. */
export async function sendPaced(call: Call, frames: number, mark: string): Promise<void> {
  for (let sent = 1; sent <= frames; sent++) {
    call.leg.send(voiced)
    if (sent === frames) call.leg.mark(mark)
    await call.under.advance(FRAME_MS)
  }
}
