import { fastify } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRouter } from '../platform/http.ts'
import { registerCredits } from './index.ts'

const server = fastify()
let origin: string

beforeAll(async () => {
  registerCredits(createRouter(server, { authenticate: async () => null, allowedOrigins: new Set(), serviceSecret: '' }))
  origin = await server.listen({ port: 0 })
})
afterAll(() => server.close())

test('anyone may see what credits cost', async () => {
  const response = await fetch(`${origin}/api/packages`)
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject([
    { id: 'light', credits: 10, price: 9.99, popular: false },
    { id: 'premium', credits: 25, bonus: 5, price: 19.99, popular: true },
    { id: 'pro', credits: 75, bonus: 25, price: 49.99, popular: false },
  ])
})
