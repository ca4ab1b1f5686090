import { joinNode, nodeHeartbeat, pathOf } from '@parley/contract'
import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing.ts'
import { voiceNode } from '../schema.ts'
import { forgetDeadNodes } from './registry.ts'

let app: TestApp
const NODE = { nodeId: 'n1', capacity: 10, version: '1', carrier: 'simulated', mind: 'scripted' }
const URLS = { privateUrl: 'http://10.0.0.1:3001/', mediaUrl: 'https://n1.example' }
const boot = (at: number) => `${1_700_000_000_000 + at}-a`

beforeAll(async () => void (app = await createTestApp()))
afterAll(() => app.close())
beforeEach(async () => void (await app.context.db.delete(voiceNode)))

const post = async (path: string, secret: string, body: object) => {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const response = await fetch(app.internalUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}
const join = (bootId: string, more: object = {}, secret = 'v'.repeat(32)) =>
  post(joinNode.path, secret, { ...NODE, ...URLS, bootId, ...more })
const beat = (bootId: string, credentials: string, state = 'ready', id = 'n1') =>
  post(pathOf(nodeHeartbeat, { id }), credentials, { bootId, state })
const rowOf = async () => (await app.context.db.select().from(voiceNode))[0]
const lapse = (seconds: number) =>
  app.context.db
    .update(voiceNode)
    .set({ heartbeatAt: sql`now() - make_interval(secs => ${seconds})` })
    .where(eq(voiceNode.nodeId, 'n1'))

describe('POST /internal/nodes/join', () => {
  test('gives credentials of its own to the node, and keeps their SHA-256 alone', async () => {
    const { status, body } = await join(boot(1))
    expect([status, body['heartbeatMs']]).toEqual([200, 2000])
    const row = await rowOf()
    expect(row).toMatchObject({ bootId: boot(1), privateUrl: 'http://10.0.0.1:3001', state: 'ready', capacity: 10 })
    expect(row?.secretHash).toBe(createHash('sha256').update(body['credentials']!).digest('hex'))
  })

  test('answers 401 without the join secret and 404 on the public listener', async () => {
    expect((await join(boot(1), {}, 'w'.repeat(32))).status).toBe(401)
    expect((await fetch(app.url + joinNode.path, { method: 'POST' })).status).toBe(404)
    expect(await rowOf()).toBeUndefined()
  })

  test.each([
    ['an id with a slash', { nodeId: 'a/b' }],
    ['an address that is none', { privateUrl: 'ftp://x' }],
    ['no place for a call', { capacity: 0 }],
    ['a boot id without its time', { bootId: 'first' }],
  ])('answers 400 to %s', async (_, more) => {
    expect((await join(boot(1), more)).status).toBe(400)
  })

  test('answers 409 to an older process while a newer one lives, and takes it once that is dead', async () => {
    await join(boot(2))
    expect((await join(boot(1))).status).toBe(409)
    await lapse(11)
    expect((await join(boot(1))).status).toBe(200)
  })
})

describe('POST /internal/nodes/:id/heartbeat', () => {
  test('keeps the node living', async () => {
    const { body } = await join(boot(1))
    await lapse(9)
    const before = await rowOf()
    expect(await beat(boot(1), body['credentials']!)).toMatchObject({ status: 200, body: { state: 'ready' } })
    expect((await rowOf())!.heartbeatAt > before!.heartbeatAt).toBe(true)
  })

  test('never makes a draining node ready again, neither does joining again', async () => {
    const { body } = await join(boot(1))
    await beat(boot(1), body['credentials']!, 'draining')
    expect((await beat(boot(1), body['credentials']!, 'ready')).body).toEqual({ state: 'draining' })
    const again = await join(boot(1))
    expect((await rowOf())?.state).toBe('draining')
    expect((await beat(boot(1), again.body['credentials']!)).body).toEqual({ state: 'draining' })
    await join(boot(2))
    expect((await rowOf())?.state).toBe('ready')
  })

  test('answers 409 to an older process and 401 to wrong credentials, and changes nothing', async () => {
    const first = await join(boot(1))
    const second = await join(boot(2))
    await lapse(5)
    const before = await rowOf()
    expect((await beat(boot(1), first.body['credentials']!)).status).toBe(409)
    expect((await beat(boot(2), first.body['credentials']!)).status).toBe(401)
    expect((await beat(boot(2), 'v'.repeat(32))).status).toBe(401)
    expect(await rowOf()).toEqual(before)
    expect((await beat(boot(2), second.body['credentials']!)).status).toBe(200)
  })

  test('answers 404, to join again, when the database was restored to before the node or its process', async () => {
    const { body } = await join(boot(1))
    expect((await beat(boot(2), body['credentials']!)).status).toBe(404)
    await app.context.db.delete(voiceNode)
    expect((await beat(boot(1), body['credentials']!)).status).toBe(404)
  })

  test('removes a node that leaves', async () => {
    const { body } = await join(boot(1))
    expect((await beat(boot(1), body['credentials']!, 'leaving')).status).toBe(200)
    expect(await rowOf()).toBeUndefined()
  })
})

test('a node that was last heard a day ago is forgotten', async () => {
  await join(boot(1))
  await lapse(23 * 3600)
  await forgetDeadNodes(app.context.db)
  expect(await rowOf()).toBeDefined()
  await lapse(25 * 3600)
  await forgetDeadNodes(app.context.db)
  expect(await rowOf()).toBeUndefined()
})
