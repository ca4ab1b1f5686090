import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** For a whole request: the longest upload, 64 MB, at half a megabit per second. */
const REQUEST_MAX_MS = 1_200_000
const HEADERS_MAX_MS = 30_000
/** A sender that pauses longer within a body is gone or an attacker (slowloris). */
const REST_MAX_MS = 30_000
/** Bytes of a refused body to drain, since browsers read the response only after sending all: the longest upload. */
const DROPPED_MAX_BYTES = 64 * 1024 * 1024
const LOOK_AT_DROPPED_MS = 250

/** Server options: time limits for a request and for its headers. Node checks every 30 s. */
export const ARRIVAL_BOUNDS = { requestTimeout: REQUEST_MAX_MS, http: { headersTimeout: HEADERS_MAX_MS } } as const

/**
 * Ends connections that send nothing within a body for once to twice `restMaxMs`. Slow senders stay, and so do those
 * that wait for us to read.
 */
export function endIdleSenders(fastify: FastifyInstance, restMaxMs = REST_MAX_MS): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request
    const { socket, headers } = raw
    // An injected request is complete and has no socket.
    if (!(socket instanceof Socket)) return done()
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return done()
    let bytes = socket.bytesRead
    let wasAwaited = true
    const look = setInterval(() => {
      if (raw.complete) return clearInterval(look)
      // Idle only if both checks found nothing unread: before that, the sender may have waited for us.
      const isAwaited = raw.readableLength === 0
      const hasRested = socket.bytesRead === bytes && isAwaited && wasAwaited
      bytes = socket.bytesRead
      wasAwaited = isAwaited
      if (!hasRested) return
      request.log.info({ route: request.routeOptions.url, bytes }, 'a sender has gone quiet')
      socket.destroy()
    }, restMaxMs).unref()
    raw.once('close', () => clearInterval(look))
    done()
  })
}

/** Ends connections that keep sending a refused body beyond the limit. */
export function endRefusedSenders(fastify: FastifyInstance, droppedMaxBytes = DROPPED_MAX_BYTES): void {
  fastify.addHook('onResponse', (request, _reply, done) => {
    const { raw } = request
    const { socket } = raw
    if (raw.complete || !(socket instanceof Socket)) return done()
    const bytes = socket.bytesRead
    const look = setInterval(() => {
      if (raw.complete) return clearInterval(look)
      if (socket.bytesRead - bytes > droppedMaxBytes) socket.destroy()
    }, LOOK_AT_DROPPED_MS).unref()
    socket.once('close', () => clearInterval(look))
    done()
  })
}
