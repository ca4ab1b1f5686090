import {
  Client as McpClient,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { callsRoutes, type KeyScope, securityRoutes } from '@parley/contract'
import { createClient, ParleyError } from '@parley/client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Script, type StandInVoice, startStandInVoice } from '../calls/testing.ts'
import { createTestApp, type TestApp } from '../testing.ts'

let app: TestApp
let voice: StandInVoice

beforeAll(async () => {
  voice = await startStandInVoice()
  app = await createTestApp({
    environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off', KEY_LIMIT_PER_MINUTE: '1000' },
  })
})
afterAll(async () => {
  await app.close()
  await voice.close()
})

async function signUpWithKey(scopes?: KeyScope[]) {
  const person = await app.signUp()
  const params = { id: person.user.id }
  const { data } = await person.client.request(securityRoutes.createApiKey, { params, body: scopes ? { scopes } : {} })
  return { ...person, key: data.key }
}

async function connect(key: string): Promise<McpClient> {
  const client = new McpClient({ name: 'assistant', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit }))
  return client
}

/** What a tool answered, as JSON. */
async function use(client: McpClient, name: string, args: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args })
  const [first] = content
  return {
    isError: isError === true,
    said: JSON.parse(first?.type === 'text' ? first.text : 'null') as Record<string, unknown>,
  }
}

describe('MCP', () => {
  test('lists five tools that say what costs credits', async () => {
    const { key } = await signUpWithKey()
    const client = await connect(key)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).toSorted()).toEqual([
      'get_balance',
      'get_call',
      'list_calls',
      'place_call',
      'stop_call',
    ])
    for (const { name, description } of tools)
      expect(description).toMatch(name === 'place_call' ? /COSTS CREDITS/ : /Free/)
    await client.close()
  })

  test('an assistant places, stops and reads a call and sees the balance', async () => {
    const { key } = await signUpWithKey()
    const client = await connect(key)
    const placed = await use(client, 'place_call', {
      phone: '+1 202 555 0100',
      purpose: 'Book a table',
      objectives: ['A table at 7'],
      maxMinutes: 2,
    })
    expect(placed).toMatchObject({
      isError: false,
      said: { status: 'initiated', callee: '+12025550100', maxDurationMinutes: 2 },
    })
    const callId = String(placed.said['id'])
    await voice.orderOf(callId)
    const script = new Script(app, callId)
    await script.converse()
    expect((await use(client, 'get_balance')).said).toEqual({ creditBalance: '8' })
    await use(client, 'stop_call', { callId })
    await voice.commandTo(callId, 'stop')
    await script.end(30, 'stopped')
    expect((await use(client, 'get_call', { callId })).said).toMatchObject({
      status: 'completed',
      creditsCharged: 1,
      turns: [{}, {}],
    })
    expect((await use(client, 'list_calls')).said).toMatchObject({ total: 1, calls: [{ id: callId }] })
    await client.close()
  })

  test("refusals have a code, and a key is limited to its scopes and its user's calls", async () => {
    const [{ key }, { key: reader }, { client: stranger }] = [
      await signUpWithKey(),
      await signUpWithKey(['read']),
      await app.signUp(),
    ]
    const client = await connect(key)
    expect(await use(client, 'place_call', { phone: '911', purpose: 'Help' })).toMatchObject({
      isError: true,
      said: { code: 'number_emergency' },
    })
    const theirs = await stranger.request(callsRoutes.place, { body: { callee: '+12025550100', purpose: 'Mine' } })
    expect(await use(client, 'get_call', { callId: theirs.data.id })).toMatchObject({
      isError: true,
      said: { code: 'not_found' },
    })
    expect(await use(client, 'stop_call', { callId: theirs.data.id })).toMatchObject({
      isError: true,
      said: { code: 'not_found' },
    })
    const reading = await connect(reader)
    expect(await use(reading, 'get_balance')).toMatchObject({ isError: false })
    const placed = await use(reading, 'place_call', { phone: '+12025550100', purpose: 'Ask' })
    expect(placed).toMatchObject({ isError: true, said: { code: 'not_permitted' } })
    await Promise.all([client.close(), reading.close()])
  })

  test("invalid arguments get the API's sentences, and nothing is printed to the console", async () => {
    const warned = vi.spyOn(console, 'warn')
    const { key } = await signUpWithKey()
    const client = await connect(key)
    const wrong = async (name: string, args: Record<string, unknown>) =>
      JSON.stringify(await client.callTool({ name, arguments: args }))
    expect(await wrong('get_call', {})).toContain('\\"callId\\" is missing.')
    expect(await wrong('place_call', { phone: '+1 202 555 0100', purpose: 'Ask', maxMinutes: 99 })).toContain(
      '\\"maxMinutes\\" must be at most 30.',
    )
    expect(await wrong('place_call', { phone: '+1 202 555 0100', purpose: 'Ask', mandates: [null] })).toContain(
      'Give one mandate for each objective, in their order, or none.',
    )
    expect(await wrong('list_calls', { status: 'odd' })).toContain('\\"status\\" must be one of')
    await client.close()
    expect(warned).not.toHaveBeenCalled()
  })

  test('a refusal leads to metadata that says: an API key as a bearer token, of no authorization server', async () => {
    const ask = (headers: Record<string, string>) => fetch(`${app.url}/mcp`, { method: 'POST', headers })
    const [nobody, wrong] = [await ask({}), await ask({ authorization: 'Bearer parley_nobody' })]
    const { publicUrl } = app.context.config
    const resource = `${publicUrl}/mcp`
    for (const answer of [nobody, wrong]) {
      expect(answer.status).toBe(401)
      expect(extractWWWAuthenticateParams(answer)).toMatchObject({
        resourceMetadataUrl: new URL(`${publicUrl}/.well-known/oauth-protected-resource/mcp`),
        scope: 'read calls contacts batches',
      })
    }
    expect(nobody.headers.get('www-authenticate')).not.toContain('error')
    expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"')
    // As a client finds it that knows the address of the server alone.
    const found = await discoverOAuthProtectedResourceMetadata(`${app.url}/mcp`)
    expect(found).toEqual({
      resource,
      resource_name: 'Parley',
      resource_documentation: `${publicUrl}/api/docs`,
      bearer_methods_supported: ['header'],
      scopes_supported: ['read', 'calls', 'contacts', 'batches'],
    })
  })

  test('refuses an unknown key and a browser session', async () => {
    const { client } = await app.signUp()
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    for (const more of [{}, { authorization: 'Bearer parley_nobody' }]) {
      const answer = await client.fetch('/mcp', { method: 'POST', headers: { ...headers, ...more }, body })
      expect(answer.status).toBe(401)
    }
    await expect(connect('parley_nobody')).rejects.toThrow(/401|unauthori[sz]ed|API key/i)
  })
})

describe('createClient', () => {
  test('places calls and batches, and throws ParleyError on refusals', async () => {
    const { key, user } = await signUpWithKey()
    const parley = createClient({ url: app.url, key })
    const body = { callee: '+12025550100', purpose: 'Ask', maxDurationMinutes: 1 }
    const call = await parley.calls.place({ body, idempotencyKey: 'one' })
    expect((await parley.calls.place({ body, idempotencyKey: 'one' })).id).toBe(call.id)
    expect((await parley.calls.get({ params: { id: call.id } })).purpose).toBe('Ask')
    expect(await parley.reports.calls({ params: { id: user.id } })).toMatchObject({
      total: 1,
      items: [{ id: call.id }],
      nextCursor: null,
    })

    const draft = await parley.batches.import({ query: { fileName: 'a.csv' }, file: 'phone\n+12125551000\n' })
    expect(draft).toMatchObject({ contacts: 1, columns: ['phone'] })
    const csv = await parley.batches.results({ params: { id: draft.batchId }, query: { format: 'csv' } })
    expect(await csv.text()).toContain('+12125551000')
    await parley.doNotCall.add({ params: { id: user.id }, body: { phone: '+12125551000' } })
    expect((await parley.batches.get({ params: { id: draft.batchId } })).contacts).toMatchObject({
      dropped: 1,
      waiting: 0,
    })

    const refused = await parley.calls
      .place({ body: { callee: '+12125551000', purpose: 'Ask' } })
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ParleyError)
    expect(refused).toMatchObject({ status: 422, code: 'do_not_call', field: 'callee' })
    const elsewhere = createClient({
      url: app.url,
      key,
      fetch: async () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
    })
    await expect(elsewhere.account.currentUser()).rejects.toMatchObject({ status: 502, code: 'unavailable' })
  })
})
