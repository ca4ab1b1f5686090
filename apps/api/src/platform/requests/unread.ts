import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ERROR_STATUS, type ErrorReply } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendError } from '../http.ts'

// Requests that the framework or Node refuses before any route or hook.

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'",
} as const

/** Answers the framework's errors: undecodable address, parameter too long. */
export function answerUnroutable(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { socket } = request.raw
  // The socket of a refused WebSocket upgrade is closed by nobody else.
  if (request.headers.upgrade !== undefined) reply.raw.once('finish', () => socket.destroySoon())
  void sendError(error, request, reply.headers(HEADERS))
}

const UNREADABLE: ErrorReply = { code: 'invalid_input', message: 'The request cannot be read as HTTP.' }
const REFUSALS: Readonly<Record<string, ErrorReply>> = {
  HPE_HEADER_OVERFLOW: { code: 'too_large', message: 'The address and the headers may have at most 16 KB together.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { code: 'too_large', message: 'The parts of the body say too much about themselves.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'invalid_input', message: 'The request did not arrive in time.' },
}

/** Answers what Node cannot parse: too many headers, not HTTP, or incomplete in time. */
export function answerUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  // Browsers open connections ahead of need: one would take these words for the answer to what it is just about to ask,
  // while it sends a request again whose unused connection was closed.
  if (socket.bytesRead === 0) return socket.destroySoon()
  const refusal = REFUSALS[error.code ?? ''] ?? UNREADABLE
  const body = JSON.stringify(refusal)
  const status = ERROR_STATUS[refusal.code]
  const headers = Object.entries({
    ...HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroySoon())
}
