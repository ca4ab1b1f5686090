import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createClient } from '@parley/client'
import type { Call, CallDetails } from '@parley/contract'
import { beforeAll, expect, inject, test } from 'vitest'
import { type Person, signUp, until } from './world.ts'

const parley = inject('world')
let person: Person
let key: string

beforeAll(async () => {
  person = await signUp(parley.url, 'programs@parley.example')
  const answer = await person.send('POST', `/api/user/${person.user.id}/api-keys`, { name: 'Assistant' })
  key = ((await answer.json()) as { key: string }).key
})

const NEEDED = {
  place_call: { phone: '+12025550100', purpose: 'Book a table', objectives: ['A table at 7 pm'], maxMinutes: 2 },
} as const

/** Slow polling, within the key's rate limit. */
const PATIENTLY = [60_000, 500] as const

test('an MCP assistant lists the tools, places calls, stops one and sees the balance', async () => {
  const assistant = new McpClient({ name: 'assistant', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await assistant.connect(new StreamableHTTPClientTransport(new URL(`${parley.url}/mcp`), { requestInit }))
  const use = async <T>(name: string, args: Record<string, unknown> = {}): Promise<T> => {
    const { content, isError } = await assistant.callTool({ name, arguments: args })
    const [said] = content
    if (isError || said?.type !== 'text') throw new Error(`${name} answered ${JSON.stringify(content)}`)
    return JSON.parse(said.text) as T
  }
  const { tools } = await assistant.listTools()
  expect(tools.map(({ name }) => name).toSorted()).toEqual([
    'get_balance',
    'get_call',
    'list_calls',
    'place_call',
    'stop_call',
  ])

  expect(await use('get_balance')).toEqual({ creditBalance: '10' })
  const placed = await use<Call>('place_call', NEEDED.place_call)
  const ended = await until(
    'the call to end',
    async () => {
      const call = await use<CallDetails>('get_call', { callId: placed.id })
      return call.completedAt !== null && call.summary !== null && call
    },
    ...PATIENTLY,
  )
  expect(ended).toMatchObject({ status: 'completed', outcomes: [{ objective: 'A table at 7 pm', status: 'met' }] })

  // This persona never stops talking: it is stopped long before its limit.
  const talking = await use<Call>('place_call', { ...NEEDED.place_call, phone: '+12025550111', maxMinutes: 5 })
  await until(
    'the talk',
    async () => (await use<CallDetails>('get_call', { callId: talking.id })).status === 'in_progress',
    ...PATIENTLY,
  )
  await use('stop_call', { callId: talking.id })
  const stopped = await person.ended(talking.id)
  expect(stopped.endReason).toBe('stopped')
  const { total, calls } = await use<{ total: number; calls: Call[] }>('list_calls', { limit: 5 })
  expect([total, calls.map(({ id }) => id)]).toEqual([2, [talking.id, placed.id]])
  const spent = (ended.creditsCharged ?? 0) + (stopped.creditsCharged ?? 0)
  expect(await use('get_balance')).toEqual({ creditBalance: String(10 - spent) })
  await assistant.close()
})

test('a program places a batch with the client and reads its results', async () => {
  const client = createClient({ url: parley.url, key })
  const calls = ['0100', '0101'].map((end) => ({
    callee: `+1202555${end}`,
    purpose: 'Ask whether you are open',
    maxDurationMinutes: 1,
  }))
  const { batchId, totalCalls } = await client.batches.create({
    body: { name: 'Opening hours', calls },
    idempotencyKey: 'hours',
  })
  expect(totalCalls).toBe(2)
  const params = { id: batchId }
  const { counts } = await until(
    'the list to be done',
    async () => {
      const batch = await client.batches.get({ params })
      return batch.status === 'done' && batch
    },
    ...PATIENTLY,
  )
  expect(counts).toEqual({ completed: 1, failed: 1 })
  const { items } = await client.batches.contacts({ params })
  expect(items.map(({ callee, endReason }) => [callee, endReason])).toEqual([
    ['+12025550100', 'agent_closed'],
    ['+12025550101', 'busy'],
  ])
})
