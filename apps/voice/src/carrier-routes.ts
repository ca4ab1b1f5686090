import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CarrierCallParams, type CarrierStanding, ERROR_STATUS, type ErrorReply, VOICE_PATHS } from '@parley/contract'
import type { Carrier, CarrierHost, CarrierRequest, CarrierSocket } from '@parley/voice-ports'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { WebSocket, WebSocketServer } from 'ws'

/** A question or an order to the carrier is given up after this, wall clock. */
const CARRIER_TIMEOUT_MS = 10_000
/** Callbacks are forms and short JSON; media come through sockets. */
const CALLBACK_MAX_BYTES = 64 * 1024
const MESSAGE_MAX_BYTES = 64 * 1024
/** More than the calls of a process. */
const AWAITED_SOCKETS_MAX = 20_000
const TOKEN_AT_END = /\/[\w-]{16,}$/
const FORM = 'application/x-www-form-urlencoded'

export interface CarrierRoutesOptions {
  readonly carrier: Carrier
  readonly log: Logger
  readonly config: { readonly publicUrl: string | null }
}

/** What the api asks when it does not know how a call stands, or must end one whose process is gone. */
export function addCarrierQuestions(routes: FastifyInstance, { carrier, log }: CarrierRoutesOptions): void {
  async function tried<T>(reply: FastifyReply, request: (signal: AbortSignal) => Promise<T>) {
    const signal = AbortSignal.timeout(CARRIER_TIMEOUT_MS)
    try {
      return { value: await Promise.race([request(signal), whenAborted(signal)]) }
    } catch (error) {
      log.warn({ carrier: carrier.name, err: error }, 'carrier not asked')
      void refuse(reply, 'unavailable', 'The carrier cannot be asked.')
      return null
    }
  }

  routes.get(VOICE_PATHS.carrierCall, async (request, reply) => {
    const id = idIn(request)
    const asked = id === null ? { value: null } : await tried(reply, (signal) => carrier.ask(id, signal))
    if (!asked) return reply
    if (!asked.value) return refuse(reply, 'not_found', 'The carrier knows no such call.')
    return asked.value satisfies CarrierStanding
  })
  routes.post(VOICE_PATHS.carrierHangUp, async (request, reply) => {
    const id = idIn(request)
    if (id === null) return refuse(reply, 'not_found', 'The carrier knows no such call.')
    const told = await tried(reply, (signal) => carrier.hangUp(id, signal))
    return told ? reply.code(202).send({}) : reply
  })
}

/** Lets the carrier add its routes and sockets. Returns who takes an upgrade that is the carrier's. */
export function mountCarrier(server: FastifyInstance, { carrier, config, log }: CarrierRoutesOptions) {
  const awaited = new Map<string, (socket: CarrierSocket) => void>()
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_MAX_BYTES, perMessageDeflate: false })
  server.addHook('preClose', (done) => {
    for (const socket of sockets.clients) socket.terminate()
    done()
  })
  void server.register((routes, _, done) => {
    // A signature covers the body as it was sent: nothing is parsed before the carrier has checked it.
    routes.removeAllContentTypeParsers()
    routes.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: CALLBACK_MAX_BYTES }, (_request, body, parsed) =>
      parsed(null, body),
    )
    carrier.mount?.(hostOn(routes, config.publicUrl, awaited))
    done()
  })

  return (request: IncomingMessage, raw: Duplex, head: Buffer): boolean => {
    const path = pathIn(request.url ?? '')
    const handler = awaited.get(path)
    if (!handler) return false
    // Used up, whatever becomes of the handshake.
    awaited.delete(path)
    sockets.handleUpgrade(request, raw, head, (socket) => {
      socket.on('error', (error) => {
        log.warn({ carrier: carrier.name, err: error }, 'carrier socket failed')
        socket.terminate()
      })
      handler(carrierSocket(socket, raw))
    })
    return true
  }
}

function hostOn(
  routes: FastifyInstance,
  publicUrl: string | null,
  awaited: Map<string, (socket: CarrierSocket) => void>,
): CarrierHost {
  return {
    publicUrl,
    route(method, path, handler) {
      routes.route({
        method,
        url: path,
        handler: async (request, reply) => {
          const { status, type, body } = await handler(carrierRequest(request, publicUrl))
          if (type !== undefined) void reply.type(type)
          return reply.code(status).send(body ?? '')
        },
      })
    },
    socket(path, handler) {
      if (!TOKEN_AT_END.test(path)) throw new Error('The path of a socket ends with a token of at least 16 characters.')
      if (awaited.size >= AWAITED_SOCKETS_MAX) throw new Error('Too many sockets are awaited.')
      awaited.set(path, handler)
      return () => {
        if (awaited.get(path) === handler) awaited.delete(path)
      }
    },
  }
}

function carrierRequest(request: FastifyRequest, publicUrl: string | null): CarrierRequest {
  const body: Buffer = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  return {
    rawUrl: `${publicUrl ?? ''}${request.raw.url ?? ''}`,
    headers: request.headers,
    body,
    form: () => new URLSearchParams(request.headers['content-type']?.startsWith(FORM) ? body.toString() : ''),
  }
}

/** `raw`: what the WebSocket runs over. */
function carrierSocket(socket: WebSocket, raw: Duplex): CarrierSocket {
  let isCorked = false
  /** Messages that are sent at once leave in one write: writing costs more than all else of a message. */
  const gather = () => {
    if (isCorked) return
    isCorked = true
    raw.cork()
    queueMicrotask(() => {
      isCorked = false
      raw.uncork()
    })
  }
  return {
    get unsentBytes() {
      return socket.bufferedAmount
    },
    send(message) {
      if (socket.readyState !== WebSocket.OPEN) return
      gather()
      socket.send(message)
    },
    close: (code, reason) => socket.close(code, reason),
    onMessage: (listener) =>
      void socket.on('message', (data: Buffer, isBinary) => listener(isBinary ? data : data.toString())),
    onClose: (listener) => void socket.once('close', listener),
  }
}

/** Not every carrier passes a query on: it is no part of a socket's address. */
const pathIn = (url: string): string => url.split('?', 1)[0] ?? ''

const idIn = (request: FastifyRequest): string | null =>
  CarrierCallParams.safeParse(request.params).data?.carrierCallId ?? null

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The carrier did not answer in time.')), { once: true })
  })
}

function refuse(reply: FastifyReply, code: 'not_found' | 'unavailable', message: string) {
  const answer: ErrorReply = { code, message }
  return reply.code(ERROR_STATUS[code]).send(answer)
}
