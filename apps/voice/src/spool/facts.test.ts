import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FactBody } from '@parley/contract'
import type { Logger } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { virtualClock } from '@parley/voice-ports'
import { Report } from '../session/reporting/report.ts'
import type { FactStore } from '../session/reporting/store.ts'
import { startFakeApi, type FakeApi } from '../session/testing/fake-api.ts'
import { errorLog, quietLog } from '../session/testing/fakes.ts'
import { FactSpool, type LeftCall } from './facts.ts'
import { reportLeftCalls } from './left-calls.ts'
import { Quarantine } from './quarantine.ts'

let api: FakeApi
let dataDir: string
const reports: Report[] = []

beforeEach(async () => {
  api = await startFakeApi()
  dataDir = mkdtempSync(join(tmpdir(), 'parley-facts-'))
})
afterEach(async () => {
  for (const report of reports.splice(0)) report.stop()
  await api.close()
  rmSync(dataDir, { recursive: true })
})

const CALL = 'call/1'
const pace = { gatherMs: 2, firstRetryMs: 5, longestRetryMs: 10 }
const FILE = () => join(dataDir, 'facts-under-way', 'call%2F1.jsonl')
const filesLeft = () => readdirSync(join(dataDir, 'facts-under-way'))
const setAside = () =>
  readFileSync(join(dataDir, 'facts-set-aside.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

interface Given {
  readonly token: string
  readonly traceparent: string
  readonly store: FactStore
  /** The api cannot be reached. */
  readonly away: boolean
  readonly log: Logger
  readonly longestRetryMs: number
}
/** Nothing listens on the discard port of this machine. */
const UNREACHABLE = 'http://127.0.0.1:9'

/** The report of a call in a new process. */
function report({ token, traceparent, store, away = false, log = quietLog(), ...slower }: Partial<Given> = {}): Report {
  const made = new Report({
    apiUrl: away ? UNREACHABLE : api.url,
    credential: token ?? 'shared secret',
    traceparent,
    callId: CALL,
    clock: virtualClock(),
    log,
    store: store ?? new FactSpool(dataDir, log).storeFor(CALL, { token, traceparent }),
    pace: { ...pace, ...slower },
  })
  reports.push(made)
  return made
}
const restart = (log = quietLog()) => {
  const facts = new FactSpool(dataDir, log)
  const given = {
    facts,
    apiUrl: api.url,
    secret: 'shared secret',
    records: { ask: async () => null, hangUp: async () => undefined },
    clock: virtualClock(),
    log,
  }
  return { facts, reported: reportLeftCalls(given) }
}
async function restored(): Promise<LeftCall[]> {
  const calls: LeftCall[] = []
  for await (const call of new FactSpool(dataDir, quietLog()).left()) calls.push(call)
  return calls
}
const phase = (name: string): FactBody => ({ type: 'phase', phase: name })
const ended: FactBody = { type: 'ended', reason: 'callee_hung_up', message: '', connectedSeconds: 3 }
const wrappedUp: FactBody = {
  type: 'wrapped_up',
  outcomes: [],
  language: 'en',
  summary: {
    type: 'other',
    title: '',
    description: '',
    insights: [],
    nextSteps: [],
    actionRequired: false,
    actionText: null,
  },
}
const kept = () => (api.facts.get(CALL) ?? []).map((fact) => ('phase' in fact ? fact.phase : fact.type))
const written = (text: string) => vi.waitFor(() => expect(readFileSync(FILE(), 'utf8')).toContain(text), 40_000)
const apiIsDown = () => void api.failures.push(...Array.from({ length: 10_000 }, () => 503))

describe('facts on disk', () => {
  it('are there before they are sent, and gone when the api has the whole call', async () => {
    const seen: string[] = []
    api.refuses = () => {
      seen.push(readFileSync(FILE(), 'utf8'))
      return false
    }
    const facts = report()
    for (const body of [{ type: 'dialing' } as const, phase('a'), ended, wrappedUp]) {
      facts.add(body)
      await facts.flushed()
      expect(seen.join('')).toContain(`"type":"${body.type}"`)
    }
    await vi.waitFor(() => expect(filesLeft()).toEqual([]))
    expect(kept()).toEqual(['dialing', 'a', 'ended', 'wrapped_up'])
  })

  it('are sent by the next process, in order and once, with the token and the trace of their order', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    const facts = report({ token: 'token of the call', traceparent, away: true })
    for (const body of [{ type: 'dialing' } as const, phase('a'), phase('b'), ended, wrappedUp]) facts.add(body)
    await written('wrapped_up')
    facts.stop()
    const next = restart()
    expect(next.facts.isLeft(CALL)).toBe(true)
    await next.reported
    expect(kept()).toEqual(['dialing', 'a', 'b', 'ended', 'wrapped_up'])
    expect(api.requests.at(-1)).toMatchObject({ authorization: 'Bearer token of the call', traceparent })
    await vi.waitFor(() => expect(filesLeft()).toEqual([]))
    expect(next.facts.isLeft(CALL)).toBe(false)
  })

  it('outlive a last line that a crash cut off', async () => {
    const facts = report({ away: true })
    facts.add({ type: 'dialing' })
    facts.add(phase('a'))
    await written('"a"')
    facts.stop()
    appendFileSync(FILE(), '{"fact":{"seq":3,"type":"pha')
    await restart().reported
    expect(kept()).toEqual(['dialing', 'a', 'ended'])
    expect(api.facts.get(CALL)?.map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  it('go on after a line that is lost: its number is taken by a fact that changes nothing', async () => {
    const facts = report({ away: true })
    facts.add({ type: 'dialing' })
    for (const name of ['a', 'b', 'c']) facts.add(phase(name))
    facts.add(ended)
    await written('ended')
    facts.stop()
    writeFileSync(FILE(), readFileSync(FILE(), 'utf8').replace(/^.*"phase":"b".*$/m, '\0\0\0\0'))
    await restart().reported
    expect(kept()).toEqual(['dialing', 'a', 'dialing', 'c', 'ended'])
  })

  it('are not sent twice after a restart: what the api has taken stays taken', async () => {
    const facts = report()
    facts.add({ type: 'dialing' })
    facts.add(phase('a'))
    await facts.flushed()
    await written('{"taken":2}')
    facts.stop()
    const before = api.requests.length
    await restart().reported
    expect(kept()).toEqual(['dialing', 'a', 'ended'])
    // One fact to ask what the api has, and the end.
    expect(api.requests.slice(before).map(({ count }) => count)).toEqual([1, 1])
  })

  it('get numbers that the api has not seen when the disk had taken fewer than were sent', async () => {
    const facts = report()
    facts.add({ type: 'dialing' })
    facts.add({ type: 'answered' })
    await facts.flushed()
    await written('"taken":2')
    facts.stop()
    // Sent from memory by the process that died.
    const at = new Date().toISOString()
    for (const seq of [3, 4]) api.facts.get(CALL)?.push({ type: 'phase', phase: 'a', seq, at, callMs: seq })
    api.failures.push(503, 503)
    await restart().reported
    expect(kept()).toEqual(['dialing', 'answered', 'a', 'a', 'ended'])
    expect(api.facts.get(CALL)?.at(-1)?.seq).toBe(5)
    await vi.waitFor(() => expect(filesLeft()).toEqual([]))
  })

  it('are sent from memory while the disk takes none, with one alarm, and written when it does again', async () => {
    const { log, alarms } = errorLog()
    const disk: { full: boolean; kept: number[] } = { full: true, kept: [] }
    const store: FactStore = {
      append: async (facts) => {
        if (disk.full) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
        disk.kept.push(...facts.map(({ seq }) => seq))
      },
      taken: () => undefined,
      setAside: () => undefined,
      done: () => undefined,
      close: () => undefined,
    }
    // What cannot be written is tried again later than anything is sent.
    const facts = report({ store, log, longestRetryMs: 600_000 })
    facts.add({ type: 'dialing' })
    await facts.flushed()
    facts.add(phase('a'))
    await api.until(CALL, (taken) => taken.length === 2)
    expect(kept()).toEqual(['dialing', 'a'])
    expect(alarms()).toEqual(['facts_not_stored'])
    apiIsDown()
    facts.add(phase('b'))
    await vi.waitFor(() => expect(api.failures.length).toBeLessThan(10_000))
    disk.full = false
    facts.add(phase('c'))
    await vi.waitFor(() => expect(disk.kept).toEqual([3, 4]))
  })

  it('are complete after a write that the disk cut short', async () => {
    const spool = new FactSpool(dataDir, quietLog())
    const first = report({ store: spool.storeFor(CALL, {}), away: true })
    first.add({ type: 'dialing' })
    await written('dialing')
    first.stop()
    appendFileSync(FILE(), '{"fact":{"seq":2')
    // A new process goes on in the same file.
    const store = spool.storeFor(CALL, {})
    await store.append([{ type: 'answered', seq: 2, at: new Date().toISOString(), callMs: 5 }])
    store.close()
    await restart().reported
    expect(kept()).toEqual(['dialing', 'answered', 'ended'])
  })

  it('take a bounded file: earlier states of a turn go when the api has them', async () => {
    const spool = new FactSpool(dataDir, quietLog())
    const store = spool.storeFor(CALL, { token: 'token', traceparent: 'trace' })
    const at = new Date().toISOString()
    const text = 'x'.repeat(1000)
    for (let seq = 1; seq <= 2500; seq++) {
      const turn = {
        index: seq % 3,
        speaker: 'user',
        text: `${seq} ${text}`,
        startMs: 0,
        endMs: null,
        heard: true,
      } as const
      await store.append([{ type: 'turn', turn, seq, at, callMs: seq }])
      if (seq % 100 === 0) store.taken(seq)
    }
    await store.append([])
    store.close()
    expect(readFileSync(FILE()).length).toBeLessThan(1.3 * 1024 * 1024)
    const [left] = await restored()
    expect(left).toMatchObject({ token: 'token', traceparent: 'trace', taken: 2500 })
    expect(left?.facts.slice(-3).map(({ seq }) => seq)).toEqual([2498, 2499, 2500])
  })
})

describe('facts that cannot be delivered', () => {
  it('are set aside alone when they are not as the contract says, and the ones after them go on', async () => {
    const facts = report()
    facts.add({ type: 'dialing' })
    facts.add({ type: 'phase', phase: 'x'.repeat(121) })
    facts.add(ended)
    await facts.flushed()
    expect(kept()).toEqual(['dialing', 'dialing', 'ended'])
    expect(setAside()).toMatchObject([
      { callId: CALL, why: 'It is not as the contract says: phase: too_big', fact: { seq: 2, type: 'phase' } },
    ])
  })

  it('are set aside alone when the api refuses them', async () => {
    api.refuses = (fact) => fact.type === 'phase' && fact.phase.startsWith('bad')
    const facts = report()
    facts.add({ type: 'dialing' })
    for (let n = 0; n < 250; n++) facts.add(phase(n % 60 === 7 ? `bad ${n}` : `good ${n}`))
    facts.add(ended)
    await facts.flushed()
    expect(api.facts.get(CALL)?.map(({ seq }) => seq)).toEqual(Array.from({ length: 252 }, (_, at) => at + 1))
    expect(kept().at(-1)).toBe('ended')
    expect(setAside().map(({ fact }) => fact.phase)).toEqual(['bad 7', 'bad 67', 'bad 127', 'bad 187', 'bad 247'])
    // Bisecting: about two requests a halving.
    expect(api.requests.length).toBeLessThan(5 * 20)
  })

  it.each([404, 409, 410])('are all set aside, with the end, and not sent again after %d', async (status) => {
    const facts = report()
    facts.add({ type: 'dialing' })
    await facts.flushed()
    api.failures.push(status)
    facts.add(phase('a'))
    facts.add({ type: 'opted_out', quote: 'Never again.' })
    await facts.flushed()
    facts.add(phase('b'))
    facts.add(ended)
    await facts.flushed()
    expect(api.requests).toHaveLength(2)
    expect(setAside().map(({ fact }) => fact.type)).toEqual(['phase', 'opted_out', 'ended'])
    await vi.waitFor(() => expect(filesLeft()).toEqual([]))
  })

  it('are set aside as a whole when the api refuses even the first', async () => {
    api.refuses = () => true
    const facts = report()
    facts.add({ type: 'dialing' })
    facts.add(phase('a'))
    await facts.flushed()
    expect(setAside().map(({ fact }) => fact.type)).toEqual(['dialing', 'phase'])
    expect(api.requests.length).toBeLessThan(5)
  })

  it('raise an alarm that does not say what was said', async () => {
    const { log, errors } = errorLog()
    api.failures.push(404)
    const facts = report({ log })
    facts.add({ type: 'opted_out', quote: 'Never call Anna again.' })
    await facts.flushed()
    expect(errors.map((line) => JSON.parse(line))).toMatchObject([
      { alarm: 'facts_set_aside', callId: CALL, types: ['opted_out'] },
    ])
    expect(errors.join('')).not.toContain('Anna')
  })
})

it('a file that cannot be read does not keep the facts of other calls', async () => {
  const facts = report({ away: true })
  facts.add({ type: 'dialing' })
  await written('dialing')
  facts.stop()
  mkdirSync(join(dataDir, 'facts-under-way', 'call%2F0.jsonl'))
  await restart().reported
  expect(kept()).toEqual(['dialing', 'ended'])
})

it('the file of facts set aside is bounded: at its bound it replaces the one before it', () => {
  const file = join(dataDir, 'aside.jsonl')
  const quarantine = new Quarantine(file, quietLog(), 1000)
  for (let n = 0; n < 40; n++) quarantine.add(CALL, [{ type: `fact ${n}` }], 'why')
  const [now, before] = [readFileSync(file, 'utf8'), readFileSync(`${file}.1`, 'utf8')]
  expect([now.length, before.length].every((bytes) => bytes <= 1000)).toBe(true)
  expect(now).toContain('"fact 39"')
  utimesSync(file, 0, 0)
  expect(new Quarantine(file, quietLog(), 1000)).toBeDefined()
  expect(existsSync(file)).toBe(false)
})
