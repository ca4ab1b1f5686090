import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Bus, createBus } from '../bus.ts'
import { type Database, withTx } from '../db.ts'
import { createJobs, type Jobs } from '../jobs.ts'
import { repeatedTask } from '../schema.ts'
import { testDatabase } from '../testing.ts'
import { type Repeated, type RoundTimes, type Run, type Task } from './rounds.ts'

const HOUR_MS = 3_600_000
const PATIENTLY = { timeout: 40_000, interval: 10 }
const QUICK: RoundTimes = { leaseMs: 800, heartbeatMs: 100, pollMs: 50, longestRunMs: 60_000 }
const silent = pino({ level: 'silent' })
const bus = createBus(undefined, silent)
const open: Jobs[] = []
const children: ChildProcess[] = []
let database: Database

beforeAll(async () => {
  database = await testDatabase()
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await Promise.all(open.splice(0).map((jobs) => jobs.stop()))
})
afterAll(async () => {
  await bus.close()
  await database.close()
})

interface Node {
  readonly jobs: Jobs
  readonly task: Repeated
}

/** A process of the cluster, with one repeated task. */
async function startNode(
  name: string,
  task: Task,
  { intervalMs = HOUR_MS, times = QUICK, on = bus }: { intervalMs?: number; times?: RoundTimes; on?: Bus } = {},
): Promise<Node> {
  const jobs = createJobs({ database, bus: on, log: silent, times })
  open.push(jobs)
  const repeated = jobs.every(name, intervalMs, task)
  await jobs.start()
  return { jobs, task: repeated }
}

const rowOf = async (name: string) =>
  (
    await database.db
      .select()
      .from(repeatedTask)
      .where(sql`name = ${name}`)
  )[0]!
const stateOf = async ({ jobs }: Node, name: string) => (await jobs.rounds()).find((each) => each.name === name)
const makeDue = (name: string) =>
  database.db.execute(sql`update repeated_task set next_run_at = now() where name = ${name}`)

describe('a repeated task on two nodes', () => {
  test('runs once per interval, and says when it last succeeded', async () => {
    const ran: string[] = []
    const one = await startNode('test.once', async () => void ran.push('one'))
    await startNode('test.once', async () => void ran.push('other'))
    for (let interval = 1; interval <= 5; interval++) {
      await vi.waitFor(async () => {
        expect(ran.length).toBeGreaterThanOrEqual(interval)
        expect(await rowOf('test.once')).toMatchObject({ owner: null, fence: interval })
      }, PATIENTLY)
      expect(ran).toHaveLength(interval)
      const { nextRunAt, lastStartedAt } = await rowOf('test.once')
      expect(nextRunAt.getTime() - lastStartedAt!.getTime()).toBe(HOUR_MS)
      if (interval < 5) await makeDue('test.once')
    }
    const state = await stateOf(one, 'test.once')
    expect(state).toMatchObject({ failuresInRow: 0, lastFailedAt: null })
    expect(state!.lastSucceededAt!.getTime()).toBeGreaterThanOrEqual(state!.lastStartedAt!.getTime())
  })

  test('holds no connection and no lock while it runs', async () => {
    const end = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    await startNode('test.long', async () => {
      begun.resolve()
      await end.promise
    })
    await begun.promise
    await vi.waitFor(() => expect(database.pool.idleCount).toBe(database.pool.totalCount), PATIENTLY)
    const { rows } = await database.pool.query(
      "select from pg_locks join pg_database on oid = database where locktype = 'advisory' and datname = current_database()",
    )
    expect(rows).toHaveLength(0)
    end.resolve()
  })

  test('runs again after soon() during a run, on the node that is free for it', async () => {
    let begun = 0
    const first = Promise.withResolvers<void>()
    const task = async () => {
      if (++begun === 1) await first.promise
    }
    // Not about a lease that lapses: a busy machine may stand still for longer than the quick one.
    const times = { ...QUICK, leaseMs: 60_000 }
    const one = await startNode('test.soon', task, { times })
    const other = await startNode('test.soon', task, { times })
    await vi.waitFor(() => expect(begun).toBe(1), PATIENTLY)
    for (let time = 0; time < 10; time++) other.task.soon()
    one.task.soon()
    await vi.waitFor(async () => {
      const { nextRunAt, lastStartedAt } = await rowOf('test.soon')
      expect(nextRunAt.getTime() - lastStartedAt!.getTime()).toBeLessThan(HOUR_MS)
    }, PATIENTLY)
    expect(begun).toBe(1)
    first.resolve()
    // Eleven requests share the runs after it: each node may mark the task once more while the next one has begun.
    await vi.waitFor(async () => {
      expect(begun).toBeGreaterThanOrEqual(2)
      expect(await rowOf('test.soon')).toMatchObject({ owner: null, fence: begun })
    }, PATIENTLY)
    expect(begun).toBeLessThanOrEqual(4)
  })

  test('is woken by the poll where no bus joins the nodes', async () => {
    const ran: string[] = []
    const apart = createBus(undefined, silent)
    await startNode('test.poll', async () => void ran.push('runner'))
    await vi.waitFor(() => expect(ran).toHaveLength(1), PATIENTLY)
    const slow = { ...QUICK, pollMs: HOUR_MS }
    const asking = await startNode('test.poll', async () => void ran.push('asking'), { times: slow, on: apart })
    asking.task.soon()
    await vi.waitFor(() => expect(ran).toHaveLength(2), PATIENTLY)
    await apart.close()
  })
})

describe('a repeated task that fails', () => {
  test('is tried again after a back-off that doubles up to its interval, and keeps the kind of its error', async () => {
    let runs = 0
    const node = await startNode('test.fails', async () => {
      runs++
      throw Object.assign(new Error('of +12025550100'), { code: 'ECONNREFUSED' })
    })
    const waitOf = async () => {
      const { owner, nextRunAt, lastFailedAt } = await rowOf('test.fails')
      // While it runs, its next run is an interval away.
      return owner === null && Math.round((nextRunAt.getTime() - lastFailedAt!.getTime()) / 1000)
    }
    for (const waitSeconds of [3, 6, 12, 24]) {
      await vi.waitFor(async () => expect(await waitOf()).toBe(waitSeconds), PATIENTLY)
      // A request does not shorten the wait.
      node.task.soon()
      await makeDue('test.fails')
    }
    await database.db.execute(sql`update repeated_task set failures_in_row = 40 where name = 'test.fails'`)
    await makeDue('test.fails')
    await vi.waitFor(async () => expect(await waitOf()).toBe(HOUR_MS / 1000), PATIENTLY)
    expect(runs).toBeGreaterThanOrEqual(5)
    expect(await stateOf(node, 'test.fails')).toMatchObject({ lastSucceededAt: null, lastErrorKind: 'ECONNREFUSED' })
  })

  test('counts anew after a success', async () => {
    let runs = 0
    const node = await startNode('test.recovers', async () => {
      if (++runs === 1) throw new TypeError('not yet')
    })
    await vi.waitFor(async () => expect((await rowOf('test.recovers')).failuresInRow).toBe(1), PATIENTLY)
    await makeDue('test.recovers')
    await vi.waitFor(
      async () =>
        expect(await stateOf(node, 'test.recovers')).toMatchObject({ failuresInRow: 0, lastErrorKind: 'TypeError' }),
      PATIENTLY,
    )
  })
})

describe('a runner that is gone', () => {
  const startChild = (name: string) => {
    const args = [database.url, name, String(QUICK.leaseMs), String(QUICK.heartbeatMs)]
    const child = fork(fileURLToPath(new URL('testing-runner.ts', import.meta.url)), args)
    children.push(child)
    return child
  }
  const piecesOf = async ({ pid }: ChildProcess, run: number) =>
    (await database.pool.query('select from piece where pid = $1 and run = $2', [pid, run])).rowCount ?? 0
  const works = (child: ChildProcess, run = 1) =>
    vi.waitFor(async () => expect(await piecesOf(child, run)).toBeGreaterThan(0), PATIENTLY)
  beforeAll(() => database.pool.query('create table piece (pid int not null, run int not null)'))

  test('when killed loses its task within its lease', async () => {
    const child = startChild('test.killed')
    await works(child)
    const taken = Promise.withResolvers<number>()
    await startNode('test.killed', async () => taken.resolve(performance.now()))
    child.kill('SIGKILL')
    const killedAt = performance.now()
    await once(child, 'exit')
    // The slack is for a busy machine.
    expect((await taken.promise) - killedAt).toBeLessThan(QUICK.leaseMs + QUICK.pollMs + 2000)
    expect(await rowOf('test.killed')).toMatchObject({ fence: 2 })
  })

  test('when frozen for longer than its lease does nothing more once it goes on', async () => {
    const child = startChild('test.frozen')
    await works(child)
    child.kill('SIGSTOP')
    const runs: Run[] = []
    const end = Promise.withResolvers<void>()
    await startNode('test.frozen', async (run) => {
      runs.push(run)
      await end.promise
    })
    await vi.waitFor(() => expect(runs).toHaveLength(1), PATIENTLY)
    const pieces = await piecesOf(child, 1)
    child.kill('SIGCONT')
    end.resolve()
    await Promise.all(open.splice(0).map((jobs) => jobs.stop()))
    // It is back when it has the next run, which is a new one.
    await makeDue('test.frozen')
    await works(child, 2)
    expect(await rowOf('test.frozen')).toMatchObject({ fence: 3 })
    // One piece may have been under way.
    expect(await piecesOf(child, 1)).toBeLessThanOrEqual(pieces + 1)
  })

  test('in its place another confirms its run in a transaction, and the older one cannot', async () => {
    const runs: Run[] = []
    const end = Promise.withResolvers<void>()
    const task = async (run: Run) => {
      runs.push(run)
      await end.promise
    }
    // Heartbeats and lease of the first are long: it does not know that it has lost the task.
    await startNode('test.fence', task, { times: { ...QUICK, leaseMs: HOUR_MS, heartbeatMs: HOUR_MS } })
    await vi.waitFor(() => expect(runs).toHaveLength(1), PATIENTLY)
    await withTx(database.db, (tx) => runs[0]!.confirm(tx))
    await database.db.execute(sql`update repeated_task set lease_until = now() where name = 'test.fence'`)
    await startNode('test.fence', task)
    await vi.waitFor(() => expect(runs).toHaveLength(2), PATIENTLY)
    await withTx(database.db, (tx) => runs[1]!.confirm(tx))
    await expect(withTx(database.db, (tx) => runs[0]!.confirm(tx))).rejects.toThrow('taken the task over')
    expect(() => runs[0]!.check()).toThrow('taken the task over')
    end.resolve()
    await vi.waitFor(async () => expect(await rowOf('test.fence')).toMatchObject({ owner: null, fence: 2 }), PATIENTLY)
  })

  test('when it takes too long is told to end', async () => {
    const run = Promise.withResolvers<Run>()
    await startNode(
      'test.endless',
      async (given) => {
        run.resolve(given)
        await new Promise((resolve) => given.signal.addEventListener('abort', resolve))
        given.check()
      },
      { times: { ...QUICK, longestRunMs: 300 } },
    )
    const { signal } = await run.promise
    await vi.waitFor(() => expect(String(signal.reason)).toContain('too long'), PATIENTLY)
  })
})

test('stop() ends a run at its next piece, and another node continues at once', async () => {
  const begun = Promise.withResolvers<void>()
  const one = await startNode('test.stops', async (run) => {
    begun.resolve()
    await new Promise((resolve) => run.signal.addEventListener('abort', resolve))
    run.check()
  })
  await begun.promise
  await one.jobs.stop()
  expect(await rowOf('test.stops')).toMatchObject({ owner: null, failuresInRow: 0, lastSucceededAt: null })
  const ran = Promise.withResolvers<void>()
  await startNode('test.stops', async () => ran.resolve())
  await ran.promise
})
