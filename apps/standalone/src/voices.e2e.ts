import type { Call } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectBooksInOrder, openDatabase } from './testing.ts'
import { type Person, type Running, runParley, signUp, until } from './world.ts'

// `npm start -- --voices 3`: calls on three voice nodes.
// Longer than 20 s: calls on three voice nodes, of which one dies until its lease has run out.

const VOICES = 3
let parley: Running
let person: Person

beforeAll(async () => {
  parley = await runParley({}, ['--voices', String(VOICES)])
  person = await signUp(parley.url, 'voices@parley.example')
})
afterAll(() => parley.dispose())

const read = (id: string) => person.get<Call>(`/api/calls/${id}`)
const change = (id: string, body: object) => person.send('PATCH', `/api/calls/${id}`, body)

async function rowsOf<T extends object>(query: string): Promise<T[]> {
  const database = await openDatabase(parley)
  const { rows } = await database.pool.query<T>(query)
  await database.close()
  return rows
}

/** Calls to a persona that talks until it is stopped, on as many nodes, by the id of the node. */
async function callOnEachNode(): Promise<Map<string, string>> {
  await until('all nodes to join', async () => (await rowsOf('select from voice_node')).length === VOICES)
  const calls = new Map<string, string>()
  while (calls.size < VOICES) {
    const { id } = await person.place('+12025550111', { maxDurationMinutes: 1 })
    await until('the callee to talk', async () => (await read(id)).status === 'in_progress')
    const [lease] = await rowsOf<{ node_id: string }>(`select node_id from call_lease where call_id = '${id}'`)
    // A node whose heartbeat is being written is passed over, and another one gets a second call.
    if (lease && !calls.has(lease.node_id)) calls.set(lease.node_id, id)
    else {
      await change(id, { action: 'stop' })
      await person.ended(id)
    }
  }
  return calls
}

/** Listens in until sound comes. */
async function hear(id: string): Promise<void> {
  const address = `${parley.url.replace('http', 'ws')}/ws/calls/${id}/audio`
  // Node's WebSocket accepts headers; the DOM type does not know them.
  const options = { headers: { cookie: person.cookie, origin: parley.url } } as unknown as string[]
  const socket = new WebSocket(address, options)
  socket.binaryType = 'arraybuffer'
  await new Promise<void>((heard, failed) => {
    socket.addEventListener('message', ({ data }) => data instanceof ArrayBuffer && heard())
    socket.addEventListener('close', ({ code }) => failed(new Error(`The sound of ${id} was closed with ${code}.`)))
  })
  socket.close()
}

test('a call on each of three nodes is commanded, listened to and stopped', async () => {
  expect(parley.log()).toMatch(/voice 2 +http:\/\/127\.0\.0\.1:\d+\/health\n +voice 3 +http/)
  const calls = await callOnEachNode()
  expect([...calls.keys()].toSorted()).toEqual(['voice-1', 'voice-2', 'voice-3'])
  for (const id of calls.values()) {
    expect((await change(id, { action: 'say', text: 'Please ask for a table by the window.' })).status).toBe(200)
    await hear(id)
    expect((await change(id, { action: 'take_over' })).status).toBe(200)
    expect((await change(id, { action: 'stop' })).status).toBe(200)
  }
  for (const id of calls.values()) expect(await person.ended(id)).toMatchObject({ endReason: 'stopped' })
  expect(await rowsOf('select from call_lease')).toEqual([])
  await expectBooksInOrder(parley)
}, 180_000)

test('the death of a node interrupts its calls alone, and it joins again', async () => {
  const calls = await callOnEachNode()
  const before = await rowsOf<{ node_id: string; boot_id: string }>('select node_id, boot_id from voice_node')
  await parley.kill('voice')
  const ended = await until('a call to end', async () => {
    for (const [nodeId, id] of calls) if ((await read(id)).completedAt !== null) return { nodeId, id }
    return undefined
  })
  expect(await read(ended.id)).toMatchObject({ endReason: 'interrupted' })
  const boots = async () =>
    new Map((await rowsOf<(typeof before)[0]>('select * from voice_node')).map((row) => [row.node_id, row.boot_id]))
  await until('the node to join again', async () => {
    const now = await boots()
    return before.every((row) => (now.get(row.node_id) === row.boot_id) === (row.node_id !== ended.nodeId))
  })
  calls.delete(ended.nodeId)
  for (const id of calls.values()) {
    expect(await read(id)).toMatchObject({ status: 'in_progress' })
    await change(id, { action: 'stop' })
    expect(await person.ended(id)).toMatchObject({ endReason: 'stopped' })
  }
  await expectBooksInOrder(parley)
}, 180_000)
