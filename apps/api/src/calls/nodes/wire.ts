import {
  BOOT_HEADER,
  type CallCommand,
  type CallOrder,
  CallStanding,
  CarrierStanding,
  ERROR_STATUS,
  type NewReading,
  OrderTaken,
  pathOf,
  CallSummary,
  Readings,
  type SoundKind,
  type VerificationOrder,
  type SummaryWanted,
  VOICE_PATHS,
  VOICE_SOUND_PATHS,
  VoiceHealth,
  type VoicePreview,
} from '@parley/contract'
import type { Keys } from '@parley/contract/keys'
import { activeTraceparent, TRACEPARENT_HEADER } from '@parley/traces'
import { WebSocket } from 'ws'

const ORDER_DEADLINE_MS = 5000
const COMMAND_DEADLINE_MS = 2000
const HEALTH_DEADLINE_MS = 1000
/** Longer than the voice service gives its mind. */
const SUMMARY_DEADLINE_MS = 25_000
const READING_DEADLINE_MS = 2000
/** Above that of the voice service. */
const PREVIEW_DEADLINE_MS = 12_000
const PREVIEW_MAX_BYTES = 2 * 1024 * 1024
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
  if (error instanceof VoiceRefusal || error instanceof NodeGone) return false
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

/** The process that had the call is gone: deaths.ts settles the call. */
export class NodeGone extends Error {
  constructor(callId: string) {
    super(`The voice node of call ${callId} is gone`)
  }
}

export type Standing = CallStanding['standing'] | 'never'

/** Requests to one process of the voice service, at its address. */
export class Wire {
  readonly #secrets: Secrets

  constructor([first, ...older]: Keys) {
    this.#secrets = [first.secret, ...older.map(({ secret }) => secret)]
  }

  async health(base: string): Promise<VoiceHealth | undefined> {
    const answer = await fetch(base + VOICE_PATHS.health, { signal: AbortSignal.timeout(HEALTH_DEADLINE_MS) })
    return VoiceHealth.safeParse(await answer.json()).data
  }

  /** @throws NodeGone when another process than that of the boot id answers: it has not taken the order */
  order(base: string, order: CallOrder, bootId?: string): Promise<OrderTaken> {
    return this.#order(base + VOICE_PATHS.calls, order, bootId)
  }

  /** The same for a call that tells a code. */
  announce(base: string, order: VerificationOrder, bootId?: string): Promise<OrderTaken> {
    return this.#order(base + VOICE_PATHS.verifications, order, bootId)
  }

  async #order(url: string, order: CallOrder | VerificationOrder, bootId?: string): Promise<OrderTaken> {
    const headers = bootId === undefined ? {} : { [BOOT_HEADER]: bootId }
    const answer = await this.#send(url, ORDER_DEADLINE_MS, order, this.#secrets, headers)
    if (answer.status === ERROR_STATUS.conflict) {
      await answer.body?.cancel()
      throw new NodeGone(order.callId)
    }
    return OrderTaken.parse(await jsonOf(answer))
  }

  async reading(base: string, order: NewReading): Promise<Readings> {
    return Readings.parse(await jsonOf(await this.#send(base + VOICE_PATHS.reading, READING_DEADLINE_MS, order)))
  }

  /** Shows the call's token. Returns whether the call was there. */
  async command(base: string, callId: string, command: CallCommand, tokens: readonly string[]): Promise<boolean> {
    const path = pathOf({ path: VOICE_PATHS.commands }, { id: callId })
    // The order came from an older api, or went to an older voice service: it is known without its token.
    const answer = await this.#send(base + path, COMMAND_DEADLINE_MS, command, orSecrets(tokens, this.#secrets))
    await answer.body?.cancel()
    if (answer.ok) return true
    if (answer.status === 404) return false
    throw new VoiceRefusal(answer.status)
  }

  /** @throws NodeGone when another process than that of the boot id answers */
  async standing(base: string, callId: string, bootId?: string): Promise<Standing> {
    const answer = await this.#ask(base, callId)
    const isOther = bootId !== undefined && answer.headers.get(BOOT_HEADER) !== bootId
    if (isOther || answer.status === 404) await answer.body?.cancel()
    if (isOther) throw new NodeGone(callId)
    return answer.status === 404 ? 'never' : CallStanding.parse(await jsonOf(answer)).standing
  }

  /** Whether the process of the boot id answers. */
  async isAlive(base: string, callId: string, bootId: string): Promise<boolean> {
    const answer = await this.#ask(base, callId).catch(() => undefined)
    await answer?.body?.cancel()
    return answer?.headers.get(BOOT_HEADER) === bootId
  }

  /** The socket is still connecting, or open and paused. */
  async line(base: string, kind: SoundKind, callId: string, tokens: readonly string[]): Promise<WebSocket> {
    const url = base.replace(/^http/, 'ws') + pathOf({ path: VOICE_SOUND_PATHS[kind] }, { id: callId })
    const [first = this.#secrets[0], ...further] = tokens
    let socket = connect(url, first)
    for (const token of further) {
      if (await isLetIn(socket)) break
      socket = connect(url, token)
    }
    return socket
  }

  /** The WAV file. */
  async preview(base: string, asked: VoicePreview): Promise<Buffer> {
    const query = new URLSearchParams(asked)
    const answer = await this.#send(`${base}${VOICE_PATHS.voicePreview}?${query.toString()}`, PREVIEW_DEADLINE_MS)
    if (answer.ok && Number(answer.headers.get('content-length')) <= PREVIEW_MAX_BYTES)
      return Buffer.from(await answer.arrayBuffer())
    await answer.body?.cancel()
    throw new VoiceRefusal(answer.status)
  }

  async carrierCall(base: string, carrierCallId: string): Promise<CarrierStanding | null> {
    const path = pathOf({ path: VOICE_PATHS.carrierCall }, { carrierCallId })
    const answer = await this.#send(base + path, ORDER_DEADLINE_MS)
    if (answer.status !== 404) return CarrierStanding.parse(await jsonOf(answer))
    await answer.body?.cancel()
    return null
  }

  async carrierHangUp(base: string, carrierCallId: string): Promise<void> {
    const path = pathOf({ path: VOICE_PATHS.carrierHangUp }, { carrierCallId })
    const answer = await this.#send(base + path, ORDER_DEADLINE_MS, {})
    await answer.body?.cancel()
    if (!answer.ok) throw new VoiceRefusal(answer.status)
  }

  async summarise(base: string, wanted: SummaryWanted): Promise<CallSummary> {
    const answer = await this.#send(base + VOICE_PATHS.summaries, SUMMARY_DEADLINE_MS, wanted)
    return CallSummary.parse(await jsonOf(answer))
  }

  #ask(base: string, callId: string): Promise<Response> {
    return this.#send(base + pathOf({ path: VOICE_PATHS.call }, { id: callId }), COMMAND_DEADLINE_MS)
  }

  /** Tries the next credential after 401: the other side may know one key of a rotation alone. */
  async #send(
    url: string,
    deadlineMs: number,
    body?: unknown,
    [first, ...further]: Secrets = this.#secrets,
    more = {},
  ): Promise<Response> {
    const traceparent = activeTraceparent()
    const signal = AbortSignal.timeout(deadlineMs)
    const ask = (bearer: string) => {
      const common = { authorization: `Bearer ${bearer}`, ...(traceparent && { [TRACEPARENT_HEADER]: traceparent }) }
      if (body === undefined) return fetch(url, { headers: common, signal })
      const headers = { ...common, 'content-type': 'application/json', ...more }
      return fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal })
    }
    let answer = await ask(first)
    for (const bearer of further) {
      if (answer.status !== ERROR_STATUS.unauthenticated) break
      await answer.body?.cancel()
      answer = await ask(bearer)
    }
    return answer
  }
}

type Secrets = readonly [string, ...string[]]

function orSecrets([first, ...further]: readonly string[], secrets: Secrets): Secrets {
  return first === undefined ? secrets : [first, ...further, ...secrets]
}

function connect(url: string, bearer: string): WebSocket {
  return new WebSocket(url, {
    headers: { authorization: `Bearer ${bearer}` },
    handshakeTimeout: COMMAND_DEADLINE_MS,
    maxPayload: LINE_MAX_BYTES,
    perMessageDeflate: false,
  })
}

/** Whether the credential of a connecting socket is taken; then it is paused. Rejects when it cannot be connected. */
function isLetIn(socket: WebSocket): Promise<boolean> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('unexpected-response', (request, { statusCode }) => {
      request.destroy()
      if (statusCode === ERROR_STATUS.unauthenticated) resolve(false)
      else reject(new VoiceRefusal(statusCode ?? 0))
    })
    socket.once('open', () => {
      socket.off('error', reject)
      socket.pause()
      resolve(true)
    })
  })
}

async function jsonOf(answer: Response): Promise<unknown> {
  if (answer.ok) return answer.json()
  await answer.body?.cancel()
  throw new VoiceRefusal(answer.status)
}
