import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Clock, systemClock, virtualClock } from '@parley/voice-ports'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CarrierLimit, CarrierLimits } from './limits.ts'
import { checkSharedLimits, sharedLimits } from './shared-limits.ts'

const log = pino({ level: 'silent' })
const signal = new AbortController().signal
const real = process.env['REDIS_URL'] ?? ''
/** A node that is gone is not waited for for long. */
const PLACE_MS = 600

let carrier: string
let nodes: CarrierLimits[]
beforeEach(() => {
  carrier = `test-${randomUUID()}`
  nodes = []
})
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.close()))
})

interface Given extends Partial<CarrierLimit> {
  readonly clock?: Clock
  readonly redisUrl?: string
}

function aNode({ clock = systemClock(1), redisUrl = real, ...limit }: Given): CarrierLimits {
  const limits = { [carrier]: { callsPerSecond: Infinity, callsAtOnce: Infinity, ...limit } }
  const node = sharedLimits({ redisUrl, limits, clock, log, placeMs: PLACE_MS })
  nodes.push(node)
  return node
}

/** Time that is ours, and the waits that were asked of it. */
function watchedClock() {
  const clock = virtualClock()
  const waits: number[] = []
  const after: Clock['after'] = (delayMs, task) => {
    waits.push(delayMs)
    return clock.after(delayMs, task)
  }
  return { ...clock, after, waits }
}

const outcome = async (taking: ReturnType<CarrierLimits['take']>) => {
  const taken = await taking
  return typeof taken === 'string' ? taken : 'taken'
}

describe.runIf(real)('limits over Redis', () => {
  it('count the calls at once of all nodes together, and give a place on', async () => {
    const [one, other] = [aNode({ callsAtOnce: 2 }), aNode({ callsAtOnce: 2 })]
    const first = await one.take(carrier, signal)
    expect(await outcome(other.take(carrier, signal))).toBe('taken')
    expect(await outcome(one.take(carrier, signal))).toBe('too_many_at_once')
    expect(await outcome(other.take(carrier, signal))).toBe('too_many_at_once')
    if (typeof first === 'string') throw new Error(first)
    first()
    first()
    await expect.poll(() => outcome(other.take(carrier, signal))).toBe('taken')
    expect(await outcome(one.take(carrier, signal))).toBe('too_many_at_once')
  })

  it('never let more through than the limit when many nodes take at the same moment', async () => {
    const all = Array.from({ length: 5 }, () => aNode({ callsAtOnce: 7 }))
    const takings = Array.from({ length: 40 }, (_, at) => outcome(all[at % 5]!.take(carrier, signal)))
    const outcomes = await Promise.all(takings)
    expect(outcomes.filter((each) => each === 'taken')).toHaveLength(7)
  })

  it('share the pace: a start waits behind those of other nodes, and goes elsewhere after 3 s', async () => {
    const clock = watchedClock()
    // One start in 1,250 s at first: what this test takes of it does not come back while it runs.
    const [one, other] = [aNode({ clock, callsPerSecond: 0.0008 }), aNode({ clock, callsPerSecond: 0.0008 })]
    expect(await outcome(one.take(carrier, signal))).toBe('taken')
    expect(await outcome(other.take(carrier, signal))).toBe('too_many_a_second')
    const quick = aNode({ clock, callsPerSecond: 0.5 })
    const waits = outcome(quick.take(carrier, signal))
    await vi.waitFor(() => expect(clock.waits).toHaveLength(1))
    expect(await outcome(quick.take(carrier, signal))).toBe('too_many_a_second')
    await clock.advance(2000)
    expect(await waits).toBe('taken')
  })

  it('give a start and a place back that a hung-up call waited for', async () => {
    const clock = watchedClock()
    const given = { clock, callsPerSecond: 0.5, callsAtOnce: 2 }
    const [one, other] = [aNode(given), aNode(given)]
    await one.take(carrier, signal)
    const hangUp = new AbortController()
    const waits = outcome(one.take(carrier, hangUp.signal))
    await vi.waitFor(() => expect(clock.waits).toHaveLength(1))
    hangUp.abort()
    expect(await waits).toBe('too_many_a_second')
    // Without its start and place, this one would be refused.
    const next = outcome(other.take(carrier, signal))
    await vi.waitFor(() => expect(clock.waits).toHaveLength(2))
    await clock.advance(2000)
    expect(await next).toBe('taken')
  })

  it('keep the places of a live node for longer than they last by themselves', async () => {
    const [one, other] = [aNode({ callsAtOnce: 1 }), aNode({ callsAtOnce: 1 })]
    await one.take(carrier, signal)
    const redis = new Redis(real)
    const key = `parley:{carrier:${carrier}}:places`
    const until = async () => Number((await redis.zrange(key, '0', '0', 'WITHSCORES'))[1])
    const firstUntilMs = await until()
    await expect.poll(until).toBeGreaterThan(firstUntilMs + PLACE_MS)
    expect(await outcome(other.take(carrier, signal))).toBe('too_many_at_once')
    // Redis itself may lose everything.
    await redis.del(key)
    await expect.poll(() => outcome(other.take(carrier, signal))).toBe('too_many_at_once')
    await redis.quit()
  })

  it('free the places of a process that was killed', async () => {
    const holder = fileURLToPath(new URL('testing/holder.ts', import.meta.url))
    const child = fork(holder, [real, carrier, String(PLACE_MS)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    expect((await once(child, 'message'))[0]).toBe('held')
    const other = aNode({ callsAtOnce: 1 })
    expect(await outcome(other.take(carrier, signal))).toBe('too_many_at_once')
    child.kill('SIGKILL')
    await once(child, 'exit')
    await expect.poll(() => outcome(other.take(carrier, signal))).toBe('taken')
  })

  it('free the places of a node that closes at once', async () => {
    const [one, other] = [aNode({ callsAtOnce: 1 }), aNode({ callsAtOnce: 1 })]
    await one.take(carrier, signal)
    await one.close()
    expect(await outcome(other.take(carrier, signal))).toBe('taken')
  })

  it('are found by their check', async () => {
    await expect(checkSharedLimits(real, signal)).resolves.toBeUndefined()
  })
})

describe('limits over a Redis that does not answer', () => {
  it('refuse every call of a carrier with limits, and none of one without', async () => {
    const node = aNode({ callsAtOnce: 5, redisUrl: `redis://127.0.0.1:${await closedPort()}` })
    expect(await outcome(node.take(carrier, signal))).toBe('limits_unknown')
    expect(await outcome(node.take('simulated', signal))).toBe('taken')
  })

  it('refuse a call within a bound when Redis takes the connection and says nothing', async () => {
    const mute = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(mute, 'listening')
    const node = aNode({ callsPerSecond: 1, redisUrl: `redis://127.0.0.1:${portOf(mute)}` })
    expect(await outcome(node.take(carrier, signal))).toBe('limits_unknown')
    await node.close()
    mute.close()
  })

  it('are found by their check', async () => {
    await expect(checkSharedLimits(`redis://127.0.0.1:${await closedPort()}`, signal)).rejects.toThrow('closed')
  })
})

function portOf(server: ReturnType<typeof createServer>): number {
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('It does not listen.')
  return address.port
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}
