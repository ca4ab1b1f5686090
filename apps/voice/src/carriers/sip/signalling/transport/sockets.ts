import type { Buffer } from 'node:buffer'
import { createServer, isIPv6, type Server, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { parseMessage } from '../message.ts'
import type { Received, SendFailure, Target, Wire } from '../wire.ts'
import { Stream, type StreamOptions } from './stream.ts'
import { addressTowards, plainAddress, UdpSocket } from './udp.ts'

const STREAMS_MAX = 512
const FREE_PORTS_TRIED_MAX = 10

export interface SocketsOptions {
  readonly bindAddress: string
  /** Of UDP and of the TCP listener; 0: any. */
  readonly port: number
  /** What far ends are told in place of the bound address. */
  readonly publicHost: string | null
  /** Whether far ends may open TCP connections to us. */
  readonly listensTcp: boolean
  readonly ca: string | null
  /** Everything else is dropped unread. */
  readonly isAllowed: (address: string) => boolean
  readonly onReceived: (received: Received) => void
  /** A connection that this process opened is gone. */
  readonly onDisconnected: (target: Target) => void
}

/** All signalling sockets of the process. Nothing is answered that does not come from a configured trunk. */
export class SipSockets implements Wire {
  readonly #options: SocketsOptions
  readonly #streams = new Map<string, Stream>()
  readonly #towards = new Map<string, string>()
  readonly counts = { foreign: 0, malformed: 0, received: 0 }
  #udp: UdpSocket | null = null
  #server: Server | null = null
  #closed = false

  constructor(options: SocketsOptions) {
    this.#options = options
  }

  /** Rejects when the address is not of this machine, or the port is taken. */
  async open(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#bind()
      } catch (error) {
        // A free port of UDP may be taken for TCP.
        await this.#udp?.close()
        if (this.#options.port !== 0 || tries === FREE_PORTS_TRIED_MAX) throw error
      }
    }
  }

  async #bind(): Promise<void> {
    const { bindAddress, port, listensTcp } = this.#options
    this.#udp = await UdpSocket.bind(bindAddress, port, ({ bytes, address, port: from }) => {
      if (!this.#options.isAllowed(address)) return void this.counts.foreign++
      // Keep-alives of far ends (RFC 5626 section 4.4.1) and of NATs.
      if (bytes.length <= 4) return
      this.#takeDatagram(bytes, { transport: 'udp', address, port: from, serverName: null })
    })
    if (listensTcp) await this.#listen(bindAddress, this.#udp.port)
  }

  get port(): number {
    return this.#udp?.port ?? 0
  }

  /** Finds out by which address of ours a far end reaches us; localTo() can tell it from then on. */
  async prepare({ address, port }: Target): Promise<void> {
    if (!isWildcard(this.#options.bindAddress) || this.#towards.has(address)) return
    const local = await addressTowards(address, port).catch(() => null)
    if (local !== null && this.#towards.size < STREAMS_MAX) this.#towards.set(address, local)
  }

  localTo(target: Target): { host: string; port: number; address: string } {
    const { bindAddress, publicHost } = this.#options
    const address = isWildcard(bindAddress) ? (this.#towards.get(target.address) ?? anyAddress()) : bindAddress
    return { host: publicHost ?? address, port: this.port, address }
  }

  send(bytes: Buffer, target: Target, onFailed: (failure: SendFailure) => void): void {
    if (this.#closed || !this.#udp)
      return queueMicrotask(() => onFailed({ kind: 'closed', message: 'The SIP socket of this process is closed.' }))
    if (target.transport === 'udp') return this.#udp.send(bytes, target.address, target.port, onFailed)
    const stream = this.#streams.get(keyOf(target)) ?? this.#connect(target)
    if (stream) stream.send(bytes, onFailed)
    else queueMicrotask(() => onFailed({ kind: 'busy', message: 'Too many SIP connections are open.' }))
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const stream of this.#streams.values()) stream.close()
    this.#server?.close()
    await this.#udp?.close()
  }

  #takeDatagram(bytes: Buffer, source: Target): void {
    const parsed = parseMessage(bytes)
    if ('problem' in parsed) return void this.counts.malformed++
    this.counts.received++
    this.#options.onReceived({ ...parsed, source })
  }

  #connect(target: Target): Stream | null {
    if (this.#streams.size >= STREAMS_MAX) return null
    const stream = Stream.connect(this.#streamOptions(target, () => this.#options.onDisconnected(target)))
    this.#streams.set(keyOf(target), stream)
    return stream
  }

  #streamOptions(target: Target, onClosed: () => void): StreamOptions {
    return {
      target,
      ca: this.#options.ca,
      onReceived: (received) => {
        this.counts.received++
        this.#options.onReceived(received)
      },
      onMalformed: () => void this.counts.malformed++,
      onClosed: () => {
        this.#streams.delete(keyOf(target))
        if (!this.#closed) onClosed()
      },
    }
  }

  #listen(host: string, port: number): Promise<void> {
    const server = createServer((socket) => this.#accept(socket))
    server.maxConnections = STREAMS_MAX
    this.#server = server
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port, exclusive: true }, () => {
        server.off('error', reject)
        server.on('error', () => undefined)
        resolve()
      })
    })
  }

  #accept(socket: Socket): void {
    const address = plainAddress(socket.remoteAddress ?? '')
    const port = socket.remotePort ?? 0
    if (this.#closed || !this.#options.isAllowed(address) || this.#streams.size >= STREAMS_MAX) {
      this.counts.foreign++
      // A reset may follow before the destruction.
      socket.on('error', () => undefined)
      return void socket.destroy()
    }
    const target: Target = { transport: 'tcp', address, port, serverName: null }
    const options = this.#streamOptions(target, () => undefined)
    this.#streams.set(keyOf(target), Stream.accepted(socket, options))
  }
}

const keyOf = ({ transport, address, port, serverName }: Target): string =>
  `${transport} ${address} ${port} ${serverName ?? ''}`

const isWildcard = (address: string): boolean => address === '0.0.0.0' || address === '::'

function anyAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all.find(({ internal, address }) => !internal && !isIPv6(address))?.address ?? '127.0.0.1'
}
