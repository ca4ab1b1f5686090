import { type Clock, type DialOptions, type Leg, type LegEnd, type LegEvent, systemClock } from '@parley/voice-ports'
import { SipCarrier } from '../index.ts'
import type { OpenMedia } from '../media-port.ts'
import type { TrunkFile } from '../trunks.ts'

/** One call of a real carrier to a far end in another process. */
export class Dialed {
  readonly carrier: SipCarrier
  readonly clock: Clock
  readonly events: LegEvent[] = []
  readonly leg: Leg
  readonly #waiting = new Set<() => void>()

  private constructor(carrier: SipCarrier, clock: Clock, dial: Partial<DialOptions>) {
    this.carrier = carrier
    this.clock = clock
    const options: DialOptions = {
      callId: 'call',
      to: '+12025550100',
      from: '+12025550199',
      userId: 'user',
      language: 'en',
      answerTimeoutMs: 30_000,
      limitMs: 600_000,
      detectMachine: false,
      webhookBase: null,
      ...dial,
    }
    this.leg = carrier.dial(options, clock, (event) => {
      this.events.push(event)
      for (const wake of this.#waiting) wake()
    })
  }

  static async to(
    file: TrunkFile,
    openMedia: OpenMedia,
    dial: Partial<DialOptions> = {},
    clock: Clock = systemClock(),
    recordsDir?: string,
  ): Promise<Dialed> {
    const records = recordsDir === undefined ? {} : { recordsDir }
    return new Dialed(await SipCarrier.open({ file, clock, openMedia, ...records }), clock, dial)
  }

  get types(): string[] {
    const told = this.events.filter(({ type }) => type !== 'frame')
    return told.map((event) => (event.type === 'media' ? `media ${event.state}` : event.type))
  }

  /** The test's own time limit bounds it. */
  async until(isMet: () => boolean): Promise<void> {
    while (!isMet())
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake)
          resolve()
        }
        this.#waiting.add(wake)
      })
  }

  has(type: LegEvent['type']): boolean {
    return this.events.some((event) => event.type === type)
  }

  async ended(): Promise<LegEnd> {
    await this.until(() => this.has('ended'))
    const end = this.events.findLast((event) => event.type === 'ended')
    if (end?.type !== 'ended') throw new Error('no end')
    return end
  }
}
