import { CarrierStanding, VOICE_PATHS } from '@parley/contract'
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startFakeApi, type FakeApi } from './session/testing/fake-api.ts'
import { anOrder } from './session/testing/fakes.ts'

// Longer than 20 s: processes are started, drained and killed during calls.

const SECRET = 'a secret of some length'
let api: FakeApi | undefined
let child: ChildProcess | undefined
let dataDir: string

beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'parley-voice-'))))

afterEach(async () => {
  if (child?.exitCode === null) child.kill('SIGKILL')
  await api?.close()
  await rm(dataDir, { recursive: true, force: true })
})

const server = fileURLToPath(new URL('session/testing/process.ts', import.meta.url))
const serverAlone = fileURLToPath(new URL('server.ts', import.meta.url))

const PLANTED = `data:text/javascript,
  process.on('SIGUSR2', () => void Promise.reject(new Error('planted rejection')));
  process.on('SIGWINCH', () => { throw new Error('planted exception') })`

/** What a process needs of the tests' own, with what Node has compiled before. */
const { PATH, NODE_COMPILE_CACHE } = process.env
const inherited = { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) }

function startServer(environment: Record<string, string>, program = server) {
  const env = {
    ...inherited,
    VOICE_PORT: '0',
    VOICE_SECRET: SECRET,
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    ...environment,
  }
  const execArgv = ['--import', PLANTED.replaceAll('\n', ' ')]
  child = fork(program, [], { env, execArgv, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  return child
}

async function listening(process: ChildProcess): Promise<number> {
  const [{ type, port }] = await once(process, 'message')
  expect(type).toBe('listening')
  return port
}

async function withLiveCall(environment: Record<string, string> = {}) {
  api = await startFakeApi()
  const process = startServer({ API_URL: api.url, ...environment })
  const port = await listening(process)
  const reply = await fetch(`http://127.0.0.1:${port}/v1/calls`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${SECRET}` },
    body: JSON.stringify(anOrder({ callId: 'live-1' })),
  })
  expect(reply.status).toBe(202)
  return { api, process, url: `http://127.0.0.1:${port}` }
}

const factsOf = (from: FakeApi) =>
  from.facts.get('live-1')?.map((fact) => (fact.type === 'ended' ? fact.reason : fact.type))

// Starting a process takes as long as the machine is busy.
describe('the voice process', { timeout: 90_000 }, () => {
  it('exits with 78 and names the setting when CARRIER=simulated is started without the sandbox', async () => {
    const process = startServer({ CARRIER: 'simulated' }, serverAlone)
    const exited = once(process, 'exit')
    const [{ type, message }] = await once(process, 'message')
    expect(type).toBe('failed')
    expect(message).toBe(
      'CARRIER=simulated and SANDBOX_NUMBERS=on need the simulated network, which this voice service was started without: ' +
        'run the whole product with "npm start", or set CARRIER to a telephone network.',
    )
    expect((await exited)[0]).toBe(78)
  })

  it('reports a configuration error to its parent and exits with 78', async () => {
    const process = startServer({ CARRIER: 'twilio' })
    const exited = once(process, 'exit')
    expect(await once(process, 'message')).toEqual([
      {
        type: 'failed',
        message:
          'CARRIER=twilio needs TWILIO_ACCOUNT_SID, and TWILIO_AUTH_TOKEN or TWILIO_API_KEY with TWILIO_API_SECRET. Set them.',
      },
      undefined,
    ])
    expect((await exited)[0]).toBe(78)
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('ends its calls, reports them and exits with 0 on %s', async (signal) => {
    const live = await withLiveCall()
    live.process.kill(signal)
    const [code] = await once(live.process, 'exit')
    expect(code).toBe(0)
    expect(factsOf(live.api)?.slice(-2)).toEqual(['interrupted', 'wrapped_up'])
  })

  it('killed in mid-call: the next one reports the words, a lost opt-out and the end, in order', async () => {
    const live = await withLiveCall()
    await live.api.until('live-1', (facts) => facts.some(({ type }) => type === 'answered'))
    // From here on nothing reaches the api, and the words come before anybody weighed them.
    live.api.failures.push(...Array.from({ length: 1000 }, () => 503))
    live.process.kill('SIGKILL')
    await once(live.process, 'exit')
    const file = join(dataDir, 'facts-under-way', 'live-1.jsonl')
    const seq = Math.max(
      ...[...(await readFile(file, 'utf8')).matchAll(/"seq":(\d+)/g)].map(([, digits]) => Number(digits)),
    )
    const turn = { index: 90, speaker: 'user', text: 'Never call me again.', startMs: 0, endMs: null, heard: true }
    const fact = { type: 'turn', turn, seq: seq + 1, at: new Date().toISOString(), callMs: 60_000 }
    await appendFile(file, `${JSON.stringify({ fact })}\n{"fact":{"se`)
    live.api.failures.length = 0
    const port = await listening(startServer({ API_URL: live.api.url }))
    const facts = await live.api.until('live-1', (kept) => kept.some(({ type }) => type === 'ended'))
    expect(facts.map((each) => each.seq)).toEqual(facts.map((_, at) => at + 1))
    expect(facts.slice(-3)).toMatchObject([
      { type: 'turn', turn },
      { type: 'opted_out', quote: 'Never call me again.' },
      { type: 'ended', reason: 'interrupted' },
    ])
    const headers = { authorization: `Bearer ${SECRET}` }
    const standing = async () => (await fetch(`http://127.0.0.1:${port}/v1/calls/live-1`, { headers })).json()
    // Nothing is left of it: the api may now settle it.
    await vi.waitFor(async () => expect(await standing()).toEqual({ standing: 'lost' }), 40_000)
    expect(await readdir(join(dataDir, 'facts-under-way'))).toEqual([])
  })

  it('with DRAIN_MINUTES lets its call go on to its end on SIGTERM, alive but not ready, and then exits with 0', async () => {
    const live = await withLiveCall({ DRAIN_MINUTES: '31', SANDBOX_SPEED: '8' })
    const exited = once(live.process, 'exit')
    live.process.kill('SIGTERM')
    const probe = async (path: string) => (await fetch(live.url + path)).status
    await vi.waitFor(async () => expect(await probe('/readyz')).toBe(503), { timeout: 40_000 })
    expect(await probe('/livez')).toBe(200)
    expect((await exited)[0]).toBe(0)
    expect(factsOf(live.api)?.slice(-2)).toEqual(['agent_closed', 'wrapped_up'])
  })

  it('with DRAIN_MINUTES hangs up on the second SIGTERM', async () => {
    const live = await withLiveCall({ DRAIN_MINUTES: '31' })
    const exited = once(live.process, 'exit')
    live.process.kill('SIGTERM')
    const isDraining = async () => expect((await fetch(`${live.url}/readyz`)).status).toBe(503)
    await vi.waitFor(isDraining, { timeout: 40_000 })
    live.process.kill('SIGTERM')
    expect((await exited)[0]).toBe(0)
    expect(factsOf(live.api)?.slice(-2)).toEqual(['interrupted', 'wrapped_up'])
  })

  it('ends its calls, reports them and exits with 0 when its parent disconnects', async () => {
    const live = await withLiveCall()
    live.process.disconnect()
    const [code] = await once(live.process, 'exit')
    expect(code).toBe(0)
    expect(factsOf(live.api)?.slice(-2)).toEqual(['interrupted', 'wrapped_up'])
  })

  it('keeps its calls after an unhandled rejection', async () => {
    const live = await withLiveCall()
    live.process.kill('SIGUSR2')
    // Both are signals of one process: the second is not heard before the first.
    live.process.kill('SIGTERM')
    const [code] = await once(live.process, 'exit')
    expect(code).toBe(0)
    expect(factsOf(live.api)?.slice(-2)).toEqual(['interrupted', 'wrapped_up'])
  })

  it('tells, after a restart, how a call stands whose process was killed', async () => {
    const live = await withLiveCall({ SANDBOX_SPEED: '20' })
    const facts = await live.api.until('live-1', (all) =>
      all.some((fact) => fact.type === 'turn' && fact.turn.index >= 2),
    )
    const placed = facts.find((fact) => fact.type === 'placed')
    live.process.kill('SIGKILL')
    await once(live.process, 'exit')
    const [{ port }] = await once(startServer({ API_URL: live.api.url }), 'message')
    const ask = async () => {
      const path = VOICE_PATHS.carrierCall.replace(':carrierCallId', placed?.carrierCallId ?? '')
      const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${SECRET}` } })
      return CarrierStanding.parse(await reply.json())
    }
    await expect.poll(async () => (await ask()).state).toBe('ended')
    const standing = await ask()
    expect(standing).toMatchObject({ cause: 'dropped' })
    expect(standing.connectedMs).toBeGreaterThan(0)
    expect(await ask()).toEqual(standing)
  })

  it('exits with 1 and one sentence on stderr after an uncaught exception', async () => {
    const { process } = await withLiveCall()
    let complaint = ''
    process.stderr?.on('data', (text: Buffer) => (complaint += text.toString()))
    process.kill('SIGWINCH')
    const [code] = await once(process, 'close')
    expect([code, complaint]).toEqual([1, 'The process ends: Error that nobody caught.\n'])
  })

  it('writes a configuration error to stderr when it has no parent process', async () => {
    const env = { ...inherited, VOICE_SECRET: SECRET, DATA_DIR: dataDir, CARRIER: 'twilio' }
    const alone = spawn(process.execPath, [server], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    let complaint = ''
    alone.stderr.on('data', (text: Buffer) => (complaint += text.toString()))
    const [code] = await once(alone, 'close')
    expect(code).toBe(78)
    expect(complaint).toContain('CARRIER=twilio needs TWILIO_ACCOUNT_SID')
  })
})
