import { createServer, type Server, type Socket } from 'node:net'
import { Framer } from '../signalling/framing.ts'
import { Headers, serialise, type SipRequest } from '../signalling/message.ts'
import { SDP } from './fake-media.ts'

/** A trunk over TCP that answers everything with 200, and can break its connections. */
export class TcpTrunk {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** Methods as they came. */
  readonly heard: string[] = []
  connections = 0
  #invite: SipRequest | null = null

  constructor() {
    this.#server = createServer((socket) => {
      const framer = new Framer()
      this.connections++
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => this.#sockets.delete(socket))
      socket.on('data', (chunk: Buffer) => {
        for (const framed of framer.push(chunk))
          if (framed.type === 'message' && framed.parsed.message.type === 'request')
            this.#take(socket, framed.parsed.message)
      })
    })
  }

  async listen(host: string): Promise<number> {
    await new Promise<void>((resolve) => void this.#server.listen({ host, port: 0 }, resolve))
    const address = this.#server.address()
    return typeof address === 'object' ? (address?.port ?? 0) : 0
  }

  breakConnections(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Over the newest connection. */
  hangUp(): void {
    const invite = this.#invite
    if (!invite) return
    const headers = new Headers()
      .add('via', 'SIP/2.0/TCP far.example;branch=z9hG4bKbye')
      .add('from', `${invite.headers.get('to') ?? ''};tag=far`)
      .add('to', invite.headers.get('from') ?? '')
      .add('call-id', invite.headers.get('call-id') ?? '')
      .add('cseq', '1 BYE')
    const bye = serialise({ type: 'request', method: 'BYE', uri: 'sip:parley@x', headers, body: '' })
    ;[...this.#sockets].at(-1)?.write(bye)
  }

  close(): void {
    this.breakConnections()
    this.#server.close()
  }

  #take(socket: Socket, request: SipRequest): void {
    this.heard.push(request.method)
    if (request.method === 'ACK') return
    const isInvite = request.method === 'INVITE'
    if (isInvite) this.#invite = request
    const headers = new Headers()
    for (const name of ['via', 'from', 'call-id', 'cseq']) headers.add(name, request.headers.get(name) ?? '')
    const to = request.headers.get('to') ?? ''
    headers.add('to', to.includes(';tag=') ? to : `${to};tag=far`).add('contact', '<sip:far@10.9.8.7>')
    if (isInvite) headers.add('content-type', 'application/sdp')
    socket.write(serialise({ type: 'response', status: 200, reason: 'OK', headers, body: isInvite ? SDP : '' }))
  }
}
