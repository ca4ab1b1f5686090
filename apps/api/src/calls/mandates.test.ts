import { randomUUID } from 'node:crypto'
import {
  accountsRoutes,
  batchesRoutes,
  callsRoutes,
  type CallOrder,
  LANGUAGE_COOKIE,
  type Mandate,
  templatesRoutes,
  type VaultEntry,
} from '@parley/contract'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, type TestApp } from '../testing.ts'
import { call, callVault } from './schema.ts'
import { Script, type StandInVoice, startStandInVoice } from './testing.ts'
import { openVault, sealVault } from './vault.ts'

let voice: StandInVoice
let app: TestApp

beforeAll(async () => {
  voice = await startStandInVoice()
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
})
afterAll(async () => {
  await app.close()
  await voice.close()
})

const SECRET = 'ZX-77431'
const MANDATES: (Mandate | null)[] = [
  { rule: 'within_limits', limits: { timeFrom: '19:00', timeTo: '20:30', alternatives: ['the terrace'] } },
  null,
]
const VAULT: VaultEntry[] = [
  { name: 'Booking number', value: SECRET, condition: { when: 'said', words: 'Ruiz' } },
  { name: 'Date of birth', value: '4 May 1980', condition: { when: 'asked' } },
]
const ITEMS = VAULT.map(({ name, condition }) => ({ name, condition }))
const order = {
  callee: '+12025550100',
  purpose: 'Book a table',
  objectives: ['Table at 7 pm', 'Vegetarian menu'],
  maxDurationMinutes: 1,
}

const place = (client: Client, more: object = {}, headers: Record<string, string> = {}) =>
  client.request(callsRoutes.place, { body: { ...order, ...more }, headers })
const read = async (client: Client, id: string) => (await client.request(callsRoutes.get, { params: { id } })).data

/** Every row of the whole database that holds the text. */
async function whereStands(word: string): Promise<string[]> {
  const { db } = app.context
  const { rows } = await db.execute<{ schema: string; name: string }>(
    sql`select table_schema as schema, table_name as name from information_schema.tables
        where table_schema in ('public', 'jobs') and table_type = 'BASE TABLE'`,
  )
  const found = await Promise.all(
    rows.map(async ({ schema, name }) => {
      const table = sql`${sql.identifier(schema)}.${sql.identifier(name)}`
      const hits = await db.execute<{ one: number }>(
        sql`select 1 as one from ${table} as each where position(${word} in each::text) > 0`,
      )
      return hits.rows.length > 0 ? [name] : []
    }),
  )
  return found.flat()
}

const sealedOf = (id: string) => app.context.db.select().from(callVault).where(eq(callVault.callId, id))

describe('mandates and private values of a call', () => {
  test('go to voice, and the call shows mandates, names and conditions, never a value', async () => {
    const { client } = await app.signUp()
    const placed = await place(client, { mandates: MANDATES, vault: VAULT }, { 'idempotency-key': randomUUID() })
    expect(placed).toMatchObject({ status: 201, data: { mandates: MANDATES, vault: ITEMS } })
    expect(await voice.orderOf(placed.data.id)).toMatchObject({ mandates: MANDATES, vault: VAULT })
    const details = await read(client, placed.data.id)
    expect(details).toMatchObject({ mandates: MANDATES, vault: ITEMS, told: [] })
    expect(JSON.stringify([placed.data, details])).not.toContain(SECRET)
    expect(await whereStands(SECRET)).toEqual([])
    expect(await sealedOf(placed.data.id)).toHaveLength(1)
  })

  test('are refused when the mandates do not fit the objectives', async () => {
    const { client } = await app.signUp()
    expect(await place(client, { mandates: [null] })).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_input',
        field: 'mandates',
        message: expect.stringContaining('Give one mandate for each objective'),
      },
    })
  })

  test('count for the Idempotency-Key: the same gives the first call, another mandate or value 409', async () => {
    const { client } = await app.signUp()
    const headers = { 'idempotency-key': randomUUID() }
    const body = { mandates: MANDATES, vault: VAULT }
    const first = await place(client, body, headers)
    expect((await place(client, body, headers)).data.id).toBe(first.data.id)
    const mismatch = { status: 409, body: { code: 'idempotency_mismatch' } }
    expect(await place(client, { ...body, mandates: [null, null] }, headers)).toMatchObject(mismatch)
    const vault = VAULT.map((entry) => ({ ...entry, value: 'other' }))
    expect(await place(client, { ...body, vault }, headers)).toMatchObject(mismatch)
  })

  test.each([
    ['completed', async (script: Script) => (await script.converse(), await script.end(30))],
    ['failed', (script: Script) => script.end(0, 'busy')],
  ])('lose their values in the transaction that ends a %s call, and what was told stays', async (status, end) => {
    const { client } = await app.signUp()
    const { id } = (await place(client, { mandates: MANDATES, vault: VAULT })).data
    await voice.orderOf(id)
    const script = new Script(app, id)
    await script.say({ type: 'dialing' }, { type: 'told', name: 'Booking number', by: 'keys', turn: null })
    await end(script)
    const told = [{ name: 'Booking number', by: 'keys', turn: null, at: expect.any(String) }]
    expect(await read(client, id)).toMatchObject({ status, vault: ITEMS, told })
    expect(await sealedOf(id)).toEqual([])
  })

  test('lose their values when the call is stopped before it is dialed', async () => {
    const { client } = await app.signUp()
    let dial = () => undefined as void
    voice.gate = new Promise<void>((resolve) => (dial = resolve))
    voice.refuseWith = 503
    const { id } = (await place(client, { vault: VAULT })).data
    await client.request(callsRoutes.change, { params: { id }, body: { action: 'stop' } })
    dial()
    await expect.poll(() => sealedOf(id), { timeout: 40_000 }).toEqual([])
    voice.refuseWith = null
  })

  test('stay unreadable for another user', async () => {
    const [{ client }, other] = [await app.signUp(), await app.signUp()]
    const { id } = (await place(client, { vault: VAULT })).data
    const notFound = { status: 404, body: { code: 'not_found' } }
    expect(await other.client.request(callsRoutes.get, { params: { id } })).toMatchObject(notFound)
    expect(await place(other.client, { repeats: id })).toMatchObject(notFound)
  })
})

test('a typed value of an outcome reaches the call, its webhook event and its list, without private values', async () => {
  const { client, user } = await app.signUp()
  const settings = { webhookUrl: 'http://127.0.0.1:9/hook' }
  await client.request(accountsRoutes.changeSettings, { params: { id: user.id }, body: settings })
  const { id } = (await place(client, { vault: VAULT })).data
  await voice.orderOf(id)
  const script = new Script(app, id)
  await script.converse()
  await script.end(30)
  const value = { type: 'date_time', at: '2026-11-30T19:30', timezone: 'Europe/Madrid' } as const
  const outcome = {
    objective: 'Table at 7 pm',
    status: 'met',
    quote: 'Half past seven.',
    turn: 1,
    offer: null,
    value,
  } as const
  await script.wrapUp('Booked.', [outcome])
  expect((await read(client, id)).outcomes).toEqual([outcome])
  const { rows } = await app.context.database.pool.query<{ event: string }>(
    'select each::text as event from webhook_delivery as each where user_id = $1',
    [user.id],
  )
  const events = rows.map(({ event }) => event).join('\n')
  expect(events).toContain('2026-11-30T19:30')
  expect(events).toContain('Booking number')
  expect(events).not.toContain(SECRET)
})

describe('a call that repeats another', () => {
  test('is refused without its private values, by name, and placed with them', async () => {
    const { client } = await app.signUp()
    const { id } = (await place(client, { vault: VAULT })).data
    const [booking] = VAULT
    const refused = (names: string) => ({
      status: 400,
      body: {
        code: 'invalid_input',
        field: 'vault',
        message: `Give ${names} again: private values are deleted when a call ends.`,
      },
    })
    expect(await place(client, { repeats: id })).toMatchObject(refused('“Booking number”, “Date of birth”'))
    expect(await place(client, { repeats: id, vault: [booking] })).toMatchObject(refused('“Date of birth”'))
    expect(await place(client, { repeats: id, vault: VAULT })).toMatchObject({ status: 201 })
  })

  test('without private values is placed as it is', async () => {
    const { client } = await app.signUp()
    const { id } = (await place(client)).data
    expect(await place(client, { repeats: id })).toMatchObject({ status: 201 })
  })
})

describe('the language of the summary in an order', () => {
  const languageOf = async (
    client: Client,
    headers: Record<string, string> = {},
  ): Promise<CallOrder['readerLanguage']> =>
    (await voice.orderOf((await place(client, {}, headers)).data.id)).readerLanguage

  test("is the page's, as chosen there or by the browser, else the account's", async () => {
    const { client, user } = await app.signUp()
    await client.request(accountsRoutes.changeSettings, { params: { id: user.id }, body: { defaultLanguage: 'de' } })
    const byBrowser = await languageOf(client, { 'accept-language': 'es-MX,es;q=0.9' })
    client.cookies.set(LANGUAGE_COOKIE, 'es')
    const chosen = await languageOf(client, { 'accept-language': 'en' })
    client.cookies.delete(LANGUAGE_COOKIE)
    expect([byBrowser, chosen, await languageOf(client, { 'accept-language': '' })]).toEqual(['es', 'es', 'de'])
  })
})

test('a batch takes mandates once for all calls and refuses private values', async () => {
  const { client } = await app.signUp()
  const calls = [{ ...order, mandates: MANDATES }]
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  const made = await client.request(batchesRoutes.create, { body: { name: 'Tables', calls, startAt: inAnHour } })
  const params = { id: made.data.batchId }
  expect((await client.request(batchesRoutes.get, { params })).data.plan.mandates).toEqual(MANDATES)

  // A mandate stays with its objective when the objectives change.
  const objectives = ['Another', 'Table at 7 pm']
  await client.request(batchesRoutes.change, { params, body: { plan: { objectives } } })
  expect((await client.request(batchesRoutes.get, { params })).data.plan.mandates).toEqual([null, MANDATES[0]])
  const unfit = { status: 400, body: { code: 'invalid_input', field: 'plan.mandates' } }
  const change = { params, body: { plan: { mandates: [null] } } }
  expect(await client.request(batchesRoutes.change, change)).toMatchObject(unfit)

  const withVault = { name: 'Tables', calls: [{ ...order, vault: VAULT }] }
  expect(await client.request(batchesRoutes.create, { body: withVault })).toMatchObject({
    status: 400,
    body: { field: 'calls.0.vault', message: 'Private values are for single calls: a batch takes none.' },
  })
})

test('a template takes no private values', async () => {
  const { client, user } = await app.signUp()
  const { callee: _, ...manner } = order
  const body = { ...manner, name: 'Tables', tone: 'formal' as const, mandates: MANDATES, vault: VAULT }
  expect((await client.request(templatesRoutes.save, { body })).status).toBe(201)
  const [kept] = (await client.request(templatesRoutes.list, { params: { id: user.id } })).data
  expect(kept).toMatchObject({ mandates: MANDATES })
  expect(kept).not.toHaveProperty('vault')
})

describe('POST /api/calls/reading', () => {
  const body = { purpose: 'Book a table', objectives: ['Table at 7 pm, or up to 8:30'] }

  test('passes on what voice understands', async () => {
    const { client } = await app.signUp()
    voice.readings = { objectives: [{ mandate: MANDATES[0] ?? null, understood: '7 pm, or up to 8:30 pm' }] }
    expect(await client.request(callsRoutes.reading, { body })).toMatchObject({ status: 200, data: voice.readings })
    voice.readings = null
  })

  test('answers 503 while voice is away or of before', async () => {
    const { client } = await app.signUp()
    const away = { status: 503, body: { code: 'unavailable' } }
    expect(await client.request(callsRoutes.reading, { body })).toMatchObject(away)
    voice.away = true
    expect(await client.request(callsRoutes.reading, { body })).toMatchObject(away)
    voice.away = false
  })
})

describe('a sealed vault', () => {
  const withKey = (id: number | null, letter: string) => ({ id, secret: letter.repeat(32) })
  const config = { authKeys: [withKey(null, 'a')] } as const
  const sealed = sealVault(config, 'call-1', VAULT)

  test('opens for its call and secret, and differs each time', () => {
    expect(openVault(config, 'call-1', sealed)).toEqual(VAULT)
    expect(sealVault(config, 'call-1', VAULT)).not.toBe(sealed)
    expect(Buffer.from(sealed.slice(2), 'base64url').toString('latin1')).not.toContain(SECRET)
  })

  test('opens after its key was rotated, as one sealed with the new key does', () => {
    const rotated = { authKeys: [withKey(2, 'b'), withKey(1, 'a')] } as const
    expect(openVault(rotated, 'call-1', sealed)).toEqual(VAULT)
    const anew = sealVault(rotated, 'call-1', VAULT)
    expect(anew).toMatch(/^2\.2\./)
    expect(openVault({ authKeys: [withKey(3, 'c'), withKey(2, 'b')] }, 'call-1', anew)).toEqual(VAULT)
  })

  test.each([
    ['another call', config, 'call-2', sealed],
    ['another secret', { authKeys: [withKey(null, 'b')] } as const, 'call-1', sealed],
    ['altered text', config, 'call-1', `${sealed.slice(0, -4)}AAAA`],
  ])('does not open with %s', (_, secret, callId, text) => {
    expect(() => openVault(secret, callId, text)).toThrow(/unable to authenticate data/)
  })
})

test('a deleted account leaves no private value', async () => {
  const { client, user } = await app.signUp()
  const { id } = (await place(client, { vault: VAULT })).data
  await voice.orderOf(id)
  await client.request(accountsRoutes.deleteUser, { params: { id: user.id } })
  await new Script(app, id).end(0, 'canceled')
  await expect.poll(() => app.context.db.$count(call, eq(call.id, id)), { timeout: 40_000 }).toBe(0)
  expect(await sealedOf(id)).toEqual([])
})
