import { contactsRoutes as routes } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withTx } from '../platform/db.ts'
import { type Client, createTestApp, type TestApp } from '../testing.ts'
import { countCall } from './index.ts'
import { makeOlder } from './testing.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const add = (client: Client, name: string, phone: string, more: { email?: string; company?: string } = {}) =>
  client.request(routes.create, { body: { name, phone, ...more } })

describe('contacts', () => {
  test('are added with the number in E.164, changed and deleted', async () => {
    const { client, user } = await app.signUp()
    const added = await client.request(routes.create, {
      body: { userId: user.id, name: ' Grand Hotel ', phone: '+1 (415) 555-0100', email: '' },
    })
    expect(added.status).toBe(201)
    expect(added.data).toMatchObject({
      userId: user.id,
      name: 'Grand Hotel',
      phone: '+14155550100',
      email: null,
      totalCalls: 0,
    })

    const params = { id: added.data.id }
    const changed = await client.request(routes.change, {
      params,
      body: { phone: '0044 20 7946 0018', company: 'Grand' },
    })
    expect(changed.data).toMatchObject({ name: 'Grand Hotel', phone: '+442079460018', company: 'Grand' })
    const put = await client.fetch(`/api/contacts/${params.id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(await put.json()).toEqual(changed.data)

    expect((await client.request(routes.remove, { params })).status).toBe(200)
    expect(await client.request(routes.remove, { params })).toMatchObject({
      status: 404,
      body: { message: 'The contact was not found.' },
    })
    expect((await client.request(routes.list, { params: { id: user.id } })).data).toEqual([])
  })

  test.each(['415 555 0100', 'Bob', '+1', '+999 1234 5678', '+1 415 555 0100 or so'])(
    'refuses "%s" as an invalid number',
    async (phone) => {
      const { client } = await app.signUp()
      const answer = await add(client, 'Somebody', phone)
      expect(answer).toMatchObject({ status: 422, body: { code: 'number_invalid', field: 'phone' } })
    },
  )

  test.each(['+1 415 555 0100 x5', '+1 415 555 0100 ext. 5', '+14155550100;ext=5', '+14155550100#5'])(
    'refuses "%s" for its extension',
    async (phone) => {
      const { client } = await app.signUp()
      expect(await add(client, 'Desk', phone)).toMatchObject({
        status: 422,
        body: { code: 'number_extension', field: 'phone' },
      })
    },
  )

  test('refuses a contact without a name', async () => {
    const { client } = await app.signUp()
    const answer = await add(client, ' ', '+14155550100')
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', message: 'Please fill in all required fields.' },
    })
  })

  test('are listed newest first, in pages without repeats or gaps while contacts are added', async () => {
    const { client, user } = await app.signUp()
    for (let index = 0; index < 7; index++) {
      await add(client, `Contact ${index}`, '+14155550100')
      await makeOlder(app.context.db, user.id)
    }
    const params = { id: user.id }
    const names: string[] = []
    let cursor: string | undefined
    do {
      const page = await client.request(routes.list, {
        params,
        query: { limit: 3, ...(cursor === undefined ? {} : { cursor }) },
      })
      expect(Number(page.headers.get('x-total-count'))).toBeGreaterThanOrEqual(7)
      names.push(...page.data.map(({ name }) => name))
      cursor = page.headers.get('x-next-cursor') ?? undefined
      await add(client, 'Latecomer', '+14155550100')
    } while (cursor !== undefined)
    expect(names).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `Contact ${index}`))
    expect(await client.request(routes.list, { params, query: { cursor: 'made up' } })).toMatchObject({
      status: 400,
      body: { field: 'cursor' },
    })
  })

  test('are found by name, number, e-mail and company, with wildcards taken literally', async () => {
    const { client, user } = await app.signUp()
    await add(client, 'Ada', '+14155550100', { company: 'Engines & Sons' })
    await add(client, 'Grace', '+442079460018', { email: 'grace@navy.example' })
    await makeOlder(app.context.db, user.id)
    await add(client, '100% Pizza', '+14155550102')
    const find = async (q: string) => {
      const { data, headers } = await client.request(routes.list, { params: { id: user.id }, query: { q } })
      expect(headers.get('x-total-count')).toBe(String(data.length))
      return data.map(({ name }) => name)
    }
    expect(await find('aDa')).toEqual(['Ada'])
    expect(await find('415-555 01')).toEqual(['100% Pizza', 'Ada'])
    expect(await find('navy')).toEqual(['Grace'])
    expect(await find('engines &')).toEqual(['Ada'])
    expect(await find('0%')).toEqual(['100% Pizza'])
    expect(await find('nobody')).toEqual([])
  })

  test('count the calls of their owner to their number', async () => {
    const { client, user } = await app.signUp()
    const { client: other } = await app.signUp()
    const mine = await add(client, 'Ada', '+14155550100')
    const theirs = await add(other, 'Ada', '+14155550100')
    await withTx(app.context.db, (tx) => countCall(tx, user.id, '+14155550100', true))
    await withTx(app.context.db, (tx) => countCall(tx, user.id, '+14155550100', false))
    const read = await client.request(routes.change, { params: { id: mine.data.id }, body: {} })
    expect(read.data).toMatchObject({ totalCalls: 2, successfulCalls: 1 })
    const untouched = await other.request(routes.change, { params: { id: theirs.data.id }, body: {} })
    expect(untouched.data).toMatchObject({ totalCalls: 0, successfulCalls: 0 })
  })

  test('return 404 to another user', async () => {
    const [{ client, user }, { client: stranger, user: other }] = [await app.signUp(), await app.signUp()]
    const { data: contact } = await add(client, 'Ada', '+14155550100')
    const params = { id: contact.id }
    const answers = [
      await stranger.request(routes.list, { params: { id: user.id } }),
      await stranger.request(routes.change, { params, body: { name: 'Mallory' } }),
      await stranger.request(routes.remove, { params }),
      await client.request(routes.create, { body: { userId: other.id, name: 'Ada', phone: '+14155550100' } }),
    ]
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await client.request(routes.list, { params: { id: user.id } })).data).toEqual([contact])
  })
})
