import type {
  Carrier,
  CarrierCapabilities,
  CarrierStanding,
  Clock,
  DialOptions,
  EndCause,
  LegEvent,
  VirtualClock,
} from '@parley/voice-ports'
import { pino } from 'pino'
import { type Routes, routedCarrier, type RoutedCarrierOptions } from '../index.ts'

const DIAL: DialOptions = {
  callId: 'call-1',
  to: '+12024561111',
  from: null,
  userId: 'user-1',
  language: 'en',
  answerTimeoutMs: 45_000,
  limitMs: 60_000,
  detectMachine: true,
  webhookBase: null,
}

/** A carrier whose events a test gives. */
export class ScriptedCarrier implements Carrier {
  readonly name: string
  readonly dialed: DialOptions[] = []
  readonly sent: string[] = []
  readonly hungUpById: string[] = []
  readonly known = new Map<string, CarrierStanding>()
  capabilities: CarrierCapabilities = {
    playout: 'theirs',
    text: false,
    digits: true,
    transfer: false,
    machineDetection: false,
    silence: 'left_out',
  }
  isThrowing = false
  isMute = false
  closed = 0
  /** Of the last dialing. */
  emit: (event: LegEvent) => void = () => undefined

  constructor(name: string) {
    this.name = name
  }

  dial(options: DialOptions, _: Clock, onEvent: (event: LegEvent) => void) {
    if (this.isThrowing) throw new Error('The adapter is broken.')
    this.dialed.push(options)
    this.emit = onEvent
    return {
      capabilities: this.capabilities,
      send: () => void this.sent.push('frame'),
      mark: (name: string) => void this.sent.push(`mark ${name}`),
      clear: () => void this.sent.push('clear'),
      sendDigits: (digits: string) => void this.sent.push(`digits ${digits}`),
      transfer: (to: string) => void this.sent.push(`transfer ${to}`),
      hangUp: () => void this.sent.push('hang up'),
    }
  }

  place(carrierCallId = '1'): void {
    this.emit({ type: 'placed', carrierCallId })
  }

  end(cause: EndCause, code: string | null = null): void {
    this.emit({ type: 'hung_up' })
    this.emit({ type: 'ended', cause, connectedMs: 0, code, cost: null })
  }

  ask(id: string): Promise<CarrierStanding | null> {
    return this.isMute ? Promise.reject(new Error('It cannot be asked.')) : Promise.resolve(this.known.get(id) ?? null)
  }

  hangUp(id: string): Promise<void> {
    this.hungUpById.push(id)
    return Promise.resolve()
  }

  close(): Promise<void> {
    this.closed++
    return Promise.resolve()
  }
}

interface Changes extends Partial<Pick<RoutedCarrierOptions, 'limits'>> {
  readonly routes?: Partial<Routes>
}

const NO_LIMITS = { take: async () => () => undefined, close: () => Promise.resolve() }

/** Two carriers as one: `first` is preferred. */
export function stageRouted(clock: VirtualClock, { routes, limits = NO_LIMITS }: Changes = {}) {
  const [first, second] = [new ScriptedCarrier('twilio'), new ScriptedCarrier('sip')]
  const lines: string[] = []
  const routed = routedCarrier({
    carriers: [first, second],
    routes: { usual: ['twilio', 'sip'], countries: {}, ...routes },
    limits,
    clock,
    log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
  })
  const events: LegEvent[] = []
  const dial = async (changes: Partial<DialOptions> = {}) => {
    const leg = routed.dial({ ...DIAL, ...changes }, clock, (event) => void events.push(event))
    await clock.advance(0)
    return leg
  }
  const logged = () => lines.map((line): unknown => JSON.parse(line))
  return { first, second, routed, events, dial, logged, types: () => events.map(({ type }) => type) }
}
