import type { Buffer } from 'node:buffer'
import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { SendFailure } from '../wire.ts'

export interface Datagram {
  readonly bytes: Buffer
  readonly address: string
  readonly port: number
}

/** One UDP socket for all trunks: far ends see one address and port, which is what they are told to answer. */
export class UdpSocket {
  readonly #socket: Socket
  #closed = false

  private constructor(socket: Socket, onDatagram: (datagram: Datagram) => void) {
    this.#socket = socket
    socket.on('message', (bytes, { address, port }) => onDatagram({ bytes, address: plainAddress(address), port }))
    // An ICMP answer to a datagram that was sent: its transaction finds out by its timers.
    socket.on('error', () => undefined)
  }

  /** Rejects when the address is not of this machine, or the port is taken. */
  static async bind(address: string, port: number, onDatagram: (datagram: Datagram) => void): Promise<UdpSocket> {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.bind({ address, port, exclusive: true }, () => {
        socket.off('error', reject)
        resolve()
      })
    })
    return new UdpSocket(socket, onDatagram)
  }

  get port(): number {
    return this.#socket.address().port
  }

  send(bytes: Buffer, address: string, port: number, onFailed: (failure: SendFailure) => void): void {
    if (this.#closed)
      return queueMicrotask(() => onFailed({ kind: 'closed', message: 'The SIP socket of this process is closed.' }))
    this.#socket.send(bytes, port, address, (error) => {
      if (error) onFailed({ kind: 'unreachable', message: `${address}:${port} cannot be reached: ${error.message}.` })
    })
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve()
    this.#closed = true
    return new Promise((resolve) => void this.#socket.close(() => resolve()))
  }
}

/** An IPv4 address that came through an IPv6 socket, as an IPv4 address. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')

/** The address of this machine that packets to `address` leave from; rejects without a route. */
export async function addressTowards(address: string, port: number): Promise<string> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.connect(port, address, () => resolve())
    })
    return plainAddress(socket.address().address)
  } finally {
    socket.close()
  }
}
