import { randomUUID } from 'node:crypto'
import { callsRoutes, templatesRoutes } from '@parley/contract'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../testing.ts'
import { call } from './schema.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ environment: { CALLING_HOURS: 'off' } })
})
afterAll(() => app.close())

const CARD = '4111 1111 1111 1111'
const SECRETS: readonly (readonly [order: object, field: string, named: string])[] = [
  [{ purpose: `Pay with ${CARD}` }, 'purpose', 'a payment card number'],
  [{ objectives: ['A table', 'My PIN is 1234'] }, 'objectives', 'a password or PIN'],
  [{ context: { guest: { card: CARD } } }, 'context', 'the context (guest › card)'],
  [{ context: { password: { value: 'hunter', private: true } } }, 'context', 'the context (password)'],
]
const IN_THE_VAULT: typeof SECRETS = [
  [{ vault: [{ name: 'Account', value: CARD }] }, 'vault', 'the private values (Account)'],
  [{ vault: [{ name: 'PIN', value: '1234' }] }, 'vault', 'a password or PIN'],
]

test.each([...SECRETS, ...IN_THE_VAULT])('refuses a call with %j and stores nothing', async (order, field, named) => {
  const { client, user } = await app.signUp()
  const body = { callee: '+12125550100', purpose: 'Book a table', ...order }
  const refused = { status: 422, body: { code: 'secret_in_order', field, message: expect.stringContaining(named) } }
  expect(await client.request(callsRoutes.place, { body })).toMatchObject(refused)
  expect(await app.context.db.$count(call, eq(call.userId, user.id))).toBe(0)
})

test.each(SECRETS)('refuses a template with %j', async (order, field, named) => {
  const { client, user } = await app.signUp()
  const body = { name: 'Mine', tone: 'formal', purpose: 'Book a table', ...order } as const
  const refused = { status: 422, body: { code: 'secret_in_order', field, message: expect.stringContaining(named) } }
  expect(await client.request(templatesRoutes.save, { body })).toMatchObject(refused)
  expect((await client.request(templatesRoutes.list, { params: { id: user.id } })).data).toEqual([])
})

test('accepts a template with a booking number, a telephone number and a private code', async () => {
  const { client } = await app.signUp()
  const context = { booking: 'AB-4111-1111', phone: '4915112345674', code: { value: '8642', private: true } }
  const body = { name: 'Mine', tone: 'formal', purpose: 'Ask how the password is reset', context } as const
  expect((await client.request(templatesRoutes.save, { body })).status).toBe(201)
})

test.each([
  [`Tell them the card ${CARD}`, 'a payment card number'],
  ['The password is hunter2', 'a password or PIN'],
])('refuses the instruction "%s" during a call', async (text, named) => {
  const { client } = await app.signUp()
  const reply = await client.request(callsRoutes.change, {
    params: { id: randomUUID() },
    body: { action: 'say', text },
  })
  expect(reply).toMatchObject({
    status: 422,
    body: { code: 'secret_in_order', field: 'text', message: expect.stringContaining(named) },
  })
})

test('refuses an unknown field in a change of a call', async () => {
  const { client } = await app.signUp()
  const reply = await client.fetch(`/api/calls/${randomUUID()}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ instruction: `Tell them the card ${CARD}` }),
  })
  expect([reply.status, await reply.json()]).toEqual([400, expect.objectContaining({ code: 'invalid_input' })])
})
