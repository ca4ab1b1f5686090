import { accountsRoutes as routes } from '@parley/contract'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, TEST_PASSWORD, type TestApp } from '../../testing.ts'
import { tokenOf } from './links.ts'
import { mailLink } from '../schema.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const register = (email: string) =>
  app.client().request(routes.register, { body: { email, fullName: 'Grace Hopper', password: TEST_PASSWORD } })
const verify = (token: string) => app.client().request(routes.verifyEmail, { query: { token } })

test('several verification links opened at once make one account', async () => {
  for (let round = 0; round < 3; round++) {
    const email = `links${round}@example.org`
    for (let mail = 0; mail < 4; mail++) await register(email)
    const links = await app.context.db.select({ id: mailLink.id }).from(mailLink).where(eq(mailLink.email, email))
    const answers = await Promise.all(
      links.map(({ id }) => verify(tokenOf([{ id: null, secret: 'a'.repeat(32) }], id))),
    )
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toMatchObject(Array.from({ length: 3 }, () => ({ status: 400, body: { code: 'invalid_token' } })))
  }
})

test('HEAD returns 405 on links with effects: token unused, session kept, no cookie set', async () => {
  const email = 'scanned@example.org'
  await register(email)
  const token = await app.tokenFor(email, '/verify-email')
  const { client } = await app.signUp()
  const paths = [
    `${routes.verifyEmail.path}?token=${token}`,
    routes.logout.path,
    routes.google.path,
    `${routes.googleCallback.path}?code=x`,
  ]
  for (const path of paths) {
    const answer = await client.fetch(path, { method: 'HEAD' })
    expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, 'GET'])
    expect(answer.headers.getSetCookie()).toEqual([])
  }
  expect((await client.request(routes.currentUser)).status).toBe(200)
  expect((await verify(token)).status).toBe(200)
  // HEAD stays allowed on routes without effects.
  expect((await client.fetch('/health', { method: 'HEAD' })).status).not.toBe(405)
})
