import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO } from './demo-user.ts'
import { type Running, runParley, signIn, until } from './world.ts'

const environment: Record<string, string> = {}
let parley: Running

beforeAll(async () => {
  parley = await runParley(environment)
})
afterAll(() => parley.dispose())

const outbox = async () =>
  Promise.all(
    ['/dev/outbox', '/dev/outbox.json', '/%64ev/outbox'].map(async (path) => (await fetch(parley.url + path)).status),
  )
const login = () =>
  fetch(`${parley.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: DEMO.email, password: DEMO.password }),
  })

async function startedAs(publicUrl: string): Promise<string> {
  await parley.stop()
  environment['PUBLIC_URL'] = publicUrl
  const before = parley.log().length
  await parley.start()
  return until(
    'the words of the start',
    async () => parley.log().includes('Ctrl-C stops it', before) && parley.log().slice(before),
  )
}

test('with a public PUBLIC_URL the outbox pages and the demo user are gone; with a loopback one they are back', async () => {
  await until('the demo user', async () => parley.log().includes(DEMO.password))
  const demo = await signIn(parley.url, DEMO.email, DEMO.password)
  expect(await outbox()).toEqual([200, 200, 200])

  // The loopback addresses are tested in platform/requests/hosts.test.ts.
  const said = await startedAs('https://localhost.example')
  expect(said).not.toContain('demo')
  expect(await outbox()).toEqual([404, 404, 404])
  expect((await login()).status).toBe(401)
  expect((await fetch(`${parley.url}/api/auth/user`, { headers: { cookie: demo.cookie } })).status).toBe(401)

  await startedAs(parley.url.replace('localhost', '127.0.0.1'))
  await until('the demo user', async () => (await login()).status === 200)
  expect(await outbox()).toEqual([200, 200, 200])
}, 240_000)
