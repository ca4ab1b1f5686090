import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Of the whole of a request: the longest upload, 64 MB, over a line of half a megabit a second. */
const REQUEST_MAX_MS = 1_200_000
const HEADERS_MAX_MS = 30_000
/** A sender that rests longer in the middle of a body has gone, or never meant to end. */
const REST_MAX_MS = 30_000
/**
 * Of a body that was refused, its rest is let in and dropped: only then does a browser read why. As much as the longest
 * upload.
 */
const DROPPED_MAX_BYTES = 64 * 1024 * 1024
const LOOK_AT_DROPPED_MS = 250

/**
 * For the server's options: how long a request, and its headers alone, may take to arrive. Node looks every half
 * minute.
 */
export const ARRIVAL_BOUNDS = { requestTimeout: REQUEST_MAX_MS, http: { headersTimeout: HEADERS_MAX_MS } } as const

/**
 * Ends the connection of whoever begins to send a body and rests for `restMaxMs` to twice that long. Nobody is ended
 * for being slow, nor for waiting until this side has read what has come.
 */
export function endIdleSenders(fastify: FastifyInstance, restMaxMs = REST_MAX_MS): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request
    const { socket, headers } = raw
    // A request of this very process has come whole, and by no line that could be ended.
    if (!(socket instanceof Socket)) return done()
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return done()
    let bytes = socket.bytesRead
    let wasAwaited = true
    const look = setInterval(() => {
      if (raw.complete) return clearInterval(look)
      // Awaited at both looks: what this side has read to its end only now was not waited for.
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

/** Ends the connection of whoever was answered before their body was whole and goes on and on sending it. */
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
