import {
  joinNode,
  nodeHeartbeat,
  type NodeHeartbeat,
  type NodeJoin,
  NodeJoined,
  NodeKnown,
  pathOf,
} from '@parley/contract'
import type { Keys } from '@parley/contract/keys'
import type { Logger } from 'pino'

export interface MembershipOptions {
  readonly apiUrl: string
  /** Those that api and voice share: during a rotation the api may know one of them alone. */
  readonly keys: Keys
  readonly node: NodeJoin
  readonly log: Logger
  readonly pace?: Partial<Pace>
}

/** Wall-clock times: nodes do not follow call time. */
interface Pace {
  readonly firstRetryMs: number
  readonly longestRetryMs: number
  /** Between attempts to join an api that knows no nodes yet: it may be upgraded meanwhile. */
  readonly olderApiMs: number
  readonly requestTimeoutMs: number
}

const PACE: Pace = { firstRetryMs: 250, longestRetryMs: 5000, olderApiMs: 30_000, requestTimeoutMs: 2000 }

/** An api that starts together with this node does not answer yet: some 7 s of retries before it is worth a warning. */
const QUIET_RETRIES = 5

/** This process among the voice nodes: it joins, sends heartbeats, drains and leaves. */
export class Membership {
  readonly #options: MembershipOptions
  readonly #pace: Pace
  #joined: NodeJoined | null = null
  #state: NodeHeartbeat['state'] = 'ready'
  #retries = 0
  #isOver = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: MembershipOptions) {
    this.#options = options
    this.#pace = { ...PACE, ...options.pace }
  }

  start(): void {
    void this.#turn()
  }

  /** The api gives this node no more calls; it goes on living. Resolves when that was said, or could not be. */
  async drain(): Promise<void> {
    this.#state = 'draining'
    await this.#beat()
  }

  /** The last word: no calls are left. */
  async leave(): Promise<void> {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#state = 'leaving'
    await this.#beat()
  }

  async #turn(): Promise<void> {
    const pauseMs = this.#joined === null ? await this.#join() : await this.#beat()
    if (!this.#isOver) this.#timer = setTimeout(() => void this.#turn(), pauseMs)
  }

  /** Returns the ms until the next turn. */
  async #join(): Promise<number> {
    const { node, keys, log } = this.#options
    const [first, ...older] = keys
    let answer = await this.#post(joinNode.path, first.secret, node)
    for (const { secret } of older) if (answer?.status === 401) answer = await this.#post(joinNode.path, secret, node)
    const joined = answer?.status === 200 ? NodeJoined.safeParse(answer.body).data : undefined
    if (joined) {
      this.#joined = joined
      this.#retries = 0
      log.info({ nodeId: node.nodeId, bootId: node.bootId }, 'joined the api')
      return 0
    }
    if (answer?.status === 404) {
      log.info('the api knows no voice nodes: it reaches this one by VOICE_URL')
      return this.#pace.olderApiMs
    }
    if (answer?.status === 409) log.error({ nodeId: node.nodeId }, 'a newer process has joined under this NODE_ID')
    else if (answer) log.warn({ status: answer.status }, 'the api did not let this node join')
    else {
      const level = this.#retries < QUIET_RETRIES ? 'debug' : 'warn'
      log[level](
        { retries: this.#retries, apiUrl: this.#options.apiUrl },
        'the api is not reached: this node has not joined',
      )
    }
    return this.#backOff()
  }

  async #beat(): Promise<number> {
    const { node, log } = this.#options
    if (this.#joined === null) return 0
    const { credentials, heartbeatMs } = this.#joined
    const body = { bootId: node.bootId, state: this.#state }
    const answer = await this.#post(pathOf(nodeHeartbeat, { id: node.nodeId }), credentials, body)
    if (answer === undefined || answer.status >= 500) {
      log.warn({ status: answer?.status }, 'heartbeat not taken')
      return heartbeatMs
    }
    if (answer.status === 200 && NodeKnown.safeParse(answer.body).success) return heartbeatMs
    // Not known any more, after a restore of its database, or not under these credentials.
    log.warn({ status: answer.status }, 'heartbeat refused: joining again')
    this.#joined = null
    return this.#backOff()
  }

  #backOff(): number {
    const { firstRetryMs, longestRetryMs } = this.#pace
    // Jitter, so that nodes do not join in step after a restart of the api.
    return Math.min(longestRetryMs, firstRetryMs * 2 ** this.#retries++) * (0.5 + Math.random() / 2)
  }

  async #post(path: string, secret: string, body: object): Promise<{ status: number; body: unknown } | undefined> {
    try {
      const reply = await fetch(new URL(path, this.#options.apiUrl), {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(this.#pace.requestTimeoutMs),
      })
      return { status: reply.status, body: await reply.json().catch(() => undefined) }
    } catch (error) {
      this.#options.log.debug({ err: error }, 'api not reached')
      return undefined
    }
  }
}
