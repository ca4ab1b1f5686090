import { mkdtempSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { DialOptions, LegEvent } from '@parley/voice-ports'
import { virtualClock } from '@parley/voice-ports'
import { beforeEach, describe, expect, it } from 'vitest'
import { createTestNetwork } from './index.ts'
import type { Wall } from './records.ts'

async function* noVoice(): AsyncGenerator<never> {}

/** A wall clock that stands still between two ticks of a test. */
function fakeWall(startMs = Date.now()) {
  const tasks = new Set<() => void>()
  const wall: Wall & { ms: number; beat(afterMs: number): void } = {
    ms: startMs,
    nowMs: () => wall.ms,
    every(_, task) {
      tasks.add(task)
      return () => void tasks.delete(task)
    },
    beat(afterMs) {
      wall.ms += afterMs
      for (const task of tasks) task()
    },
  }
  return wall
}

const { signal } = new AbortController()
const dialing: DialOptions = {
  callId: 'call',
  to: '+12125550107',
  from: null,
  userId: 'user',
  language: 'en',
  answerTimeoutMs: 30_000,
  limitMs: 3_600_000,
  detectMachine: false,
  webhookBase: null,
}
let recordsDir: string
beforeEach(() => void (recordsDir = mkdtempSync(join(tmpdir(), 'parley-records-'))))

/** A network of one process, and a call on it. */
function network(wall = fakeWall()) {
  const clock = virtualClock()
  const carrier = createTestNetwork({ speak: noVoice, recordsDir, wall, rng: () => 0.5 })
  const events: LegEvent[] = []
  const id = () => events.flatMap((event) => (event.type === 'placed' ? event.carrierCallId : []))[0] ?? ''
  return {
    clock,
    wall,
    carrier,
    events,
    id,
    leg: carrier.dial(dialing, clock, (event) => void events.push(event)),
    /** Connected for this long, with a beat of the records at the end. */
    async connected(ms: number) {
      await clock.advance(2800 + ms)
      wall.beat(250)
    },
  }
}

const asking = (wall: Wall) => createTestNetwork({ speak: noVoice, recordsDir, wall })

describe('the call records of the simulated network', () => {
  it('tell another process that a call is live while its process beats', async () => {
    const one = network()
    await one.connected(5000)
    expect(await asking(one.wall).ask(one.id(), signal)).toEqual({ state: 'live', connectedMs: 5000 })
  })

  it('end a call as dropped at the last beat of a process that has not beaten for 2 s', async () => {
    const one = network()
    await one.connected(5000)
    await one.clock.advance(700)
    one.wall.ms += 2001
    expect(await asking(one.wall).ask(one.id(), signal)).toEqual({
      state: 'ended',
      cause: 'dropped',
      connectedMs: 5000,
      code: '503',
      cost: null,
    })
  })

  it('count no time for a call whose process died while it rang', async () => {
    const one = network()
    await one.clock.advance(1000)
    one.wall.ms += 2001
    expect(await asking(one.wall).ask(one.id(), signal)).toMatchObject({ cause: 'dropped', connectedMs: 0 })
  })

  it('tell the end of a call with its code and cost after its process has gone', async () => {
    const one = network()
    await one.connected(61_000)
    one.leg.hangUp()
    await one.clock.advance(100)
    const ended = one.events.at(-1)
    expect(ended).toMatchObject({ type: 'ended', cause: 'local', code: '200', connectedMs: 61_000 })
    one.wall.ms += 60_000
    expect({ ...(await asking(one.wall).ask(one.id(), signal)), type: 'ended' }).toEqual({ ...ended, state: 'ended' })
  })

  it('end a call for a process that was stopped for 3 s, once another process asked about it', async () => {
    const one = network()
    await one.connected(5000)
    one.wall.ms += 3000
    await asking(one.wall).ask(one.id(), signal)
    one.wall.beat(0)
    await one.clock.advance(100)
    expect(one.events.at(-1)).toMatchObject({ type: 'ended', cause: 'dropped' })
  })

  it('hang up a live call of another process', async () => {
    const one = network()
    await one.connected(5000)
    await asking(one.wall).hangUp(one.id(), signal)
    one.wall.beat(250)
    await one.clock.advance(100)
    expect(one.events.at(-1)).toMatchObject({ type: 'ended' })
  })

  it('skip a line that a crash cut off, and know nothing of ids of other shapes', async () => {
    const one = network()
    await one.connected(5000)
    const [file] = readdirSync(recordsDir)
    writeFileSync(join(recordsDir, file!), '{"type":"ended","id":"', { flag: 'a' })
    const other = asking(one.wall)
    expect(await other.ask(one.id(), signal)).toEqual({ state: 'live', connectedMs: 5000 })
    for (const id of ['', 'SIM-../../etc/passwd-1', one.id().replace(/\d+$/, '99')])
      expect(await other.ask(id, signal)).toBeNull()
  })

  it('stay below 2 MB during a call of many hours and still know it', async () => {
    const one = network()
    await one.connected(0)
    for (let beat = 0; beat < 30_000; beat++) one.wall.beat(250)
    const [file] = readdirSync(recordsDir)
    expect(statSync(join(recordsDir, file!)).size).toBeLessThan(2 * 1024 * 1024)
    expect(await asking(one.wall).ask(one.id(), signal)).toMatchObject({ state: 'live' })
  })

  it('are deleted a day after the last line', () => {
    const wall = fakeWall()
    network(wall)
    const [file] = readdirSync(recordsDir)
    const yesterday = new Date(wall.ms - 25 * 3_600_000)
    utimesSync(join(recordsDir, file!), yesterday, yesterday)
    asking(wall)
    expect(readdirSync(recordsDir)).toEqual([])
  })

  it('answer for a process that was killed in a call', async () => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('testing/dialer.ts', import.meta.url)), recordsDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    const id = String((await lines.next()).value)
    // The first beat that has seen the call connected for a while.
    await expect
      .poll(async () => (await asking(fakeWall()).ask(id, signal)) ?? {}, { interval: 50 })
      .toMatchObject({ state: 'live', connectedMs: expect.toSatisfy((ms: number) => ms > 0) })
    child.kill('SIGKILL')
    await once(child, 'exit')
    const wall = fakeWall(Date.now() + 2100)
    const standing = await asking(wall).ask(id, signal)
    expect(standing).toMatchObject({ state: 'ended', cause: 'dropped' })
    const file = readFileSync(
      join(
        recordsDir,
        readdirSync(recordsDir).find((name) => name.endsWith('.jsonl'))!,
      ),
      'utf8',
    )
    const last = (type: string) => file.split('\n').findLast((line) => line.includes(`"${type}"`)) ?? ''
    const connectedMs = JSON.parse(last('beat')).callMs - JSON.parse(last('answered')).callMs
    expect(standing?.connectedMs).toBe(connectedMs)
    expect(await asking(wall).ask(id, signal)).toEqual(standing)
  })
})
