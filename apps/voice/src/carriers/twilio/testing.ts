import { createServer } from 'node:http'
import { startTwilioFarEnd, type TwilioFarEnd, type TwilioFarEndOptions } from '@parley/sandbox/testing'
import { type DialOptions, type Leg, type LegEvent, systemClock } from '@parley/voice-ports'
import { fastify } from 'fastify'
import { pino } from 'pino'
import { mountCarrier } from '../../carrier-routes.ts'
import { createTwilioCarrier, type TwilioCarrier, type TwilioOptions } from './index.ts'

/** A carrier on the service's own routes, and a far end that both call each other over real HTTP and WebSockets. */
export interface Line {
  readonly far: TwilioFarEnd
  readonly carrier: TwilioCarrier
  /** Where the far end reaches the carrier. */
  readonly publicUrl: string
  readonly logged: readonly { readonly fields: object; readonly message: string }[]
  close(): Promise<void>
}

export interface LineOptions {
  readonly far?: TwilioFarEndOptions
  readonly carrier?: Partial<TwilioOptions>
}

const HOST = '127.0.0.1'
const UNTIL_MS = 20_000

export async function startLine({ far: farOptions, carrier: carrierOptions }: LineOptions = {}): Promise<Line> {
  const far = await startTwilioFarEnd(farOptions)
  const logged: { fields: object; message: string }[] = []
  const note = (fields: object, message: string) => void logged.push({ fields, message })
  const carrier = createTwilioCarrier({
    accountSid: far.accountSid,
    authToken: far.authToken,
    apiKey: null,
    fromNumber: far.number,
    apiBase: far.url,
    log: { info: note, warn: note, error: note },
    ...carrierOptions,
  })
  // Its port must be known before the carrier mounts its routes.
  const front = createServer()
  await new Promise<void>((resolve) => front.listen(0, HOST, resolve))
  const address = front.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const publicUrl = `http://${HOST}:${address.port}`
  const server = fastify()
  const upgrade = mountCarrier(server, { carrier, log: pino({ level: 'silent' }), config: { publicUrl } })
  await server.ready()
  front.on('request', (request, response) => server.routing(request, response))
  front.on('upgrade', (request, socket, head) => {
    if (!upgrade(request, socket, head)) socket.destroy()
  })
  return {
    far,
    carrier,
    publicUrl,
    logged,
    async close() {
      await carrier.close()
      await far.close()
      await server.close()
      front.closeAllConnections()
      await new Promise<void>((resolve) => front.close(() => resolve()))
    },
  }
}

/** One leg and all its events. */
export class Dialed {
  readonly leg: Leg
  readonly events: { readonly event: LegEvent; readonly atMs: number }[] = []
  readonly clock = systemClock()
  readonly #line: Line
  #waiters: (() => void)[] = []

  constructor(line: Line, to: string, options: Partial<DialOptions> = {}) {
    this.#line = line
    const dial: DialOptions = {
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
    }
    this.leg = line.carrier.dial(dial, this.clock, (event) => {
      this.events.push({ event, atMs: this.clock.nowMs() })
      for (const wake of this.#waiters.splice(0)) wake()
    })
  }

  get types(): LegEvent['type'][] {
    return this.events.map(({ event }) => event.type)
  }

  /** Without frames: the shape of the call. */
  get story(): string {
    return this.events
      .filter(({ event }) => event.type !== 'frame')
      .map(({ event }) => {
        switch (event.type) {
          case 'media':
            return event.state
          case 'mark':
            return `mark ${event.name}`
          case 'machine':
            return `machine ${event.verdict}`
          case 'ended':
            return `ended ${event.cause}`
          default:
            return event.type
        }
      })
      .join(', ')
  }

  of<T extends LegEvent['type']>(type: T): Extract<LegEvent, { type: T }>[] {
    return this.events
      .map(({ event }) => event)
      .filter((event): event is Extract<LegEvent, { type: T }> => event.type === type)
  }

  /** Its call at the far end. */
  get far() {
    const [placed] = this.of('placed')
    const call = placed && this.#line.far.call(placed.carrierCallId)
    if (!call) throw new Error('not placed')
    return call
  }

  /** Until so many of them have come. */
  async until(type: LegEvent['type'], times = 1): Promise<this> {
    const patience = AbortSignal.timeout(UNTIL_MS)
    while (this.of(type).length < times) {
      if (patience.aborted) throw new Error(`${type} did not come ${times} times: ${this.story}`)
      await Promise.race([this.#next(), new Promise((resolve) => patience.addEventListener('abort', resolve))])
    }
    return this
  }

  #next(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve))
  }

  async ended(): Promise<Extract<LegEvent, { type: 'ended' }>> {
    await this.until('ended')
    const [end] = this.of('ended')
    if (!end) throw new Error('not ended')
    return end
  }

  /** Until this much call time has passed: for what must not happen. */
  async pass(ms: number): Promise<void> {
    await new Promise<void>((resolve) => this.clock.after(ms, resolve))
  }
}
