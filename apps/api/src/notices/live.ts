import { LIVE_CLOSE, LIVE_PATH, type LiveMessage } from '@parley/contract'
import { type CallsRoom, ringingMessages } from '../calls/index.ts'
import { userTopic } from '../platform/bus.ts'
import type { Sockets } from '../platform/sockets.ts'

/** A slower reader is disconnected; it reads the current state when it reconnects. */
const UNREAD_MAX_BYTES = 1024 * 1024

/** The live channel: relays a user's messages from the rooms to that user's open pages. */
export function registerLive(sockets: Sockets, calls: Pick<CallsRoom, 'bus' | 'config' | 'db'>): void {
  sockets.serve(LIVE_PATH, async ({ socket, request, actor: { userId } }) => {
    if (Reflect.get(Object(request.query), 'userId') !== userId)
      return socket.close(LIVE_CLOSE.notYours, 'The user was not found.')
    const send = (message: unknown) => {
      if (socket.bufferedAmount > UNREAD_MAX_BYTES) socket.terminate()
      else socket.send(JSON.stringify(message))
    }
    socket.once('close', calls.bus.subscribe(userTopic(userId), send))
    send({ type: 'connected', userId } satisfies LiveMessage)
    for (const message of await ringingMessages(calls, userId)) send(message)
  })
}
