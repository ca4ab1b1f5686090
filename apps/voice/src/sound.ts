import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  SOUND_CLOSE,
  SOUND_FRAME_BYTES,
  SOUND_SIDES,
  type SoundKind,
  type SoundReady,
  PhoneMessage,
  VOICE_SOUND_PATHS,
} from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import { WebSocket, WebSocketServer } from 'ws'
import type { PickUp } from './context.ts'
import type { Credentials } from './credentials.ts'
import type { Calls } from './session/call/calls.ts'
import type { CallSession } from './session/call/session.ts'

/** Above the largest message of the contract. */
const INCOMING_MAX_BYTES = 4096
/** Four seconds of both sides; frames for a listener further behind are dropped. */
const UNREAD_MAX_BYTES = 64 * 1024
const LISTENERS_PER_CALL = 8
const GOODBYE_MS = 1000

export interface SoundSocketOptions {
  readonly calls: Calls
  readonly pickUp: PickUp | null
  readonly credentials: Pick<Credentials, 'opens'>
  /** Whether the socket was the carrier's, which then has it. */
  readonly takesSocket: (request: IncomingMessage, raw: Duplex, head: Buffer) => boolean
}

/** Serves the sound of live calls over WebSockets, to the api alone. */
export function addSoundSockets(server: FastifyInstance, options: SoundSocketOptions): void {
  const { calls, pickUp, credentials, takesSocket } = options
  const sockets = new WebSocketServer({ noServer: true, maxPayload: INCOMING_MAX_BYTES, perMessageDeflate: false })
  server.addHook('preClose', (done) => {
    for (const socket of sockets.clients) goodbye(socket, SOUND_CLOSE.goingAway, 'The voice service is restarting.')
    done()
  })
  server.server.on('upgrade', (request: IncomingMessage, raw: Duplex, head: Buffer) => {
    raw.on('error', () => raw.destroy())
    if (takesSocket(request, raw, head)) return
    const target = soundTarget(request.url ?? '')
    if (!target) return refuse(raw, '404 Not Found')
    if (!credentials.opens(request, target.callId)) return refuse(raw, '401 Unauthorized')
    sockets.handleUpgrade(request, raw, head, (socket) => {
      socket.on('error', () => socket.terminate())
      const session = calls.live(target.callId)
      const ending = target.kind === 'audio' ? session?.ended : calls.ending(target.callId)
      if (!ending) return socket.close(SOUND_CLOSE.notFound, 'No such call is live.')
      const opened =
        session && target.kind === 'audio' ? listenIn(session, socket) : answer(target.callId, pickUp, socket)
      if (!opened) return
      void ending.then(() => goodbye(socket, SOUND_CLOSE.over, 'The call is over.'))
      socket.send(JSON.stringify({ type: 'ready' } satisfies SoundReady))
    })
  })
}

function soundTarget(url: string): { readonly kind: SoundKind; readonly callId: string } | null {
  for (const kind of ['audio', 'answer'] as const) {
    const [before = '', after = ''] = VOICE_SOUND_PATHS[kind].split(':id')
    if (url.startsWith(before) && url.endsWith(after)) {
      const id = url.slice(before.length, url.length - after.length)
      if (/^[\w-]+$/.test(id)) return { kind, callId: id }
    }
  }
  return null
}

function refuse(raw: Duplex, status: string): void {
  raw.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** Terminates a socket that does not answer the close in time. */
function goodbye(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason)
  setTimeout(() => socket.terminate(), GOODBYE_MS).unref()
}

function listenIn({ sound, person }: CallSession, socket: WebSocket): boolean {
  if (sound.listeners >= LISTENERS_PER_CALL) {
    socket.close(SOUND_CLOSE.busy, 'Too many are listening in.')
    return false
  }
  const leave = sound.follow({ callee: sender(socket, SOUND_SIDES.callee), ours: sender(socket, SOUND_SIDES.agent) })
  socket.on('message', (data, isBinary) => {
    const audio = isBinary ? frameIn(data) : null
    if (audio) person.speak(audio, socket)
  })
  socket.once('close', () => {
    leave()
    person.lose(socket)
  })
  return true
}

function answer(callId: string, pickUp: PickUp | null, socket: WebSocket): boolean {
  const handset = pickUp?.(callId, sender(socket, SOUND_SIDES.agent)) ?? null
  if (!handset) {
    socket.close(SOUND_CLOSE.taken, 'The call does not ring here, or has been answered.')
    return false
  }
  socket.on('message', (data, isBinary) => {
    const audio = isBinary ? frameIn(data) : null
    if (audio) handset.voice(audio)
    const message = isBinary ? null : messageIn(data)
    if (message?.type === 'say') handset.say(message.text)
    if (message?.type === 'press') handset.dial(message.digits)
  })
  socket.once('close', () => handset.hangUp())
  return true
}

function sender(socket: WebSocket, side: number): (audio: Uint8Array) => void {
  return (audio) => {
    if (socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > UNREAD_MAX_BYTES) return
    const message = new Uint8Array(1 + audio.length)
    message[0] = side
    message.set(audio, 1)
    socket.send(message)
  }
}

function frameIn(data: unknown): Uint8Array | null {
  return data instanceof Buffer && data.length === SOUND_FRAME_BYTES ? new Uint8Array(data) : null
}

function messageIn(data: unknown): PhoneMessage | null {
  try {
    return PhoneMessage.safeParse(JSON.parse(String(data))).data ?? null
  } catch {
    return null
  }
}
