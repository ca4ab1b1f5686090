import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { startFakeApi, type FakeApi } from './session/testing/fake-api.ts'
import { anOrder } from './session/testing/fakes.ts'

const SECRET = 'a secret of some length'
let api: FakeApi | undefined
let child: ChildProcess | undefined

afterEach(async () => {
  if (child?.exitCode === null) child.kill('SIGKILL')
  await api?.close()
})

const server = fileURLToPath(new URL('server.ts', import.meta.url))

function startServer(environment: Record<string, string>) {
  const env = { PATH: process.env.PATH, VOICE_PORT: '0', VOICE_SECRET: SECRET, LOG_LEVEL: 'silent', ...environment }
  child = fork(server, [], { env, execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  return child
}

async function withLiveCall() {
  api = await startFakeApi()
  const process = startServer({ API_URL: api.url })
  const [{ type, port }] = await once(process, 'message')
  expect(type).toBe('listening')
  const reply = await fetch(`http://127.0.0.1:${port}/v1/calls`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${SECRET}` },
    body: JSON.stringify(anOrder({ callId: 'live-1' })),
  })
  expect(reply.status).toBe(202)
  return { api, process }
}

const factsOf = (from: FakeApi) => from.facts.get('live-1')?.map((fact) => (fact.type === 'ended' ? fact.reason : fact.type))

// Starting a process takes as long as the machine is busy.
describe('the process', { timeout: 30_000 }, () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('ends its calls, tells of it and leaves at %s', async (signal) => {
    const live = await withLiveCall()
    live.process.kill(signal)
    const [code] = await once(live.process, 'exit')
    expect(code).toBe(0)
    expect(factsOf(live.api)?.slice(-2)).toEqual(['interrupted', 'wrapped_up'])
  })

  it('does the same when whoever started it is gone', async () => {
    const live = await withLiveCall()
    live.process.disconnect()
    const [code] = await once(live.process, 'exit')
    expect(code).toBe(0)
    expect(factsOf(live.api)?.slice(-2)).toEqual(['interrupted', 'wrapped_up'])
  })

  it('says in a sentence why it does not start', async () => {
    const process = startServer({ CARRIER: 'twilio' })
    let complaint = ''
    process.stderr?.on('data', (text: Buffer) => (complaint += text.toString()))
    const [code] = await once(process, 'close')
    expect(code).toBe(1)
    expect(complaint).toContain('CARRIER=twilio is not available in this build')
  })
})
