import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Carrier } from '@parley/voice-ports'
import { fastify } from 'fastify'
import { mountCarrier } from '../../apps/voice/src/carrier-routes.ts'
import { createLog } from '../../apps/voice/src/log.ts'

const HOST = '127.0.0.1'

/** When something last came from any socket, and when something was last given to one that has not left. */
export interface Taps {
  cameMs: number
  givenMs: number
  left(delayMs: number): void
}

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean

/** Every overload of write takes these, so the cast holds. */
function tap(socket: Duplex, taps: Taps): void {
  socket.prependListener('data', () => void (taps.cameMs = performance.now()))
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
  socket.write = (...args: unknown[]) => {
    if (!Number.isNaN(taps.givenMs)) taps.left(performance.now() - taps.givenMs)
    taps.givenMs = Number.NaN
    return write(...args)
  }
}

export interface Front {
  readonly url: string
  /** Sockets of media that are open. */
  readonly sockets: ReadonlySet<Duplex>
  take(upgrade: Upgrade, onRequest?: RequestListener): void
  close(): Promise<void>
}

/** A port that takes sockets, watched at each. */
export async function openFront(taps: Taps): Promise<Front> {
  const server = createServer()
  const sockets = new Set<Duplex>()
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve))
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${HOST}:${port}`,
    sockets,
    take(upgrade, onRequest) {
      if (onRequest) server.on('request', onRequest)
      server.on('upgrade', (request, socket, head) => {
        if (!upgrade(request, socket, head)) return void socket.destroy()
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
        tap(socket, taps)
      })
    },
    async close() {
      server.closeAllConnections()
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** The carrier's routes on a server as the service has it. Returns what closes it. */
export async function mount(front: Front, carrier: Carrier): Promise<() => Promise<void>> {
  const server = fastify()
  const upgrade = mountCarrier(server, { carrier, log: createLog('silent'), config: { publicUrl: front.url } })
  await server.ready()
  front.take(upgrade, (request, response) => server.routing(request, response))
  return () => server.close()
}
