import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { ClientRequest, type IncomingMessage } from 'node:http'
import type { Peer } from './peer.ts'

const STARTED = 'http.client.request.start'
const keyOf = (value: unknown) => (typeof value === 'string' ? value : null)

/** The sockets between clients in this process and one port, so that a test can wait until nothing is under way. */
export class Wire {
  readonly #port: number
  /** Upgrades that a client asks for and that did not arrive yet. */
  readonly #asked = new Set<string>()
  /** Those whose end the client did not notice yet, by their key. */
  readonly #clients = new Map<string, Promise<void>>()
  readonly #ending = new Set<Promise<void>>()
  #waiting: (() => void)[] = []

  constructor(port: number) {
    this.#port = port
    subscribe(STARTED, this.#started)
  }

  close(): void {
    unsubscribe(STARTED, this.#started)
  }

  arrived(request: IncomingMessage): void {
    this.#asked.delete(keyOf(request.headers['sec-websocket-key']) ?? '')
    this.#go()
  }

  refused(request: IncomingMessage): void {
    this.ended(request)
  }

  /** Our end is over: the client's will be. */
  ended(request: IncomingMessage): void {
    const noticed = this.#clients.get(keyOf(request.headers['sec-websocket-key']) ?? '')
    if (!noticed) return
    this.#ending.add(noticed)
    void noticed.then(() => this.#ending.delete(noticed))
  }

  async settle(peers: () => readonly Peer[]): Promise<void> {
    while (this.#asked.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    // What came makes answers, and those make the client ask again.
    for (let times = 0; times < 2; times++) await Promise.all(peers().map((peer) => peer.roundTrip()))
    while (this.#ending.size > 0) await Promise.all(this.#ending)
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (this.#asked.size > 0) await this.settle(peers)
  }

  #go(): void {
    for (const go of this.#waiting.splice(0)) go()
  }

  readonly #started = (message: unknown): void => {
    const request: unknown = Reflect.get(Object(message), 'request')
    if (!(request instanceof ClientRequest)) return
    const key = keyOf(request.getHeader('sec-websocket-key'))
    if (key === null || !String(request.getHeader('host')).endsWith(`:${this.#port}`)) return
    this.#asked.add(key)
    const noticed = new Promise<void>((resolve) => {
      let isOpen = false
      request.once('upgrade', (_, socket) => {
        isOpen = true
        // The client's own listeners have run by then.
        socket.once('close', () => setImmediate(resolve))
      })
      request.once('close', () => {
        if (!isOpen) setImmediate(resolve)
      })
    })
    this.#clients.set(key, noticed)
    void noticed.then(() => {
      this.#asked.delete(key)
      this.#clients.delete(key)
      this.#go()
    })
  }
}
