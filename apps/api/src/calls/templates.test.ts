import { CALL_TEMPLATES_MAX, templatesRoutes as routes } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, type TestApp } from '../testing.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const order = {
  purpose: 'Move my booking to 8 pm',
  objectives: ['The new time', 'The same table'],
  mandates: [{ rule: 'within_limits' as const, limits: { timeFrom: '19:00', timeTo: '20:30' } }, null],
  tone: 'formal' as const,
}
const save = (client: Client, name: string) => client.request(routes.save, { body: { name, ...order } })
const names = async (client: Client, id: string) =>
  (await client.request(routes.list, { params: { id } })).data.map(({ name }) => name)

describe('templates', () => {
  test('keep every field of a call but the callee, and are listed by name', async () => {
    const { client, user } = await app.signUp()
    const body = {
      userId: user.id,
      name: ' Bookings ',
      ...order,
      maxDurationMinutes: 7,
      context: { name: 'Ruiz' },
      language: 'es',
    } as const
    const saved = await client.request(routes.save, { body })
    expect(saved).toMatchObject({ status: 201, data: { ...body, name: 'Bookings' } })
    await save(client, 'animals')
    await save(client, 'Zoo')
    expect(await names(client, user.id)).toEqual(['animals', 'Bookings', 'Zoo'])
    expect((await client.request(routes.list, { params: { id: user.id } })).data[1]).toEqual(saved.data)
    expect(await client.request(routes.save, { body: { ...body, purpose: ' ' } })).toMatchObject({
      status: 400,
      body: { field: 'purpose' },
    })
  })

  test('can be renamed and deleted, and are hidden from other users', async () => {
    const [{ client, user }, other] = [await app.signUp(), await app.signUp()]
    const params = { id: (await save(client, 'Old')).data.id }
    expect((await client.request(routes.rename, { params, body: { name: 'New' } })).data).toMatchObject({
      name: 'New',
      ...order,
    })
    expect(await names(other.client, other.user.id)).toEqual([])
    expect((await other.client.request(routes.remove, { params })).status).toBe(404)
    expect((await client.request(routes.remove, { params })).status).toBe(200)
    expect(await client.request(routes.remove, { params })).toMatchObject({
      status: 404,
      body: { message: 'The template was not found.' },
    })
    expect(await names(client, user.id)).toEqual([])
  })

  test('have unique names per user, ignoring case', async () => {
    const { client } = await app.signUp()
    const first = await save(client, 'Bookings')
    const taken = {
      status: 409,
      body: { code: 'conflict', field: 'name', message: 'You already have a template named “BOOKINGS”.' },
    }
    expect(await save(client, 'BOOKINGS')).toMatchObject(taken)
    const second = await save(client, 'Reminders')
    expect(
      await client.request(routes.rename, { params: { id: second.data.id }, body: { name: 'BOOKINGS' } }),
    ).toMatchObject(taken)
    // A template may keep its name in another case.
    expect(
      (await client.request(routes.rename, { params: { id: first.data.id }, body: { name: 'BOOKINGS' } })).status,
    ).toBe(200)
    const stranger = await app.signUp()
    expect((await save(stranger.client, 'Bookings')).status).toBe(201)
  })

  test('are limited to CALL_TEMPLATES_MAX, also in parallel', async () => {
    const { client, user } = await app.signUp()
    for (let index = 1; index < CALL_TEMPLATES_MAX; index++)
      expect((await save(client, `Template ${index}`)).status).toBe(201)
    const last = await Promise.all([save(client, 'One'), save(client, 'Other')])
    expect(last.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    expect(await names(client, user.id)).toHaveLength(CALL_TEMPLATES_MAX)
  })
})
