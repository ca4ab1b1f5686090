import websocket from '@fastify/websocket'
import { LIVE_CLOSE, LIVE_PATH, type LiveMessage } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { type Accounts, sessionsTopic } from '../accounts/index.ts'
import type { Floor } from '../floor.ts'
import { userTopic } from '../platform/bus.ts'
import { AppError } from '../platform/errors.ts'
import { type Actor, checkOrigin, type Router } from '../platform/http.ts'

const PING_EVERY_MS = 30_000
/** Who reads slower than this is let go, and finds out how things stand when it comes back. */
const UNREAD_MAX_BYTES = 1024 * 1024
/** What a page sends is never read. */
const INCOMING_MAX_BYTES = 1024
const SOCKETS_PER_USER = 20
const POLICY_VIOLATION = 1008
const GOODBYE_MS = 1000

export interface LiveParts extends Floor {
  readonly accounts: Accounts
}

/** The live channel: relays what the rooms publish for a person to that person's open pages. */
export async function registerLive({ fastify }: Router, parts: LiveParts): Promise<void> {
  const open = new Map<string, Set<WebSocket>>()
  fastify.addHook('preClose', async () => [...open.values()].forEach((sockets) => sockets.forEach(sendAway)))
  await fastify.register(websocket, {
    options: { maxPayload: INCOMING_MAX_BYTES },
    errorHandler: (error, socket, request) => {
      request.log.debug({ err: error }, 'live channel')
      socket.terminate()
    },
  })
  fastify.get(LIVE_PATH, { websocket: true }, async (socket: WebSocket, request: FastifyRequest) => {
    const actor = await admit(parts, socket, request)
    if (!actor || socket.readyState !== socket.OPEN) return
    const own = open.get(actor.userId) ?? new Set()
    if (own.size >= SOCKETS_PER_USER) return socket.close(POLICY_VIOLATION, 'Too many pages are open.')
    open.set(actor.userId, own.add(socket))
    const leave = relay(parts, socket, request, actor)
    socket.once('close', () => {
      leave()
      own.delete(socket)
      if (own.size === 0) open.delete(actor.userId)
    })
  })
}

/** The page connects again, to a server that goes on. */
function sendAway(socket: WebSocket): void {
  socket.close(LIVE_CLOSE.goingAway, 'The server is restarting.')
  setTimeout(() => socket.terminate(), GOODBYE_MS).unref()
}

/** A socket that may not be here is closed with a code that says why. */
async function admit({ accounts, config }: LiveParts, socket: WebSocket, request: FastifyRequest): Promise<Actor | null> {
  try {
    checkOrigin(request, config.allowedOrigins)
    const actor = await accounts.authenticate(request)
    if (actor?.via !== 'session') throw new AppError('unauthenticated', 'Please log in.')
    if (Reflect.get(Object(request.query), 'userId') === actor.userId) return actor
    socket.close(LIVE_CLOSE.notYours, 'The user was not found.')
  } catch (error) {
    const reason = error instanceof AppError ? error.message : 'The live channel could not be opened.'
    socket.close(LIVE_CLOSE.unauthenticated, reason)
  }
  return null
}

/** Returns how to stop. */
function relay({ bus, accounts }: LiveParts, socket: WebSocket, request: FastifyRequest, { userId }: Actor): () => void {
  const send = (message: unknown) => {
    if (socket.bufferedAmount > UNREAD_MAX_BYTES) socket.terminate()
    else socket.send(JSON.stringify(message))
  }
  const closeIfSignedOut = async () => {
    const actor = await accounts.authenticate(request).catch(() => null)
    if (!actor) socket.close(LIVE_CLOSE.unauthenticated, 'You have signed out.')
  }
  let answered = true
  socket.on('pong', () => (answered = true))
  const ping = setInterval(() => {
    if (!answered) return socket.terminate()
    answered = false
    socket.ping()
  }, PING_EVERY_MS)
  const leaveUser = bus.subscribe(userTopic(userId), send)
  const leaveSessions = bus.subscribe(sessionsTopic(userId), () => void closeIfSignedOut())
  send({ type: 'connected', userId } satisfies LiveMessage)
  return () => {
    clearInterval(ping)
    leaveUser()
    leaveSessions()
  }
}
