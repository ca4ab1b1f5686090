import type { Duplex } from 'node:stream'
import type { Clock } from '@parley/voice-ports'
import type { WebSocket } from 'ws'
import type { SocketFault } from './faults.ts'

const TEXT_FRAME = 0x81

/** A socket as the vendor's end has it, with the fault of its connection. */
export class Peer {
  readonly #socket: WebSocket
  readonly #stream: Duplex
  readonly #clock: Clock
  readonly #fault: SocketFault | null
  #held: string | null = null
  #isFaultDue = true

  constructor(socket: WebSocket, stream: Duplex, clock: Clock, fault: SocketFault | null) {
    this.#socket = socket
    this.#stream = stream
    this.#clock = clock
    this.#fault = fault
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  send(message: object): void {
    const text = JSON.stringify(message)
    switch (this.#fault?.how) {
      case 'mute':
        return undefined
      case 'late':
        return void this.#clock.after(this.#fault.ms, () => this.#write(text))
      case 'out_of_order': {
        const before = this.#held
        this.#held = before === null ? text : null
        if (before === null) return undefined
        this.#write(text)
        return this.#write(before)
      }
      default:
        return this.#write(text)
    }
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  /** The network breaks. */
  drop(): void {
    this.#socket.terminate()
  }

  /** So much sound has come: the fault that waits for it happens. `onError` says the vendor's own message of an error. */
  heard(heardMs: number, onError: (code: string) => void): void {
    const fault = this.#fault
    if (!fault || !('afterMs' in fault) || !this.#isFaultDue || heardMs < fault.afterMs) return
    this.#isFaultDue = false
    switch (fault.how) {
      case 'dropped':
        return this.drop()
      case 'half_frame':
        // The header promises more than comes.
        this.#stream.write(Buffer.from([TEXT_FRAME, 100, ...Buffer.from('{"type":')]), () => this.#stream.destroy())
        return undefined
      case 'closed':
        return this.close(fault.code, fault.reason)
      case 'garbage':
        for (const text of ['{"type":"Resul', '[]', 'null', '{"type":"Unheard"}', '{"type":"Results","channel":7}'])
          this.#write(text)
        return undefined
      case 'error':
        return onError(fault.code)
    }
  }

  #write(text: string): void {
    if (this.isOpen) this.#socket.send(text)
  }

  /** Resolves once each side has taken what the other had sent. */
  async roundTrip(): Promise<void> {
    if (!this.isOpen) return
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#socket.off('pong', done)
        this.#socket.off('close', done)
        resolve()
      }
      this.#socket.on('pong', done)
      this.#socket.on('close', done)
      this.#socket.ping()
    })
  }
}
