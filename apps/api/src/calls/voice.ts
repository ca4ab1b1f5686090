import {
  type CallCommand,
  type CallOrder,
  CallStanding,
  type SoundKind,
  OrderTaken,
  pathOf,
  VOICE_SOUND_PATHS,
  VOICE_PATHS,
  VoiceHealth,
} from '@parley/contract'
import { WebSocket } from 'ws'
import type { Config } from '../config.ts'

const ORDER_DEADLINE_MS = 5000
const COMMAND_DEADLINE_MS = 2000
const AWAY_DEADLINE_MS = 1000
/** Above the size of a frame or message of the voice service. */
const LINE_MAX_BYTES = 4096

/** The voice service responded with an error. */
export class VoiceRefusal extends Error {
  readonly status: number

  constructor(status: number) {
    super(`The voice service answered ${status}`)
    this.status = status
  }
}

/** Whether voice may have received the order: no response came, but the request may have arrived. */
export function mayHaveArrived(error: unknown): boolean {
  if (error instanceof VoiceRefusal) return false
  const cause = error instanceof Error ? error.cause : undefined
  return !(cause instanceof Error && NEVER_SENT.has(String(Reflect.get(cause, 'code'))))
}

/** Errors before a connection was made. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

export interface Voice {
  /** Whether voice is down or stopping. A full service does not count: it frees a place soon. */
  isAway(): Promise<boolean>
  /** Throws VoiceRefusal, or any other error when voice could not be reached; then it may or may not have the order. */
  order(order: CallOrder): Promise<OrderTaken>
  /** Sends a command. Returns whether the call was there. */
  command(callId: string, command: CallCommand): Promise<boolean>
  /** The call's standing at voice; `never`: it was not dialed. */
  ask(callId: string): Promise<CallStanding['standing'] | 'never'>
  /** A socket with the sound of a live call; it is still connecting. */
  line(kind: SoundKind, callId: string): Promise<WebSocket>
}

/** `tokenOf`: the token of a call's order, shown with what concerns that call alone. */
export function createVoice(
  { url, secret }: Config['voice'],
  tokenOf: (callId: string) => Promise<string | undefined>,
): Voice {
  const send = async (path: string, deadlineMs: number, body?: unknown, bearer = secret): Promise<Response> => {
    const authorization = `Bearer ${bearer}`
    const signal = AbortSignal.timeout(deadlineMs)
    if (body === undefined) return fetch(url + path, { headers: { authorization }, signal })
    const headers = { authorization, 'content-type': 'application/json' }
    return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body), signal })
  }
  const ask = async (): Promise<boolean> => {
    const answer = await fetch(url + VOICE_PATHS.health, { signal: AbortSignal.timeout(AWAY_DEADLINE_MS) })
    return VoiceHealth.safeParse(await answer.json()).data?.status === 'draining'
  }
  let asking: Promise<boolean> | undefined
  return {
    isAway: () =>
      (asking ??= ask()
        .then(
          (away) => away,
          () => true,
        )
        .finally(() => (asking = undefined))),
    line: async (kind, callId) =>
      new WebSocket(url.replace(/^http/, 'ws') + pathOf({ path: VOICE_SOUND_PATHS[kind] }, { id: callId }), {
        headers: { authorization: `Bearer ${(await tokenOf(callId)) ?? secret}` },
        handshakeTimeout: COMMAND_DEADLINE_MS,
        maxPayload: LINE_MAX_BYTES,
        perMessageDeflate: false,
      }),
    async order(order) {
      const answer = await send(VOICE_PATHS.calls, ORDER_DEADLINE_MS, order)
      return OrderTaken.parse(await jsonOf(answer))
    },
    async command(callId, command) {
      const path = pathOf({ path: VOICE_PATHS.commands }, { id: callId })
      let answer = await send(path, COMMAND_DEADLINE_MS, command, await tokenOf(callId))
      await answer.body?.cancel()
      // The order came from an older api, or went to an older voice service: it is known without its token.
      if (answer.status === 401) {
        answer = await send(path, COMMAND_DEADLINE_MS, command)
        await answer.body?.cancel()
      }
      if (answer.ok) return true
      if (answer.status === 404) return false
      throw new VoiceRefusal(answer.status)
    },
    async ask(callId) {
      const answer = await send(pathOf({ path: VOICE_PATHS.call }, { id: callId }), COMMAND_DEADLINE_MS)
      if (answer.status === 404) {
        await answer.body?.cancel()
        return 'never'
      }
      return CallStanding.parse(await jsonOf(answer)).standing
    },
  }
}

async function jsonOf(answer: Response): Promise<unknown> {
  if (answer.ok) return answer.json()
  await answer.body?.cancel()
  throw new VoiceRefusal(answer.status)
}
