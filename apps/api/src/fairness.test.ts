import { securityRoutes } from '@parley/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Client, createTestApp, PATIENTLY, type TestApp } from './testing.ts'

async function* noFiles(): AsyncGenerator<never> {
  // An account without files.
}

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

test("a long export of one account delays no other account's", async () => {
  const [long, short] = [await app.signUp(), await app.signUp()]
  const { needs } = app.context.accounts.room
  const held = Promise.withResolvers<void>()
  vi.spyOn(needs, 'exportFiles').mockImplementation(async (userId) => {
    if (userId === long.user.id) await held.promise
    return { count: 0, files: noFiles() }
  })
  const request = (client: Client, id: string) => client.request(securityRoutes.requestExport, { params: { id } })
  const statusOf = async (client: Client, id: string) =>
    (await client.request(securityRoutes.exports, { params: { id } })).data[0]?.status
  await request(long.client, long.user.id)
  await vi.waitFor(async () => expect(await statusOf(long.client, long.user.id)).toBe('running'), PATIENTLY)
  await request(short.client, short.user.id)
  await vi.waitFor(async () => expect(await statusOf(short.client, short.user.id)).toBe('ready'), PATIENTLY)
  expect(await statusOf(long.client, long.user.id)).toBe('running')
  held.resolve()
  await vi.waitFor(async () => expect(await statusOf(long.client, long.user.id)).toBe('ready'), PATIENTLY)
}, 90_000)
