import {
  BROWSER_PHONE_ENDS,
  IdParams,
  isVerificationId,
  SOUND_CLOSE,
  SOUND_PATHS,
  type SoundKind,
  type LiveMessage,
} from '@parley/contract'
import { and, eq } from 'drizzle-orm'
import { WebSocket } from 'ws'
import type { Reader } from '../platform/db.ts'
import type { Sockets, Visit } from '../platform/sockets.ts'
import { isLiveVerification, ringingVerifications } from './callers/dial.ts'
import { isOver } from './lifecycle.ts'
import type { CallsRoom } from './room.ts'
import { call, type CallRow } from './schema.ts'

/** Some seconds of sound; a slower page or network loses frames. */
const UNREAD_MAX_BYTES = 64 * 1024

/** Relays the sound of a user's own live calls between pages and the voice service. */
export function serveSound(sockets: Sockets, room: CallsRoom): void {
  for (const kind of ['audio', 'answer'] as const) sockets.serve(SOUND_PATHS[kind], (visit) => relay(room, kind, visit))
}

async function relay(
  room: Pick<CallsRoom, 'db' | 'log' | 'voice'>,
  kind: SoundKind,
  { socket: page, request, actor }: Visit,
): Promise<void> {
  const { id = '' } = IdParams.safeParse(request.params).data ?? {}
  if (!(await isLive(room.db, actor.userId, id, kind)))
    return page.close(SOUND_CLOSE.notFound, 'The call was not found, or has ended.')
  const voice = await room.voice.line(kind, id).catch((error: unknown) => {
    room.log.warn({ err: error, callId: id }, 'line')
    return undefined
  })
  if (!voice) return page.close(SOUND_CLOSE.unavailable, 'The call could not be reached. Please try again.')
  voice.on('error', (error) => {
    room.log.warn({ err: error, callId: id }, 'line')
    page.close(SOUND_CLOSE.unavailable, 'The call could not be reached. Please try again.')
  })
  if (page.readyState !== page.OPEN) return voice.close()
  voice.on('message', (data, isBinary) => pass(page, data, isBinary))
  page.on('message', (data, isBinary) => pass(voice, data, isBinary))
  voice.once('close', (code, reason) =>
    page.close(isTellable(code) ? code : SOUND_CLOSE.unavailable, reason.toString()),
  )
  page.once('close', () => voice.close())
  voice.resume()
}

async function isLive(reader: Reader, userId: string, id: string, kind: SoundKind): Promise<boolean> {
  if (isVerificationId(id)) return kind === 'answer' && isLiveVerification(reader, userId, id)
  const [row] = await reader
    .select()
    .from(call)
    .where(and(eq(call.id, id), eq(call.userId, userId)))
  return row !== undefined && !isOver(row)
}

function pass(to: WebSocket, data: WebSocket.RawData, isBinary: boolean): void {
  if (to.readyState !== WebSocket.OPEN || to.bufferedAmount > UNREAD_MAX_BYTES) return
  to.send(data, { binary: isBinary })
}

/** Codes that may be sent in a close frame; others (1005, 1006) only report a lost connection. */
function isTellable(code: number): boolean {
  return code === 1000 || code === 1001 || code >= 4000
}

/** Numbers of the simulated network that ring in the caller's own browser. */
function ringsInBrowser(
  { config }: Pick<CallsRoom, 'config'>,
  { status, callee, isTest }: Pick<CallRow, 'status' | 'callee' | 'isTest'>,
): boolean {
  const isSimulated = config.numbers === 'simulated' || isTest
  return isSimulated && status === 'ringing' && callee.endsWith(BROWSER_PHONE_ENDS)
}

/** Messages to the user's pages when a call begins to ring in the browser. */
export function incomingMessages(room: Pick<CallsRoom, 'config'>, row: CallRow): LiveMessage[] {
  const { id: callId, callee, onBehalfOf } = row
  return ringsInBrowser(room, row) ? [{ type: 'incoming_call', callId, callee, onBehalfOf }] : []
}

/** For a page opened while a call rings. */
export async function ringingMessages(room: Pick<CallsRoom, 'config' | 'db'>, userId: string): Promise<LiveMessage[]> {
  const rows = await room.db
    .select()
    .from(call)
    .where(and(eq(call.userId, userId), eq(call.status, 'ringing')))
  return [...rows.flatMap((row) => incomingMessages(room, row)), ...(await ringingVerifications(room.db, userId))]
}
