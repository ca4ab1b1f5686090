import { createSocket } from 'node:dgram'
import { type Frame, type Leg, systemClock } from '@parley/voice-ports'
import { bindPorts, DEFAULT_PORTS, type PortPair } from '../../apps/voice/src/carriers/sip/media/ports.ts'
import { RTP_HEADER_BYTES } from '../../apps/voice/src/carriers/sip/media/rtp/packet.ts'
import { RtpSession } from '../../apps/voice/src/carriers/sip/media/session.ts'
import { createTwilioCarrier } from '../../apps/voice/src/carriers/twilio/index.ts'
import { answering, ask, type RoundOrder, start, type TwilioAccessAt } from './children.ts'
import { bareSockets, numberIn } from './frames.ts'
import { mount, openFront, type Taps } from './front.ts'
import { Meter } from './meter.ts'

// One contender: holds calls that return every frame. Its far end is a process of its own.

const HOST = '127.0.0.1'
const UP_MS = 60_000
const meter = new Meter()
const clock = systemClock()
const far = () => start('far', '')
const taps: Taps = { cameMs: 0, givenMs: Number.NaN, left: (delayMs) => meter.left(delayMs) }

/** Begins this many calls; what it returns ends them. */
type Contender = (calls: number) => Promise<() => Promise<void>>

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function until(isTrue: () => boolean, what: string): Promise<void> {
  for (const endMs = performance.now() + UP_MS; !isTrue(); await wait(20))
    if (performance.now() > endMs) throw new Error(`In ${UP_MS / 1000} s not all calls were ${what}.`)
}

async function twilioCalls(): Promise<Contender> {
  const other = far()
  const access = await ask<TwilioAccessAt>(other, { type: 'twilio', talks: false })
  const { url: apiBase, accountSid, authToken, number: fromNumber } = access
  const carrier = createTwilioCarrier({ accountSid, authToken, apiKey: null, fromNumber, apiBase })
  await mount(await openFront(taps), carrier)
  return async (calls) => {
    let [up, over] = [0, 0]
    const legs = Array.from({ length: calls }, (_, index): Leg => {
      const came = meter.lateness.stream()
      const leg: Leg = carrier.dial(dialOptions(index), clock, (event) => {
        if (event.type === 'media') up++
        if (event.type === 'ended') over++
        if (event.type !== 'frame') return
        const nowMs = performance.now()
        meter.arrived(nowMs - taps.cameMs)
        came(nowMs, event.mediaMs)
        taps.givenMs = performance.now()
        leg.send(event.frame)
      })
      return leg
    })
    await until(() => up === calls, 'answered')
    return async () => {
      for (const leg of legs) leg.hangUp()
      await until(() => over === calls, 'over')
    }
  }
}

function dialOptions(index: number) {
  return {
    callId: `bench-${index}`,
    to: '+12125550107',
    from: null,
    userId: 'bench',
    language: 'en',
    answerTimeoutMs: 30_000,
    limitMs: 600_000,
    detectMachine: false,
    webhookBase: null,
  }
}

async function socketEchoes(): Promise<Contender> {
  const other = far()
  const front = await openFront(taps)
  const { WebSocketServer } = bareSockets()
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  front.take((request, socket, head) => {
    server.handleUpgrade(request, socket, head, (opened) => {
      const came = meter.lateness.stream()
      opened.on('error', () => opened.terminate())
      opened.on('message', (data) => {
        const nowMs = performance.now()
        meter.arrived(nowMs - taps.cameMs)
        came(nowMs)
        taps.givenMs = performance.now()
        // As text, as it came.
        opened.send(data.toString())
      })
    })
    return true
  })
  return async (calls) => {
    await ask(other, { type: 'connect', url: front.url.replace('http', 'ws'), count: calls })
    return async () => {
      await ask(other, { type: 'stop' })
      await until(() => front.sockets.size === 0, 'closed')
    }
  }
}

/** When each numbered frame passed a place. */
class Passages {
  readonly #atMs = new Map<number, number>()

  note(number: number | null): void {
    if (number !== null) this.#atMs.set(number, performance.now())
    const [oldest] = this.#atMs.keys()
    if (this.#atMs.size > 200 && oldest !== undefined) this.#atMs.delete(oldest)
  }

  /** Null: it did not pass. */
  since(number: number | null): number | null {
    const atMs = number === null ? undefined : this.#atMs.get(number)
    return atMs === undefined ? null : performance.now() - atMs
  }
}

/** Every tenth leg: to find a frame again on both sides of a jitter buffer takes as long as the leg itself. */
const WATCHED_EVERY = 10

/** Takes a frame of the far end. */
type Take = (frame: Frame) => void

/** How long frames are under way in a leg, from its socket and back to it. */
function watchLeg({ rtp }: PortPair, send: Take): Take {
  const [came, given] = [new Passages(), new Passages()]
  let isWaiting = false
  rtp.on('message', (datagram) => came.note(numberIn(datagram, RTP_HEADER_BYTES)))
  const transmit = rtp.send.bind(rtp) as (...args: unknown[]) => void
  rtp.send = (packet: unknown, ...args: unknown[]) => {
    const delayMs = packet instanceof Uint8Array ? given.since(numberIn(packet, RTP_HEADER_BYTES)) : null
    if (delayMs !== null) {
      meter.left(delayMs)
      isWaiting = false
    }
    transmit(packet, ...args)
  }
  return (frame) => {
    const number = numberIn(frame.audio)
    const delayMs = came.since(number)
    if (delayMs !== null) meter.arrived(delayMs)
    // After a stall several frames come at once: sent behind each other, they would wait for ever.
    if (isWaiting || number === null) return
    isWaiting = true
    given.note(number)
    send(frame)
  }
}

/** As openRtp() opens a leg. */
async function rtpLeg(remotePort: number, isWatched: boolean): Promise<{ session: RtpSession; port: number }> {
  const pair = await bindPorts(HOST, DEFAULT_PORTS)
  const lateness = meter.lateness.stream()
  const send: Take = (frame) => session.send(frame)
  const take = isWatched ? watchLeg(pair, send) : send
  const session = new RtpSession(pair, {
    localAddress: HOST,
    clock,
    codecs: ['pcmu'],
    srtp: 'off',
    onEvent(event) {
      if (event.type !== 'frame') return
      lateness(performance.now(), event.mediaMs)
      take(event.frame)
    },
  })
  session.offer()
  const codecs = 'a=rtpmap:0 PCMU/8000\r\na=rtpmap:101 telephone-event/8000\r\n'
  const media = `m=audio ${remotePort} RTP/AVP 0 101\r\n${codecs}`
  session.accept(`v=0\r\no=- 1 1 IN IP4 ${HOST}\r\ns=-\r\nc=IN IP4 ${HOST}\r\nt=0 0\r\n${media}`)
  return { session, port: pair.port }
}

async function rtpLegs(): Promise<Contender> {
  const other = far()
  return async (calls) => {
    const ports = await ask<number[]>(other, { type: 'bind', count: calls })
    const legs: Awaited<ReturnType<typeof rtpLeg>>[] = []
    for (const port of ports) legs.push(await rtpLeg(port, legs.length % WATCHED_EVERY === 0))
    await ask(other, { type: 'send', ports: legs.map(({ port }) => port) })
    return async () => {
      for (const { session } of legs) session.close()
      await ask(other, { type: 'stop' })
    }
  }
}

async function udpEchoes(): Promise<Contender> {
  const other = far()
  return async (calls) => {
    await ask(other, { type: 'bind', count: calls })
    const sockets = Array.from({ length: calls }, () => {
      const socket = createSocket('udp4')
      const lateness = meter.lateness.stream()
      let cameMs = 0
      socket.on('message', () => void (cameMs = performance.now()))
      socket.on('message', (datagram, { port, address }) => {
        const nowMs = performance.now()
        meter.arrived(nowMs - cameMs)
        lateness(nowMs)
        socket.send(datagram, port, address)
        meter.left(performance.now() - nowMs)
      })
      return socket
    })
    await Promise.all(sockets.map((socket) => new Promise<void>((done) => socket.bind(0, HOST, done))))
    await ask(other, { type: 'send', ports: sockets.map((socket) => socket.address().port) })
    return async () => {
      await ask(other, { type: 'stop' })
      for (const socket of sockets) socket.close()
    }
  }
}

const CONTENDERS: Readonly<Record<string, () => Promise<Contender>>> = {
  twilio: twilioCalls,
  sockets: socketEchoes,
  rtp: rtpLegs,
  udp: udpEchoes,
}

export function runCore(kind: string): void {
  const made = CONTENDERS[kind]?.() ?? Promise.reject(new Error(`${kind} is no contender.`))
  answering(async ({ calls, settleMs, measureMs }: RoundOrder) => {
    const contender = await made
    const end = await contender(calls)
    await wait(settleMs)
    meter.begin()
    await wait(measureMs)
    const round = meter.end()
    await end()
    gc?.()
    return round
  })
}
