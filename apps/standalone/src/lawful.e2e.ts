import type { Batch, BatchAccepted, DoNotCallEntry } from '@parley/contract'
import { afterEach, expect, test } from 'vitest'
import { operate } from './testing.ts'
import { type Person, type Running, runParley, signUp, until } from './world.ts'

// Longer than 20 s: a call at the speed of speech, and a batch that stops and goes on.

const SHUT_WITHIN_MS = 5000
const HUNG_UP_WITHIN_MS = 2000
let parley: Running
let person: Person

async function begin(environment: Record<string, string> = {}): Promise<void> {
  parley = await runParley(environment)
  person = await signUp(parley.url, 'lawful@parley.example')
}
afterEach(() => parley.dispose())

async function startList(callees: readonly string[], more: object = {}): Promise<string> {
  const calls = callees.map((callee) => ({ callee, purpose: 'Ask whether you are open', maxDurationMinutes: 1 }))
  const answer = await person.send('POST', '/api/batch-calls', { name: 'Opening hours', calls, ...more })
  expect(answer.status).toBe(201)
  return ((await answer.json()) as BatchAccepted).batchId
}
const read = (batchId: string) => person.get<Batch>(`/api/batch-calls/${batchId}?limit=200`)

test('a callee who says "take me off your list" is hung up on within two seconds and dropped from batches and calls', async () => {
  // At real speed: at 20 times, a stall of 0.1 s would count as 2 s.
  await begin()
  const callee = '+12025550109'
  const queued = await startList([callee, '+12125550109'], { startAt: new Date(Date.now() + 3_600_000).toISOString() })
  const { id } = await person.place(callee)
  const call = await person.ended(id, 90_000)
  expect(call).toMatchObject({ status: 'completed', endReason: 'opted_out' })
  const confirmed = call.turns.findLast(({ speaker }) => speaker === 'agent')
  expect(confirmed?.text).toContain('off our list')
  // durationSeconds is rounded up.
  const connectedMs = (call.durationSeconds ?? 0) * 1000
  expect(connectedMs - (confirmed?.endMs ?? 0)).toBeLessThanOrEqual(HUNG_UP_WITHIN_MS + 1000)

  const [entry] = await person.get<DoNotCallEntry[]>(`/api/user/${person.user.id}/do-not-call`)
  expect(entry).toMatchObject({
    phone: callee,
    source: 'callee',
    callId: id,
    quote: expect.stringContaining('off your list'),
  })
  expect((await read(queued)).contacts).toMatchObject({ waiting: 1, cancelled: 1 })
  const again = await person.send('POST', '/api/calls', { callee, purpose: 'Ask again' })
  expect([again.status, await again.json()]).toMatchObject([422, { code: 'do_not_call' }])
}, 180_000)

test('switching dialing off stops new calls within five seconds, and switching it on resumes the batch', async () => {
  await begin({ SANDBOX_SPEED: '20' })
  await operate(parley, 'credits', 'adjust', 'lawful@parley.example', '100', '--key', 'list', '--reason', 'For a list')
  const callees = Array.from({ length: 60 }, (_, index) => `+1${301 + index}5550100`)
  const batchId = await startList(callees, { liveCalls: 2 })
  await until('the first calls', async () => (await read(batchId)).contacts.completed > 0, 60_000)
  await operate(parley, 'dialing', 'off', '--reason', 'number abuse')
  const offAt = Date.now()
  const refused = await person.send('POST', '/api/calls', { callee: '+12025550100', purpose: 'Ask' })
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'dialing_off' }])
  const held = await until(
    'the calls that run to end',
    async () => {
      const batch = await read(batchId)
      return batch.contacts.calling === 0 && batch
    },
    60_000,
  )
  expect(held.contacts.waiting).toBeGreaterThan(0)
  const lastAt = Math.max(...held.calls.map(({ createdAt }) => Date.parse(createdAt)))
  expect(lastAt - offAt).toBeLessThan(SHUT_WITHIN_MS)
  await operate(parley, 'dialing', 'on')
  await until(
    'the list to go on',
    async () => (await read(batchId)).contacts.completed > held.contacts.completed,
    60_000,
  )
  await person.send('PATCH', `/api/batch-calls/${batchId}`, { action: 'stop' })
}, 180_000)
