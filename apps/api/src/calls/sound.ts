import {
  BROWSER_PHONE_ENDS,
  IdParams,
  SOUND_CLOSE,
  SOUND_PATHS,
  type SoundKind,
  type LiveMessage,
} from '@parley/contract'
import { and, eq } from 'drizzle-orm'
import { WebSocket } from 'ws'
import type { Sockets, Visit } from '../platform/sockets.ts'
import { isOver } from './lifecycle.ts'
import type { CallsRoom } from './room.ts'
import { call, type CallRow } from './schema.ts'

/** Some seconds of sound: a page or a network that is further behind misses what comes. */
const UNREAD_MAX_BYTES = 64 * 1024

/** The sound of a person's own live calls, between their pages and the voice service. */
export function serveSound(sockets: Sockets, room: CallsRoom): void {
  for (const kind of ['audio', 'answer'] as const) sockets.serve(SOUND_PATHS[kind], (visit) => relay(room, kind, visit))
}

async function relay(
  room: Pick<CallsRoom, 'db' | 'log' | 'voice'>,
  kind: SoundKind,
  { socket: page, request, actor }: Visit,
): Promise<void> {
  const { id = '' } = IdParams.safeParse(request.params).data ?? {}
  const [row] = await room.db
    .select()
    .from(call)
    .where(and(eq(call.id, id), eq(call.userId, actor.userId)))
  if (!row || isOver(row)) return page.close(SOUND_CLOSE.notFound, 'The call was not found, or has ended.')
  if (page.readyState !== page.OPEN) return
  const voice = room.voice.line(kind, id)
  voice.on('message', (data, isBinary) => pass(page, data, isBinary))
  page.on('message', (data, isBinary) => pass(voice, data, isBinary))
  voice.once('close', (code, reason) =>
    page.close(isTellable(code) ? code : SOUND_CLOSE.unavailable, reason.toString()),
  )
  voice.on('error', (error) => {
    room.log.warn({ err: error, callId: id }, 'line')
    page.close(SOUND_CLOSE.unavailable, 'The call could not be reached. Please try again.')
  })
  page.once('close', () => voice.close())
}

function pass(to: WebSocket, data: WebSocket.RawData, isBinary: boolean): void {
  if (to.readyState !== WebSocket.OPEN || to.bufferedAmount > UNREAD_MAX_BYTES) return
  to.send(data, { binary: isBinary })
}

/** Others are made up where a connection broke, and cannot be sent. */
function isTellable(code: number): boolean {
  return code === 1000 || code === 1001 || code >= 4000
}

/** Of the simulated network: it rings in the browser of whoever placed the call. */
function ringsInBrowser(
  { config }: Pick<CallsRoom, 'config'>,
  { status, callee }: Pick<CallRow, 'status' | 'callee'>,
): boolean {
  return config.voice.carrier === 'simulated' && status === 'ringing' && callee.endsWith(BROWSER_PHONE_ENDS)
}

/** What the person's pages are told of a call that has begun to ring at their own telephone. */
export function incomingMessages(room: Pick<CallsRoom, 'config'>, row: CallRow): LiveMessage[] {
  const { id: callId, callee, onBehalfOf } = row
  return ringsInBrowser(room, row) ? [{ type: 'incoming_call', callId, callee, onBehalfOf }] : []
}

/** For a page that opens while it rings. */
export async function ringingMessages(room: Pick<CallsRoom, 'config' | 'db'>, userId: string): Promise<LiveMessage[]> {
  const rows = await room.db
    .select()
    .from(call)
    .where(and(eq(call.userId, userId), eq(call.status, 'ringing')))
  return rows.flatMap((row) => incomingMessages(room, row))
}
