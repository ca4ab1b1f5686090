import { lookup, resolveSrv } from 'node:dns/promises'
import { BlockList, isIP, isIPv6 } from 'node:net'
import type { Clock } from '@parley/voice-ports'
import { domainOf } from './identity.ts'
import { Registration, type RegistrationState } from './registration.ts'
import type { Agent } from './signalling/agent.ts'
import { Digest } from './signalling/digest.ts'
import type { Dialog } from './signalling/dialog.ts'
import { healthRequest } from './signalling/health.ts'
import { hostText } from './signalling/syntax.ts'
import type { Target } from './signalling/wire.ts'
import type { Trunk } from './trunks.ts'

const TARGETS_MAX = 4
/** Addresses that a name had stay allowed: calls go on there. */
const ADDRESSES_MAX = 256
const HEALTH_EVERY_MS = 30_000
const HEALTH_AGAIN_MS = 5000
/** A call that must wait longer for its turn takes another trunk. */
const PACE_MAX_MS = 3000
const REST_MAX_MS = 60_000

interface Place {
  readonly address: string
  readonly port: number
}

/** Where a trunk is, best first. Rejects when its name is not known. */
export type Resolve = (trunk: Trunk) => Promise<readonly Place[]>

export interface LinkOptions {
  readonly trunk: Trunk
  readonly agent: Agent
  readonly clock: Clock
  readonly resolve?: Resolve
  /** Learns by which address of ours the trunk reaches us. */
  readonly prepare: (target: Target) => Promise<void>
  readonly onState: (text: string) => void
}

/** One trunk: where it is, whether it is there, and how many calls it may take. */
export class TrunkLink {
  readonly trunk: Trunk
  readonly digest: Digest
  readonly #options: LinkOptions
  readonly #sources = new BlockList()
  readonly #addresses = new Set<string>()
  readonly #registration: Registration | null
  #targets: Target[] = []
  #calls = 0
  #nextSlotMs = 0
  #restUntilMs = 0
  #up = true
  #cancelHealth: (() => void) | null = null
  #isAsking = false
  /** A connection with calls on it broke: the trunk is asked even without `health`. */
  #isBroken = false
  #closed = false

  constructor(options: LinkOptions) {
    this.#options = options
    const { trunk, agent } = options
    this.trunk = trunk
    const { username, password } = trunk
    this.digest = new Digest(username !== undefined && password !== undefined ? { username, password } : null)
    for (const source of trunk.sources) allow(this.#sources, source)
    this.#registration = trunk.register
      ? new Registration({
          trunk,
          agent,
          digest: this.digest,
          target: () => this.#targets[0] ?? null,
          contact: (target) => this.contact(target),
          onState: (state) => options.onState(registrationText(state)),
        })
      : null
  }

  /** Looks the trunk up, and begins to ask for its health. A trunk whose name is not known is tried again. */
  async open(): Promise<void> {
    await this.#resolve()
    this.#registration?.start()
    this.#askLater(0)
  }

  get isUp(): boolean {
    const { clock } = this.#options
    return this.#up && this.#targets.length > 0 && clock.nowMs() >= this.#restUntilMs
  }

  get registration(): RegistrationState | null {
    return this.#registration?.state ?? null
  }

  get targets(): readonly Target[] {
    return this.#targets
  }

  isAllowed(address: string): boolean {
    return this.#addresses.has(address) || this.#sources.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }

  /** Whether a host of a URI is this trunk. */
  isOwnHost(host: string): boolean {
    const plain = host.replaceAll(/[[\]]/g, '').toLowerCase()
    if (isIP(plain) !== 0) return this.isAllowed(plain)
    return plain === this.trunk.host.toLowerCase() || plain === this.trunk.domain?.toLowerCase()
  }

  /** Takes one of the places for calls; null: all are taken. */
  take(): (() => void) | null {
    if (this.#calls >= this.trunk.concurrency) return null
    this.#calls++
    let held = true
    return () => {
      if (held) this.#calls--
      held = false
    }
  }

  /** How long the next call must wait for its turn; null: too long. */
  pace(): number | null {
    const nowMs = this.#options.clock.nowMs()
    const slotMs = Math.max(nowMs, this.#nextSlotMs)
    if (slotMs - nowMs > PACE_MAX_MS) return null
    this.#nextSlotMs = slotMs + 1000 / this.trunk.callsPerSecond
    return slotMs - nowMs
  }

  /** After 503 with Retry-After, or no answer at all: others are tried first for a while. */
  rest(ms: number): void {
    this.#restUntilMs = this.#options.clock.nowMs() + Math.min(ms, REST_MAX_MS)
    this.#targets.push(...this.#targets.splice(0, 1))
    this.#askLater(HEALTH_AGAIN_MS)
  }

  contact(target: Target): string {
    const { host, port } = this.#options.agent.wire.localTo(target)
    const transport = target.transport === 'udp' ? '' : `;transport=${target.transport}`
    return `<sip:parley@${hostText(host)}:${port}${transport}>`
  }

  /**
   * The way of requests within a dialog: to the far end itself where it is one of the trunk's addresses, and otherwise to
   * where the call was sent. No Contact sends our packets to a stranger, or past TLS.
   */
  routeOf(dialog: Dialog, first: Target): Target {
    const hop = dialog.nextHop
    const address = hop?.host.replaceAll(/[[\]]/g, '') ?? ''
    if (!hop || isIP(address) === 0 || !this.isAllowed(address)) return first
    if (address === first.address && first.transport !== 'udp') return first
    return { ...first, address, port: hop.port ?? defaultPort(this.trunk) }
  }

  /** A connection to it broke: with calls on it, it is opened again at once. */
  disconnected(): void {
    if (this.#calls === 0) return
    this.#isBroken = true
    this.#askLater(0)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancelHealth?.()
    await this.#registration?.close()
  }

  async #resolve(): Promise<void> {
    const { trunk, resolve = resolveByDns, prepare, onState } = this.#options
    try {
      const places = await resolve(trunk)
      const serverName = trunk.transport === 'tls' ? trunk.host : null
      const targets = places
        .slice(0, TARGETS_MAX)
        .map((place) => ({ ...place, transport: trunk.transport, serverName }))
      for (const target of targets) {
        if (this.#addresses.size < ADDRESSES_MAX) this.#addresses.add(target.address)
        await prepare(target)
      }
      if (targets.length > 0) this.#targets = targets
    } catch {
      onState(`its name ${trunk.host} is not known`)
    }
  }

  #askLater(delayMs: number): void {
    this.#cancelHealth?.()
    if (!this.#closed) this.#cancelHealth = this.#options.clock.after(delayMs, () => void this.#ask())
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    if (!this.#up || this.#targets.length === 0) await this.#resolve()
    const [target] = this.#targets
    const isThere = target && (this.trunk.health || this.#isBroken) ? await this.#answers(target) : target !== undefined
    this.#isAsking = false
    if (this.#closed) return
    if (isThere !== this.#up) this.#options.onState(isThere ? 'answers again' : 'does not answer')
    this.#up = isThere
    if (isThere) {
      this.#restUntilMs = 0
      this.#isBroken = false
    }
    if (!isThere) this.#targets.push(...this.#targets.splice(0, 1))
    this.#askLater(isThere ? HEALTH_EVERY_MS : HEALTH_AGAIN_MS)
  }

  #answers(target: Target): Promise<boolean> {
    const { agent } = this.#options
    const request = healthRequest(domainOf(this.trunk), this.contact(target))
    return new Promise((resolve) => {
      try {
        agent.transactions.request(request, target, {
          // Also a refusal comes from somebody who is there; 503 says that it takes no calls.
          onResponse: ({ status }) => (status >= 200 ? resolve(status !== 503) : undefined),
          onFailed: () => resolve(false),
        })
      } catch {
        resolve(false)
      }
    })
  }
}

function allow(list: BlockList, network: string): void {
  const [address = '', bits] = network.split('/')
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (bits === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(bits), family)
}

const defaultPort = ({ port, transport }: Trunk): number => port ?? (transport === 'tls' ? 5061 : 5060)

/** RFC 3263: SRV where no port is given, addresses otherwise. */
export const resolveByDns: Resolve = async (trunk) => {
  const { host, transport } = trunk
  const port = defaultPort(trunk)
  if (isIP(host) !== 0) return [{ address: host, port }]
  const service = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp' }[transport]
  const records = trunk.port === undefined ? await resolveSrv(`${service}.${host}`).catch(() => []) : []
  const named = records
    .toSorted((a, b) => a.priority - b.priority || b.weight - a.weight)
    .slice(0, TARGETS_MAX)
    .map((record) => ({ name: record.name, port: record.port }))
  const places: Place[] = []
  for (const { name, port: at } of named.length > 0 ? named : [{ name: host, port }])
    for (const { address } of await lookup(name, { all: true, order: 'ipv4first' })) places.push({ address, port: at })
  return places
}

function registrationText({ state, message }: RegistrationState): string {
  return state === 'registered' ? 'is registered' : `is not registered: ${message ?? 'it was not asked yet'}`
}
