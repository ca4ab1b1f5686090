import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '@parley/voice-ports'
import { domainOf } from './identity.ts'
import { type Resolve, resolveByDns } from './link.ts'
import { registerRequest } from './registration.ts'
import { Agent } from './signalling/agent.ts'
import type { RequestFailure } from './signalling/client-transaction.ts'
import { Digest } from './signalling/digest.ts'
import { Exchange } from './signalling/exchange.ts'
import { healthRequest } from './signalling/health.ts'
import type { SipRequest, SipResponse } from './signalling/message.ts'
import { SipSockets } from './signalling/transport/sockets.ts'
import type { Target } from './signalling/wire.ts'
import type { Trunk } from './trunks.ts'

const ANSWER_MAX_MS = 6000

/** problem: what is wrong; mend: what to do about it; one sentence each. */
export type TrunkCheck =
  | { readonly ok: true; readonly detail: string }
  | { readonly ok: false; readonly problem: string; readonly mend: string }

export interface CheckOptions {
  /** The address to ask from, as in the trunk file. */
  readonly address?: string
  /** Authorities to trust for tls, PEM. */
  readonly certificates?: string
  readonly resolve?: Resolve
}

type Outcome =
  | { readonly response: SipResponse; readonly refused: string | null }
  | { readonly failure: RequestFailure }

/** Asks a trunk whether it is there and takes the credentials, from a port of its own. Changes nothing there. */
export async function checkTrunk(trunk: Trunk, signal: AbortSignal, options: CheckOptions = {}): Promise<TrunkCheck> {
  const { address = '0.0.0.0', certificates, resolve = resolveByDns } = options
  const [place] = await resolve(trunk).catch(() => [])
  if (!place)
    return bad(`The name ${trunk.host} is not known.`, "Correct the trunk's host, or the DNS of this machine.")
  const target: Target = {
    ...place,
    transport: trunk.transport,
    serverName: trunk.transport === 'tls' ? trunk.host : null,
  }
  const clock = systemClock()
  const sockets = new SipSockets({
    bindAddress: address,
    port: 0,
    publicHost: null,
    listensTcp: false,
    ca: certificates ?? null,
    isAllowed: (from) => from === target.address,
    onReceived: (received) => agent.receive(received),
    onDisconnected: () => undefined,
  })
  const agent = new Agent({ clock, wire: sockets })
  try {
    await sockets.open()
    await sockets.prepare(target)
    return await ask({ trunk, target, agent, clock, signal, digest: digestOf(trunk) })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return bad(`The trunk could not be asked: ${why}.`, 'Use an address of this machine in listen.address.')
  } finally {
    agent.close()
    await sockets.close()
  }
}

interface Asked {
  readonly trunk: Trunk
  readonly target: Target
  readonly agent: Agent
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly digest: Digest
}

async function ask(asked: Asked): Promise<TrunkCheck> {
  const { trunk, target, agent } = asked
  const { host, port } = agent.wire.localTo(target)
  const contact = `<sip:parley@${host}:${port}>`
  const callId = randomBytes(12).toString('hex')
  let cseq = 0
  const health = await exchange(asked, () => healthRequest(domainOf(trunk), contact, callId, ++cseq))
  if ('failure' in health) return unreached(asked, health.failure)
  const wrong = refusalOf(health)
  if (wrong) return wrong
  const there = `${trunk.host} answers at ${target.address}:${target.port} over ${target.transport}`
  if (!trunk.register)
    return { ok: true, detail: `${there}.${trunk.username === undefined ? '' : ' The first call tries the password.'}` }
  const query = await exchange(asked, () => registerRequest(trunk, `${callId}.r`, ++cseq, null))
  if ('failure' in query) return unreached(asked, query.failure)
  const unregistered = refusalOf(query)
  if (unregistered) return unregistered
  if (query.response.status >= 300) {
    const { status, reason } = query.response
    return bad(`The trunk refuses to register ${trunk.username} (${status} ${reason}).`, MEND_ACCOUNT)
  }
  return { ok: true, detail: `${there} and takes the password.` }
}

/** Null: nothing is wrong with the credentials, whatever else was answered. */
function refusalOf(outcome: Exclude<Outcome, { failure: unknown }>): TrunkCheck | null {
  const { response, refused } = outcome
  if (refused !== null) return bad(refused, MEND_ACCOUNT)
  const { status, reason } = response
  if (status === 403)
    return bad(`The trunk refuses this machine (403 ${reason}).`, "Add this machine's public address at the provider.")
  if (status === 503)
    return bad(`The trunk takes no calls now (503 ${reason}).`, 'Try later, or ask the provider about its state.')
  return null
}

function unreached({ trunk, target }: Asked, { kind, message }: RequestFailure): TrunkCheck {
  const place = `${target.address}:${target.port}`
  switch (kind) {
    case 'timeout':
      return bad(
        `${place} does not answer over ${trunk.transport}.`,
        'Check host, port and transport, and that the firewall lets SIP out and its answers in.',
      )
    case 'refused':
      return bad(message, 'Check port and transport: the trunk does not take connections there.')
    case 'certificate':
      return bad(message, `Use the host name that the certificate bears, or add its authority to "certificates".`)
    case 'unreachable':
    case 'closed':
    case 'busy':
      return bad(message, 'Check host, port and transport, and the network of this machine.')
  }
}

async function exchange(asked: Asked, build: () => SipRequest): Promise<Outcome> {
  const { agent, digest, target, clock, signal } = asked
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const late = () => resolve({ failure: { kind: 'timeout', message: 'No answer came.' } })
  const cancel = clock.after(ANSWER_MAX_MS, late)
  signal.addEventListener('abort', late, { once: true })
  if (signal.aborted) late()
  new Exchange({
    transactions: agent.transactions,
    digest,
    target,
    build,
    onFinal: (response, _, refused) => resolve({ response, refused }),
    onFailed: (failure) => resolve({ failure }),
  })
  try {
    return await promise
  } finally {
    cancel()
    signal.removeEventListener('abort', late)
  }
}

const MEND_ACCOUNT = "Correct the trunk's username and password."
const bad = (problem: string, mend: string): TrunkCheck => ({ ok: false, problem, mend })

function digestOf({ username, password }: Trunk): Digest {
  return new Digest(username !== undefined && password !== undefined ? { username, password } : null)
}
