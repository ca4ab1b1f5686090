import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerUnreadable } from './unread.ts'

const HEADERS_MAX_MS = 500
let fastify: FastifyInstance

beforeAll(async () => {
  fastify = createFastify({
    clientErrorHandler: answerUnreadable,
    http: { headersTimeout: HEADERS_MAX_MS, connectionsCheckingInterval: 50 },
  })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => fastify.close())

/** What the server says on a connection, until it closes it. */
async function saidOn(sent: string): Promise<string> {
  const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  if (sent !== '') socket.write(sent)
  return text(socket)
}

test('a connection on which nothing was sent is closed without a word, which would answer its first request', async () => {
  expect(await saidOn('')).toBe('')
})

test('a request that does not arrive in time is told so', async () => {
  const said = await saidOn('GET / HTTP/1.1\r\nhost: ')
  expect(said).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(said).toContain('"message":"The request did not arrive in time."')
})

test('a request that is no HTTP is told so', async () => {
  expect(await saidOn('What is this?\r\n\r\n')).toContain('"message":"The request cannot be read as HTTP."')
})
