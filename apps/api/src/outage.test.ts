import { connect, createServer, type Server, type Socket } from 'node:net'
import { accountsRoutes, callsRoutes, contactsRoutes, type Route, ROUTES, systemRoutes } from '@parley/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Script, type StandInVoice, startStandInVoice } from './calls/testing.ts'
import { checkBooks } from './credits/index.ts'
import type { Database } from './platform/db.ts'
import { testDatabase } from './platform/testing.ts'
import { jsonOf, sampleOf } from './testing-samples.ts'
import { createTestApp, PATIENTLY, type TestApp } from './testing.ts'

// PostgreSQL becomes unreachable under a running api, and comes back.

/** A proxy between the api and its database. A cut looks like the death of the server. */
interface Cable {
  readonly url: string
  cut(): Promise<void>
  /** Loses every connection once, just before a query that matches gets through. */
  loseAt(query: RegExp): void
  mend(): Promise<void>
}

async function startCable(target: string): Promise<Cable> {
  const { hostname, port: targetPort } = new URL(target)
  const sockets = new Set<Socket>()
  let port = 0
  let server: Server
  let fatal: RegExp | undefined
  const mend = async () => {
    server = createServer((near) => {
      const far = connect(Number(targetPort), hostname)
      near.on('data', (sent: Buffer) => {
        if (!fatal?.test(sent.toString('latin1'))) return
        fatal = undefined
        for (const socket of sockets) socket.destroy()
      })
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one)
        one.on('error', () => other.destroy()).on('close', () => void (sockets.delete(one), other.destroy()))
        one.pipe(other)
      }
    })
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
    const address = server.address()
    port = typeof address === 'object' ? (address?.port ?? 0) : 0
  }
  await mend()
  const url = new URL(target)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    mend,
    loseAt: (query) => void (fatal = query),
    async cut() {
      const closed = new Promise((done) => server.close(done))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

let database: Database
let cable: Cable
let voice: StandInVoice
let app: TestApp
let client: Awaited<ReturnType<TestApp['signUp']>>['client']
let userId: string

beforeAll(async () => {
  database = await testDatabase()
  cable = await startCable(database.url)
  voice = await startStandInVoice()
  app = await createTestApp({ environment: { DATABASE_URL: cable.url, VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
})
beforeEach(async () => {
  const person = await app.signUp()
  client = person.client
  userId = person.user.id
})
afterAll(async () => {
  await app.close()
  await voice.close()
  await cable.cut()
  await database.close()
})

const order = { callee: '+1 202 555 0100', purpose: 'Ask', maxDurationMinutes: 3 }
const place = async () => (await client.request(callsRoutes.place, { body: order })).data.id
const listContacts = () => client.request(contactsRoutes.list, { params: { id: userId } })

const NAMES: Readonly<Record<string, string>> = { phone: '+12025550123', provider: 'google' }

/** Asks the route as its owner. */
async function ask(route: Route): Promise<Response> {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => NAMES[name] ?? (name === 'id' ? userId : 'x'))
  const query = route.query ? new URLSearchParams(Object(sampleOf(jsonOf(route.query)))).toString() : ''
  const body = route.method === 'GET' || !route.body ? {} : { body: JSON.stringify(sampleOf(jsonOf(route.body))) }
  const headers = body.body === undefined ? {} : { 'content-type': 'application/json' }
  return client.fetch(path + (query === '' ? '' : `?${query}`), { method: route.method, headers, ...body })
}

describe('while the database is unreachable', () => {
  test('requests get 503 with Retry-After; /livez returns 200 and /readyz 503', async () => {
    await cable.cut()
    const { status, body, headers } = await listContacts()
    expect([status, body]).toEqual([
      503,
      { code: 'unavailable', message: 'Our database does not answer right now. Please try again in a moment.' },
    ])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await client.request(systemRoutes.livez)).status).toBe(200)
    const ready = await client.request(systemRoutes.readyz)
    expect([ready.status, ready.data]).toEqual([503, { status: 'not_ready', reason: 'The database does not answer.' }])
    expect((await client.request(systemRoutes.health)).data).toMatchObject({
      status: 'degraded',
      parts: { database: 'unreachable' },
    })
    await cable.mend()
    await vi.waitFor(async () => expect((await listContacts()).status).toBe(200), PATIENTLY)
    expect((await client.request(systemRoutes.readyz)).status).toBe(200)
  })

  test('no route answers 500', async () => {
    await cable.cut()
    const wrong: string[] = []
    for (const route of ROUTES.filter(({ file, form }) => !file && !form)) {
      const { status, headers } = await ask(route)
      if (status === 500 || (status === 503 && !headers.has('retry-after') && route.room !== 'system'))
        wrong.push(`${route.id}: ${status}`)
    }
    await cable.mend()
    expect(wrong).toEqual([])
  })

  test('a connection lost while a session is extended gives 200 or 503', async () => {
    await vi.waitFor(async () => expect((await client.request(accountsRoutes.currentUser)).status).toBe(200), PATIENTLY)
    cable.loseAt(/"ip_address".* from "session"/)
    const { status } = await client.request(accountsRoutes.currentUser)
    expect([200, 503]).toContain(status)
  })

  test('a login gets 503, not wrong_credentials', async () => {
    await cable.cut()
    const answer = await app
      .client()
      .request(accountsRoutes.login, { body: { email: 'ada@example.com', password: 'tell-nobody' } })
    await cable.mend()
    expect([answer.status, answer.body]).toMatchObject([503, { code: 'unavailable' }])
  })
})

test('facts of a live call are taken once the database is back, and jobs run again', async () => {
  const live = await place()
  await voice.orderOf(live)
  const script = new Script(app, live)
  await script.say({ type: 'dialing' }, { type: 'ringing' }, { type: 'answered' })
  await cable.cut()
  const facts = [
    script.next({ type: 'ended', reason: 'agent_closed', message: 'The call is over.', connectedSeconds: 61 }),
  ]
  await expect(script.send(...facts)).rejects.toThrow(/^503 /)
  await cable.mend()
  await vi.waitFor(() => script.send(...facts), PATIENTLY)
  const { data } = await client.request(callsRoutes.get, { params: { id: live } })
  expect(data).toMatchObject({ status: 'completed', durationSeconds: 61, creditsCharged: 2 })
  voice.live.set(live, false)

  const next = await vi.waitFor(place, PATIENTLY)
  expect(await voice.orderOf(next)).toMatchObject({ callId: next })
  await checkBooks(app.context.db)
})
