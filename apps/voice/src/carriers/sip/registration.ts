import { randomBytes } from 'node:crypto'
import { domainOf } from './identity.ts'
import { type Agent, USER_AGENT } from './signalling/agent.ts'
import type { Digest } from './signalling/digest.ts'
import { Exchange } from './signalling/exchange.ts'
import { Headers, type SipRequest, type SipResponse } from './signalling/message.ts'
import { parseNameAddr } from './signalling/syntax.ts'
import type { Target } from './signalling/wire.ts'
import type { Trunk } from './trunks.ts'

const EXPIRES_SECONDS = 600
const EXPIRES_LEAST_SECONDS = 30
const EXPIRES_MOST_SECONDS = 3600
const AGAIN_MS = [5000, 10_000, 30_000, 60_000, 300_000] as const
/** At the end of the process; the registration expires by itself otherwise. */
const FAREWELL_MAX_MS = 1000

export interface RegistrationState {
  readonly state: 'none' | 'registered' | 'failed'
  /** One sentence. */
  readonly message: string | null
}

export interface RegistrationOptions {
  readonly trunk: Trunk
  readonly agent: Agent
  readonly digest: Digest
  readonly target: () => Target | null
  readonly contact: (target: Target) => string
  readonly onState: (state: RegistrationState) => void
}

/** Stays registered with a trunk that wants that (RFC 3261 section 10). */
export class Registration {
  readonly #options: RegistrationOptions
  readonly #callId = randomBytes(12).toString('hex')
  #cseq = 0
  #expiresSeconds = EXPIRES_SECONDS
  #failures = 0
  #state: RegistrationState = { state: 'none', message: null }
  #cancel: (() => void) | null = null
  #closed = false

  constructor(options: RegistrationOptions) {
    this.#options = options
  }

  get state(): RegistrationState {
    return this.#state
  }

  start(): void {
    const target = this.#options.target()
    if (this.#closed) return
    if (!target) return this.#fail('The address of the trunk is not known.')
    this.#send(target, this.#expiresSeconds, (response, message) => {
      if (this.#closed) return
      if (response && response.status < 300) return this.#registered(response)
      // RFC 3261 section 10.2.8.
      const least = Number(/^\d{1,5}/.exec(response?.headers.get('min-expires') ?? '')?.[0] ?? 0)
      if (response?.status === 423 && least > this.#expiresSeconds && least <= 86_400) {
        this.#expiresSeconds = least
        return this.start()
      }
      this.#fail(message)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancel?.()
    const target = this.#options.target()
    if (this.#state.state !== 'registered' || !target) return
    await new Promise<void>((resolve) => {
      const cancel = this.#options.agent.clock.after(FAREWELL_MAX_MS, resolve)
      this.#send(target, 0, () => {
        cancel()
        resolve()
      })
    })
  }

  #send(target: Target, expires: number, done: (response: SipResponse | null, message: string) => void): void {
    const { agent, digest, trunk, contact } = this.#options
    new Exchange({
      transactions: agent.transactions,
      digest,
      target,
      build: () => registerRequest(trunk, this.#callId, ++this.#cseq, { contact: contact(target), expires }),
      onFinal: (response, _, refused) =>
        done(response, refused ?? `The trunk answered ${response.status} ${response.reason}.`),
      onFailed: (failure) => done(null, failure.message),
    })
  }

  #registered(response: SipResponse): void {
    this.#failures = 0
    this.#tell({ state: 'registered', message: null })
    const granted = expiresIn(response) ?? this.#expiresSeconds
    const seconds = Math.min(EXPIRES_MOST_SECONDS, Math.max(EXPIRES_LEAST_SECONDS, granted))
    // Early enough for a second try.
    this.#again(seconds * 1000 - Math.min(60_000, seconds * 400))
  }

  #fail(message: string): void {
    this.#tell({ state: 'failed', message })
    this.#again(AGAIN_MS[Math.min(this.#failures++, AGAIN_MS.length - 1)] ?? AGAIN_MS[0])
  }

  #again(delayMs: number): void {
    this.#cancel?.()
    this.#cancel = this.#options.agent.clock.after(delayMs, () => this.start())
  }

  #tell(state: RegistrationState): void {
    const before = this.#state
    this.#state = state
    if (before.state !== state.state || before.message !== state.message) this.#options.onState(state)
  }
}

/** REGISTER; without a binding it only asks for those that there are. */
export function registerRequest(
  trunk: Trunk,
  callId: string,
  cseq: number,
  binding: { readonly contact: string; readonly expires: number } | null,
): SipRequest {
  const domain = domainOf(trunk)
  const address = `<sip:${encodeURIComponent(trunk.username ?? 'anonymous')}@${domain}>`
  const headers = new Headers()
    .add('max-forwards', '70')
    .add('from', `${address};tag=${callId}`)
    .add('to', address)
    .add('call-id', callId)
    .add('cseq', `${cseq} REGISTER`)
    .add('user-agent', USER_AGENT)
  if (binding) headers.add('contact', binding.contact).add('expires', String(binding.expires))
  return { type: 'request', method: 'REGISTER', uri: `sip:${domain}`, headers, body: '' }
}

/** How long the registrar keeps our binding: with several, the shortest. */
function expiresIn({ headers }: SipResponse): number | null {
  const ours = headers
    .values('contact')
    .slice(0, 32)
    .map((value) => Number(parseNameAddr(value)?.params.get('expires') ?? headers.get('expires') ?? Number.NaN))
    .filter((seconds) => Number.isInteger(seconds) && seconds > 0)
  return ours.length > 0 ? Math.min(...ours) : null
}
