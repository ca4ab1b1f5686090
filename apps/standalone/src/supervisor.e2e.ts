import { readFile } from 'node:fs/promises'
import { type Call, creditsForSeconds } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectBooksInOrder } from './testing.ts'
import { type Person, type Running, runParley, signUp, until } from './world.ts'

// Each process dies during a call and is restarted by the supervisor.
// Longer than 20 s: each process is killed during a call and has to answer again.

const BACK_MS = 60_000
let parley: Running
let person: Person

beforeAll(async () => {
  parley = await runParley()
  person = await signUp(parley.url, 'supervisor@parley.example')
})
afterAll(() => parley.dispose())

const read = (id: string) => person.get<Call>(`/api/calls/${id}`)
const isBack = () =>
  until('the product to be back', async () => (await fetch(`${parley.url}/health`).catch(() => undefined))?.ok, BACK_MS)
const isAlive = async (pid: number) =>
  !/^State:\s+[ZX]/m.test(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'State:\tX'))

/** Places a call to a persona that talks until it is stopped. */
async function callUnderWay(): Promise<string> {
  const { id } = await person.place('+12025550111', { maxDurationMinutes: 2 })
  await until('the callee to talk', async () => (await read(id)).status === 'in_progress')
  return id
}

async function stopped(id: string): Promise<void> {
  await until(
    'the call to be stopped',
    async () => (await person.send('PATCH', `/api/calls/${id}`, { action: 'stop' })).ok || undefined,
  )
  const ended = await person.ended(id, BACK_MS)
  expect(ended).toMatchObject({ endReason: 'stopped', creditsCharged: creditsForSeconds(ended.durationSeconds ?? 0) })
}

test.each(['api', 'postgres'] as const)(
  'a call survives a kill of %s, which is restarted',
  async (killed) => {
    const id = await callUnderWay()
    const { main } = await parley.pids()
    await parley.kill(killed)
    const meanwhile = await fetch(`${parley.url}/api/auth/user`, { headers: { cookie: person.cookie } }).catch(
      () => undefined,
    )
    expect([undefined, 200, 503]).toContain(meanwhile?.status)
    await isBack()
    expect((await parley.pids()).main).toBe(main)
    expect(parley.log()).toContain(
      killed === 'api' ? 'The api stopped (signal SIGKILL' : 'The embedded PostgreSQL stopped (signal SIGKILL',
    )
    await stopped(id)
    await expectBooksInOrder(parley)
  },
  180_000,
)

test('a killed voice service interrupts its call, restarts and takes the next call', async () => {
  const id = await callUnderWay()
  await parley.kill('voice')
  expect(await person.ended(id, BACK_MS)).toMatchObject({ endReason: 'interrupted' })
  await isBack()
  expect(parley.log()).toContain('The voice service stopped (signal SIGKILL')
  await stopped(await callUnderWay())
  await expectBooksInOrder(parley)
}, 180_000)

test('a killed supervisor leaves no process behind, and the next start finds the data', async () => {
  const id = await callUnderWay()
  const before = await parley.pids()
  process.kill(before.main, 'SIGKILL')
  // At once, while the earlier processes are still ending: the start waits for them.
  const starting = parley.start()
  for (const pid of Object.values(before))
    await until(`process ${pid} to end`, async () => !(await isAlive(pid)), BACK_MS)
  await starting
  await isBack()
  expect(await person.ended(id, BACK_MS)).toMatchObject({ endReason: 'interrupted' })
  expect(await person.get(`/api/user/${person.user.id}/calls/active`)).toEqual([])
}, 180_000)

test('Ctrl-C leaves no process behind', async () => {
  const pids = Object.values(await parley.pids())
  expect(await parley.stop()).toBe(0)
  for (const pid of pids) expect(await isAlive(pid)).toBe(false)
})
