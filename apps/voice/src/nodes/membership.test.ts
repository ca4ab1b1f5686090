import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { joinNode, NodeHeartbeat, NodeJoin } from '@parley/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pino } from 'pino'
import { quietLog } from '../session/testing/fakes.ts'
import { Membership } from './membership.ts'

const SECRET = 'a secret of some length'
const KEYS = [{ id: null, secret: SECRET }] as const
const NODE = {
  nodeId: 'n1',
  bootId: '1700000000000-a',
  privateUrl: 'http://127.0.0.1:3001',
  mediaUrl: 'http://127.0.0.1:3001',
  capacity: 10,
  version: '1',
  carrier: 'simulated',
  mind: 'scripted',
}
const PACE = { firstRetryMs: 1, longestRetryMs: 4, olderApiMs: 5 }

/** What the api heard, in order: joins, and the states of heartbeats. */
let heard: string[]
/** Statuses of the next answers to joins and heartbeats; without one it is 200. */
let answers: { join: number[]; beat: number[] }
let joins: number
let server: Server
let membership: Membership
let apiUrl: string

beforeEach(async () => {
  heard = []
  answers = { join: [], beat: [] }
  joins = 0
  server = createServer((request, reply) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      const answer = (status: number, body: object) =>
        void reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      const { authorization } = request.headers
      if (request.url === joinNode.path) {
        NodeJoin.parse(JSON.parse(text))
        heard.push(authorization === `Bearer ${SECRET}` && text === JSON.stringify(NODE) ? 'join' : 'stranger')
        const status = answers.join.shift() ?? 200
        return answer(status, status === 200 ? { credentials: `own-${++joins}`, heartbeatMs: 1 } : {})
      }
      const { bootId, state } = NodeHeartbeat.parse(JSON.parse(text))
      const isOwn = request.url === '/internal/nodes/n1/heartbeat' && bootId === NODE.bootId
      heard.push(isOwn && authorization === `Bearer own-${joins}` ? state : 'stranger')
      const status = answers.beat.shift() ?? 200
      answer(status, status === 200 ? { state } : {})
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  membership = new Membership({ apiUrl, keys: KEYS, node: NODE, log: quietLog(), pace: PACE })
})
afterEach(async () => {
  await membership.leave()
  await new Promise((done) => server.close(done).closeAllConnections())
})

/** What was heard first, once it is so many words. */
const firstHeard = (words: number) =>
  vi.waitFor(() => {
    if (heard.length < words) throw new Error(`only ${heard.join(', ')}`)
    return heard.slice(0, words)
  })

describe('Membership', () => {
  it('joins with the join secret and then sends heartbeats with its own credentials', async () => {
    membership.start()
    expect(await firstHeard(4)).toEqual(['join', 'ready', 'ready', 'ready'])
  })

  it.each([
    ['an api before voice nodes (404)', [404, 404]],
    ['a newer process of its id (409)', [409]],
    ['a wrong secret (401) and a broken api (500)', [401, 500]],
  ])('joins again after %s', async (_, statuses) => {
    answers.join = statuses
    membership.start()
    const words = [...statuses.map(() => 'join'), 'join', 'ready']
    expect(await firstHeard(words.length)).toEqual(words)
  })

  it('warns of an api that is not reached from the sixth retry on, and of a refusal at once', async () => {
    const logged: string[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) })
    const warned = () => logged.map((line) => JSON.parse(line) as { level: number; retries?: number; status?: number })
    const unreached = new Membership({ apiUrl: 'http://127.0.0.1:1', keys: KEYS, node: NODE, log, pace: PACE })
    unreached.start()
    await vi.waitFor(() => expect(warned().length).toBeGreaterThan(1))
    await unreached.leave()
    expect(warned()[0]).toMatchObject({ level: 40, retries: 5 })

    logged.length = 0
    answers.join = [401]
    const refused = new Membership({ apiUrl, keys: KEYS, node: NODE, log, pace: PACE })
    refused.start()
    await vi.waitFor(() => expect(warned()[0]).toMatchObject({ level: 40, status: 401 }))
    await refused.leave()
  })

  it('joins an api that knows only the older of its secrets', async () => {
    answers.join = [401]
    await membership.leave()
    const keys = [
      { id: 2, secret: 'another of some length' },
      { id: 1, secret: SECRET },
    ] as const
    membership = new Membership({ apiUrl, keys, node: NODE, log: quietLog(), pace: PACE })
    membership.start()
    expect(await firstHeard(3)).toEqual(['stranger', 'join', 'ready'])
  })

  it.each([404, 401, 409])('joins again when a heartbeat is answered with %i', async (status) => {
    answers.beat = [200, status]
    membership.start()
    expect(await firstHeard(5)).toEqual(['join', 'ready', 'ready', 'join', 'ready'])
  })

  it('keeps its credentials while the api is broken', async () => {
    answers.beat = [500, 503]
    membership.start()
    expect(await firstHeard(4)).toEqual(['join', 'ready', 'ready', 'ready'])
  })

  it('tells at once that it drains, goes on with heartbeats, and stays draining when it joins again', async () => {
    membership.start()
    expect(await firstHeard(2)).toEqual(['join', 'ready'])
    await membership.drain()
    expect(heard).toContain('draining')
    answers.beat = [404]
    const at = heard.length
    await vi.waitFor(() => expect(heard.slice(at)).toContain('join'))
    await vi.waitFor(() => expect(heard.at(-1)).toBe('draining'))
    expect(heard.slice(heard.indexOf('draining')).filter((word) => word === 'ready').length).toBeLessThanOrEqual(1)
  })

  it('says that it leaves, and nothing after it', async () => {
    membership.start()
    expect(await firstHeard(2)).toEqual(['join', 'ready'])
    await membership.leave()
    expect(heard.filter((word) => word === 'leaving')).toHaveLength(1)
    // One that was under way may arrive late; a pause of many heartbeats has none.
    const { length } = heard
    const headers = { authorization: `Bearer ${SECRET}` }
    for (let turn = 0; turn < 20; turn++)
      await fetch(apiUrl + joinNode.path, { method: 'POST', headers, body: JSON.stringify(NODE) })
    expect(heard.slice(length).filter((word) => word !== 'join').length).toBeLessThanOrEqual(1)
  })
})
