import { type DialOptions, type LegEnd, type LegEvent, type VirtualClock, virtualClock } from '@parley/voice-ports'
import { SipLeg } from '../leg.ts'
import { TrunkLink } from '../link.ts'
import { Agent } from '../signalling/agent.ts'
import { Headers, type SipRequest } from '../signalling/message.ts'
import { fakeMedia, type FakeMedia, SDP } from './fake-media.ts'
import { FakeWire, factsIn, type ResponseFields, responseTo } from './fake-wire.ts'
import { trunkFile } from './trunk.ts'

export const CONTACT = ['contact', '<sip:far@192.0.2.9:5070>'] as const
export const WITH_SDP: ResponseFields = { headers: [CONTACT], body: SDP }

/** One leg on a virtual clock; the test is the far end of its trunks. */
export class Stage {
  readonly clock: VirtualClock = virtualClock()
  readonly wire = new FakeWire(() => this.clock.nowMs())
  readonly agent = new Agent({ clock: this.clock, wire: this.wire })
  readonly events: LegEvent[] = []
  readonly links: TrunkLink[] = []
  readonly #media = fakeMedia()
  end: LegEnd | null = null
  #leg: SipLeg | null = null
  #cseq = 0

  private constructor() {}

  /** Trunks stand at 192.0.2.9, 192.0.2.10 … */
  static async open(
    trunks: readonly Readonly<Record<string, unknown>>[] = [{}],
    dial: Partial<DialOptions> = {},
  ): Promise<Stage> {
    const stage = new Stage()
    const file = trunkFile(trunks.map((trunk, at) => ({ host: `192.0.2.${9 + at}`, ...trunk })))
    for (const trunk of file.trunks) {
      const link = new TrunkLink({
        trunk,
        agent: stage.agent,
        clock: stage.clock,
        prepare: () => Promise.resolve(),
        onState: () => undefined,
      })
      await link.open()
      stage.links.push(link)
    }
    stage.#leg = stage.#dial(dial)
    await stage.clock.advance(1)
    return stage
  }

  get leg(): SipLeg {
    if (!this.#leg) throw new Error('nothing was dialed')
    return this.#leg
  }

  #dial(dial: Partial<DialOptions>): SipLeg {
    return new SipLeg({
      id: 'leg-1',
      agent: this.agent,
      openMedia: this.#media.openMedia,
      clock: this.clock,
      links: this.links,
      dial: {
        callId: 'call',
        to: '+12025550100',
        from: '+12025550199',
        userId: 'user',
        language: 'en',
        answerTimeoutMs: 45_000,
        limitMs: 600_000,
        detectMachine: false,
        webhookBase: null,
        ...dial,
      },
      onEvent: (event) => void this.events.push(event),
      onEnded: (end) => {
        this.end = end
      },
      note: () => undefined,
    })
  }

  get types(): string[] {
    return this.events.map((event) => (event.type === 'media' ? `media ${event.state}` : event.type))
  }

  get media(): FakeMedia {
    const media = this.#media.opened.at(-1)
    if (!media) throw new Error('no media were opened')
    return media
  }

  get opened(): readonly FakeMedia[] {
    return this.#media.opened
  }

  /** The newest request of this method, as it was sent. */
  sent(method: string): SipRequest {
    const { message } = this.wire.last(method)
    if (message.type !== 'request') throw new Error(`${method} is no request`)
    return message
  }

  /** Answers the newest request of this method. */
  async reply(method: string, status: number, fields: ResponseFields = {}): Promise<void> {
    const { message, target } = this.wire.last(method)
    if (message.type !== 'request') throw new Error(`${method} is no request`)
    this.agent.receive({ ...responseTo(message, status, fields), source: target })
    await this.clock.advance(0)
  }

  /** Lets time pass in a call whose far end is heard. */
  async talk(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 1000) {
      this.media.packets += 50
      await this.clock.advance(Math.min(1000, ms - passed))
    }
  }

  async answer(fields: ResponseFields = WITH_SDP): Promise<void> {
    await this.reply('INVITE', 180, { headers: [CONTACT] })
    await this.reply('INVITE', 200, fields)
  }

  /** A request of the far end within the call; its response is the last one sent. */
  async ask(
    method: string,
    fields: readonly (readonly [string, string])[] = [],
    body = '',
    { tag = 'theirs', cseq = 0 } = {},
  ): Promise<void> {
    this.#cseq++
    const invite = this.sent('INVITE')
    const headers = new Headers()
      .add('via', `SIP/2.0/UDP 192.0.2.9:5070;branch=z9hG4bKfar${this.#cseq}${method}`)
      .add('from', `<sip:far@192.0.2.9>;tag=${tag}`)
      .add('to', invite.headers.get('from') ?? '')
      .add('call-id', invite.headers.get('call-id') ?? '')
      .add('cseq', `${cseq || this.#cseq} ${method}`)
    for (const [name, value] of fields) headers.add(name, value)
    if (body !== '' && !headers.get('content-type')) headers.add('content-type', 'application/sdp')
    const message: SipRequest = { type: 'request', method, uri: 'sip:parley@192.0.2.1', headers, body }
    const { target } = this.wire.last('INVITE')
    this.agent.receive({ message, facts: factsIn(message), source: target })
    await this.clock.advance(0)
  }

  /** Status of the newest response that we sent. */
  get lastStatus(): number {
    const found = this.wire.sent.findLast(({ message }) => message.type === 'response')?.message
    return found?.type === 'response' ? found.status : 0
  }
}
