import websocket from '@fastify/websocket'
import { LIVE_CLOSE } from '@parley/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { AppError } from './errors.ts'
import { type Actor, checkOrigin } from './http.ts'

/** So often a page is asked whether it is there, and the database whether its session is: a bus may lose a message. */
const LOOK_EVERY_MS = 30_000
/** Longer than anything a page has to say. */
const INCOMING_MAX_BYTES = 4096
const SOCKETS_PER_USER = 20
const POLICY_VIOLATION = 1008
const GOODBYE_MS = 1000
/** Who is there is asked again after this long, when it could not be known. */
const ASK_AGAIN_MS = 5000

export interface SocketGuards {
  /** Whose session's cookie or ticket came along; null without one. */
  authenticate(request: FastifyRequest): Promise<Actor | null>
  /** Whether the session that somebody came with is still there. */
  isSignedIn(actor: Actor): Promise<boolean>
  readonly allowedOrigins: ReadonlySet<string>
  /** Hears when one of the person's sessions may have ended. Returns how to stop. */
  onSessions(userId: string, listener: () => void): () => void
}

export interface Visit {
  readonly socket: WebSocket
  readonly request: FastifyRequest
  readonly actor: Actor
}

export interface Sockets {
  /** Serves a WebSocket of a page: who comes is checked as for a write, and leaves with their session. */
  serve(path: string, handler: (visit: Visit) => void | Promise<void>): void
}

export async function createSockets(fastify: FastifyInstance, guards: SocketGuards): Promise<Sockets> {
  const open = new Set<WebSocket>()
  fastify.addHook('preClose', async () => open.forEach((socket) => sendAway(socket)))
  await fastify.register(websocket, {
    options: { maxPayload: INCOMING_MAX_BYTES },
    errorHandler: (error, socket, request) => {
      request.log.debug({ err: error }, 'socket')
      socket.terminate()
    },
  })
  return {
    serve(path, handler) {
      const byPerson = new Map<string, number>()
      fastify.get(path, { websocket: true }, async (socket: WebSocket, request: FastifyRequest) => {
        const actor = await admit(guards, socket, request)
        if (!actor || socket.readyState !== socket.OPEN) return
        const count = byPerson.get(actor.userId) ?? 0
        if (count >= SOCKETS_PER_USER) return socket.close(POLICY_VIOLATION, 'Too many pages are open.')
        byPerson.set(actor.userId, count + 1)
        open.add(socket)
        const stopLooking = lookAfter(guards, socket, request, actor)
        socket.once('close', () => {
          stopLooking()
          open.delete(socket)
          const left = (byPerson.get(actor.userId) ?? 1) - 1
          if (left > 0) byPerson.set(actor.userId, left)
          else byPerson.delete(actor.userId)
        })
        await handler({ socket, request, actor })
      })
    },
  }
}

/** The page connects again, to a server that goes on. */
function sendAway(socket: WebSocket): void {
  socket.close(LIVE_CLOSE.goingAway, 'The server is restarting.')
  setTimeout(() => socket.terminate(), GOODBYE_MS).unref()
}

/** A socket that may not be here is closed with a code that says why. */
async function admit(guards: SocketGuards, socket: WebSocket, request: FastifyRequest): Promise<Actor | null> {
  try {
    checkOrigin(request, guards.allowedOrigins)
    const actor = await guards.authenticate(request)
    if (actor?.via === 'session') return actor
    socket.close(LIVE_CLOSE.unauthenticated, 'Please log in.')
  } catch (error) {
    if (isRefusal(error)) {
      socket.close(LIVE_CLOSE.unauthenticated, error.message)
    } else {
      request.log.warn({ err: error }, 'nobody could be asked who is there')
      // It comes back at once and reads everything again: what is overloaded is given a moment first.
      setTimeout(
        () => socket.close(LIVE_CLOSE.goingAway, 'The live channel could not be opened. Please try again.'),
        ASK_AGAIN_MS,
      ).unref()
    }
  }
  return null
}

/** To be told `unauthenticated` is final for a page: whatever else went wrong may be over when it comes again. */
function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'unauthenticated' || error.code === 'foreign_origin')
}

/** Lets go of who is not there any more, or not signed in. Returns how to stop. */
function lookAfter(guards: SocketGuards, socket: WebSocket, request: FastifyRequest, actor: Actor): () => void {
  let again: NodeJS.Timeout | undefined
  let left = false
  const closeIfSignedOut = async () => {
    clearTimeout(again)
    try {
      if (await guards.isSignedIn(actor)) return
    } catch (error) {
      if (!isRefusal(error)) {
        request.log.warn({ err: error }, 'nobody could be asked who is still there')
        if (!left) again = setTimeout(() => void closeIfSignedOut(), ASK_AGAIN_MS)
        return
      }
    }
    socket.close(LIVE_CLOSE.unauthenticated, 'You have signed out.')
  }
  let answered = true
  socket.on('pong', () => (answered = true))
  const look = setInterval(() => {
    if (!answered) return socket.terminate()
    answered = false
    socket.ping()
    void closeIfSignedOut()
  }, LOOK_EVERY_MS)
  const leave = guards.onSessions(actor.userId, () => void closeIfSignedOut())
  return () => {
    left = true
    clearTimeout(again)
    clearInterval(look)
    leave()
  }
}
