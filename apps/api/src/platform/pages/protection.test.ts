import {
  accountsRoutes,
  batchesRoutes,
  callerNumbersRoutes,
  callsRoutes,
  creditsRoutes,
  pathOf,
} from '@parley/contract'
import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendError } from '../http.ts'
import { addRateLimits } from './protection.ts'

// Nobody listens there.
const REDIS_AWAY = 'redis://127.0.0.1:9'
const LIMITS = { signInPerMinute: 5, requestsPerMinute: 5, keyRequestsPerMinute: 5 }
const REFUSED = [
  ['a login', accountsRoutes.login],
  ['a new password by mail', accountsRoutes.forgotPassword],
  ['an inquiry, which sends a mail', creditsRoutes.enterprise],
  ['a call', callsRoutes.place],
  ['a batch', batchesRoutes.create],
  ['a call that tells a code', callerNumbersRoutes.verify],
] as const
const TAKEN = [
  ['reading who is signed in', accountsRoutes.currentUser],
  ['reading a call', callsRoutes.get],
  ['stopping a call', callsRoutes.change],
  ['changing a draft of a batch', batchesRoutes.change],
] as const
const ID = { id: 'somebody' }

describe('while the Redis that counts requests is unreachable', () => {
  const app = fastify()
  beforeAll(async () => {
    app.setErrorHandler(sendError)
    await addRateLimits(app, LIMITS, REDIS_AWAY)
    for (const { method, path } of [...REFUSED, ...TAKEN].map(([, route]) => route))
      app.route({ method, url: path, handler: async () => ({ done: true }) })
  })
  afterAll(() => app.close())

  test.each(REFUSED)('%s is refused with 503 and Retry-After', async (_, route) => {
    const answer = await app.inject({ method: route.method, url: pathOf(route, ID) })
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([503, 'unavailable'])
    expect(answer.headers['retry-after']).toBe('5')
  })

  test.each(['start', 'resume', 'retry-failed'])('%s of a batch is refused, since it places calls', async (action) => {
    const { method } = batchesRoutes.change
    const answer = await app.inject({ method, url: pathOf(batchesRoutes.change, ID), payload: { action } })
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([503, 'unavailable'])
  })

  test.each(['pause', 'stop'])('%s of a batch goes on', async (action) => {
    const { method } = batchesRoutes.change
    const answer = await app.inject({ method, url: pathOf(batchesRoutes.change, ID), payload: { action } })
    expect(answer.statusCode).toBe(200)
  })

  test.each(TAKEN)('%s goes on', async (_, route) => {
    expect((await app.inject({ method: route.method, url: pathOf(route, ID) })).statusCode).toBe(200)
  })

  test('a request with an API key goes on, and none waits for long', async () => {
    const began = performance.now()
    const headers = { authorization: 'Bearer parley_of_somebody' }
    expect((await app.inject({ method: 'GET', url: pathOf(callsRoutes.get, ID), headers })).statusCode).toBe(200)
    expect(performance.now() - began).toBeLessThan(5000)
  })
})
