import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Cut } from '../schedule.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

interface Options {
  readonly host?: string
  /** Each connection goes to the next one; to the one after it where nobody listens. */
  readonly to: readonly Address[]
}

/** A TCP proxy between two parts, which delays or cuts what passes. */
export class Proxy implements Address {
  readonly host: string
  readonly #to: readonly Address[]
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** Connections that a silent cut swallowed: they are reset when it is over, as by a router that forgot them. */
  readonly #swallowed = new Set<Socket>()
  #next = 0
  #delayMs = 0
  #cut: Cut | undefined

  private constructor({ host = '127.0.0.1', to }: Options) {
    this.host = host
    this.#to = to
    this.#server = createServer((socket) => void this.#take(socket))
  }

  static async listen(options: Options): Promise<Proxy> {
    const proxy = new Proxy(options)
    await once(proxy.#server.listen(0, proxy.host), 'listening')
    return proxy
  }

  get port(): number {
    // It listens on a TCP port.
    return (this.#server.address() as AddressInfo).port
  }

  delay(ms: number): void {
    this.#delayMs = ms
  }

  cut(how: Cut): void {
    this.#cut = how
    if (how === 'reset') for (const socket of this.#sockets) socket.resetAndDestroy()
    else for (const socket of this.#sockets) this.#swallow(socket)
  }

  heal(): void {
    this.#delayMs = 0
    this.#cut = undefined
    for (const socket of this.#swallowed) socket.resetAndDestroy()
    this.#swallowed.clear()
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    const closed = once(this.#server, 'close')
    this.#server.close()
    await closed
  }

  #swallow(socket: Socket): void {
    socket.pause()
    this.#swallowed.add(socket)
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    // A broken connection also closes.
    socket.on('error', () => undefined)
    socket.once('close', () => {
      this.#sockets.delete(socket)
      this.#swallowed.delete(socket)
    })
  }

  async #take(near: Socket): Promise<void> {
    this.#keep(near)
    near.pause()
    if (this.#cut === 'reset') return void near.resetAndDestroy()
    if (this.#cut === 'silent') return this.#swallow(near)
    const far = await this.#connect()
    if (!far || near.destroyed) {
      far?.destroy()
      return void near.resetAndDestroy()
    }
    this.#pass(near, far)
    this.#pass(far, near)
    if (this.#cut === undefined) return
    this.#swallow(near)
    this.#swallow(far)
  }

  async #connect(): Promise<Socket | undefined> {
    for (let tried = 0; tried < this.#to.length; tried++) {
      const { host, port } = this.#to[this.#next++ % this.#to.length] ?? { host: this.host, port: 0 }
      const far = connect({ host, port, noDelay: true })
      this.#keep(far)
      const connected = new Promise<boolean>((done) => {
        far.once('connect', () => done(true)).once('close', () => done(false))
      })
      if (await connected) return far
    }
    return undefined
  }

  /** In order, each piece after the delay of its arrival. */
  #pass(from: Socket, to: Socket): void {
    const later = inOrder(() => this.#delayMs)
    from.on('data', (piece: Buffer) =>
      later(() => {
        if (to.destroyed || to.write(piece)) return
        from.pause()
        to.once('drain', () => this.#cut ?? from.resume())
      }),
    )
    from.once('end', () => later(() => to.end()))
    from.once('close', () => later(() => (from.errored === null ? to.destroySoon() : to.resetAndDestroy())))
    from.resume()
  }
}

/** Runs each piece of work after the delay that holds when it comes, and none before an earlier one. */
function inOrder(delayMs: () => number): (work: () => void) => void {
  const waiting: { readonly dueAt: number; readonly work: () => void }[] = []
  let timer: NodeJS.Timeout | undefined
  const run = () => {
    timer = undefined
    for (let first = waiting[0]; first; first = waiting[0]) {
      const waitMs = first.dueAt - performance.now()
      if (waitMs > 0) return void (timer = setTimeout(run, waitMs))
      waiting.shift()
      first.work()
    }
  }
  return (work) => {
    waiting.push({ dueAt: performance.now() + delayMs(), work })
    if (timer === undefined) run()
  }
}
