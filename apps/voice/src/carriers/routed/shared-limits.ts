import { randomUUID } from 'node:crypto'
import type { Clock } from '@parley/voice-ports'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import {
  bucketSize,
  type CarrierLimit,
  type CarrierLimits,
  type LimitRefusal,
  paused,
  type Release,
  START_WAIT_MAX_MS,
} from './limits.ts'

/** A place of a node that does not renew it lapses after this: so long a dead node holds what it had. */
const PLACE_MS = 15_000
/** Renewals in that time. */
const RENEWALS = 3
/** Redis answers a node in its network within a few ms; a call waits no longer than this for it. */
const REDIS_WAIT_MS = 1000
/** Kept beyond the time that a bucket takes to fill up. */
const BUCKET_MARGIN_MS = 60_000
/** Cluster: the keys of a carrier lie on one node, since a script takes both. */
const keysOf = (carrier: string) => [`parley:{carrier:${carrier}}:starts`, `parley:{carrier:${carrier}}:places`]

/**
 * One start and one place, or neither. The clock is the server's, since those of the nodes differ.
 * Answers the wait in ms for the start, or -1: too many at once, -2: too many a second.
 */
const TAKE = `
local time = redis.call('TIME')
local nowMs = time[1] * 1000 + math.floor(time[2] / 1000)
local perSecond, size, atOnce = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local waitMaxMs, placeMs, marginMs = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
if atOnce > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', nowMs)
  if redis.call('ZCARD', KEYS[2]) >= atOnce then return -1 end
end
local waitMs = 0
if perSecond > 0 then
  local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'filledMs')
  local tokens = tonumber(bucket[1]) or size
  local elapsedMs = math.max(0, nowMs - (tonumber(bucket[2]) or nowMs))
  tokens = math.min(size, tokens + elapsedMs / 1000 * perSecond)
  if tokens < 1 then waitMs = math.ceil((1 - tokens) / perSecond * 1000) end
  if waitMs > waitMaxMs then return -2 end
  redis.call('HSET', KEYS[1], 'tokens', tostring(tokens - 1), 'filledMs', nowMs)
  redis.call('PEXPIRE', KEYS[1], math.ceil((size - tokens + 1) / perSecond * 1000) + marginMs)
end
if atOnce > 0 then
  redis.call('ZADD', KEYS[2], nowMs + placeMs, ARGV[7])
  redis.call('PEXPIRE', KEYS[2], placeMs)
end
return waitMs`

/** ARGV: how long, then the places. Also brings back those that Redis has lost. */
const RENEW = `
local time = redis.call('TIME')
local untilMs = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[1])
for at = 2, #ARGV do redis.call('ZADD', KEYS[2], untilMs, ARGV[at]) end
redis.call('PEXPIRE', KEYS[2], ARGV[1])
return #ARGV - 1`

/** A start that was not used goes to the next one. ARGV: size of the bucket. */
const RETURN_START = `
local tokens = tonumber(redis.call('HGET', KEYS[1], 'tokens'))
if tokens then redis.call('HSET', KEYS[1], 'tokens', tostring(math.min(tonumber(ARGV[1]), tokens + 1))) end
return 0`

/** Places that one command renews. */
const RENEWED_AT_ONCE = 500

export interface SharedLimitsOptions {
  readonly redisUrl: string
  /** By carrier; one without a limit of its own has none. */
  readonly limits: Readonly<Record<string, CarrierLimit>>
  /** Of the wait for a start. */
  readonly clock: Clock
  readonly log: Logger
  readonly placeMs?: number
}

/**
 * Limits that all nodes with one Redis share. While it does not answer, no call starts over a carrier that has limits:
 * calls under way go on.
 */
export function sharedLimits(options: SharedLimitsOptions): CarrierLimits {
  return new SharedLimits(options)
}

class SharedLimits implements CarrierLimits {
  readonly #options: SharedLimitsOptions
  readonly #redis: Redis
  readonly #placeMs: number
  /** Held by this node, by carrier. */
  readonly #places = new Map<string, Set<string>>()
  readonly #renewal: ReturnType<typeof setInterval>

  constructor(options: SharedLimitsOptions) {
    const { redisUrl, log, placeMs = PLACE_MS } = options
    this.#options = options
    this.#placeMs = placeMs
    this.#redis = new Redis(redisUrl, {
      commandTimeout: REDIS_WAIT_MS,
      maxRetriesPerRequest: 0,
      retryStrategy: (attempt) => Math.min(attempt * 200, 2000),
    })
    this.#redis.on('error', (error: Error) => log.warn({ err: error }, 'redis'))
    this.#renewal = setInterval(() => void this.#renew(), placeMs / RENEWALS)
    this.#renewal.unref()
  }

  async take(carrier: string, signal: AbortSignal): Promise<Release | LimitRefusal> {
    const limit = this.#options.limits[carrier]
    if (!limit || isUnlimited(limit)) return () => undefined
    const place = randomUUID()
    const waitMs = await this.#taken(carrier, limit, place)
    if (waitMs === null) return 'limits_unknown'
    if (waitMs === -1) return 'too_many_at_once'
    if (waitMs === -2) return 'too_many_a_second'
    const release = this.#holds(carrier, place)
    if (signal.aborted || (waitMs > 0 && !(await paused(this.#options.clock, waitMs, signal)))) {
      void this.#run(RETURN_START, carrier, [bucketSize(limit)])
      release()
      return 'too_many_a_second'
    }
    return release
  }

  async close(): Promise<void> {
    clearInterval(this.#renewal)
    const given = [...this.#places].flatMap(([carrier, places]) =>
      [...places].map((place) => [carrier, place] as const),
    )
    await Promise.all(given.map(([carrier, place]) => this.#giveBack(carrier, place)))
    this.#redis.disconnect()
  }

  /** Null: Redis has not answered. A place that it took all the same is not renewed, and lapses. */
  async #taken(carrier: string, limit: CarrierLimit, place: string): Promise<number | null> {
    const { callsPerSecond, callsAtOnce } = limit
    const paces = Number.isFinite(callsPerSecond)
    const answer = await this.#run(TAKE, carrier, [
      paces ? callsPerSecond : 0,
      paces ? bucketSize(limit) : 0,
      Number.isFinite(callsAtOnce) ? callsAtOnce : 0,
      START_WAIT_MAX_MS,
      this.#placeMs,
      BUCKET_MARGIN_MS,
      place,
    ])
    return typeof answer === 'number' ? answer : null
  }

  #holds(carrier: string, place: string): Release {
    const places = this.#places.get(carrier) ?? new Set()
    this.#places.set(carrier, places.add(place))
    return () => {
      if (places.delete(place)) void this.#giveBack(carrier, place)
    }
  }

  async #giveBack(carrier: string, place: string): Promise<void> {
    const [, key = ''] = keysOf(carrier)
    await this.#redis.zrem(key, place).catch((error: unknown) => this.#failed(error))
  }

  async #renew(): Promise<void> {
    for (const [carrier, places] of this.#places) {
      const held = [...places]
      for (let at = 0; at < held.length; at += RENEWED_AT_ONCE) {
        // Some may have been given back meanwhile.
        const still = held.slice(at, at + RENEWED_AT_ONCE).filter((place) => places.has(place))
        if (still.length > 0) await this.#run(RENEW, carrier, [this.#placeMs, ...still])
      }
    }
  }

  async #run(script: string, carrier: string, args: (string | number)[]): Promise<unknown> {
    const keys = keysOf(carrier)
    return this.#redis.eval(script, keys.length, ...keys, ...args).catch((error: unknown) => this.#failed(error))
  }

  #failed(error: unknown): null {
    this.#options.log.warn({ err: error }, 'limits of carriers: Redis does not answer')
    return null
  }
}

function isUnlimited({ callsPerSecond, callsAtOnce }: CarrierLimit): boolean {
  return callsPerSecond === Infinity && callsAtOnce === Infinity
}

/** Whether calls can start: throws where no Redis answers. */
export async function checkSharedLimits(redisUrl: string, signal: AbortSignal): Promise<void> {
  const redis = new Redis(redisUrl, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null })
  // Told by what was asked of it.
  redis.on('error', () => undefined)
  const stop = () => redis.disconnect()
  signal.addEventListener('abort', stop, { once: true })
  try {
    await redis.connect()
    await redis.ping()
  } finally {
    signal.removeEventListener('abort', stop)
    redis.disconnect()
  }
}
