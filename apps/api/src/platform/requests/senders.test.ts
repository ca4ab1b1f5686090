import { type ClientRequest, type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ARRIVAL_BOUNDS, endIdleSenders } from './senders.ts'

// Long compared with the stalls of a busy machine. The tests run concurrently, each on its own connection.
const REST_MS = 2000
const CHUNK = Buffer.alloc(1000, 'x')
let fastify: FastifyInstance
let port: number

beforeAll(async () => {
  // As in the product, but with a shorter idle limit, and Node checks connections more often.
  const { http, requestTimeout } = ARRIVAL_BOUNDS
  fastify = createFastify({
    requestTimeout,
    http: { ...http, connectionsCheckingInterval: 50 },
    bodyLimit: 64 * 1024 * 1024,
  })
  endIdleSenders(fastify, REST_MS)
  fastify.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
  fastify.post<{ Body: Readable; Querystring: { pauseMs?: string } }>('/files', async ({ body, query }) => {
    let bytes = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (bytes === 0) await wait(Number(query.pauseMs ?? 0))
      bytes += chunk.length
    }
    return { bytes }
  })
  fastify.post('/words', async ({ body }) => {
    await wait(4 * REST_MS)
    return body
  })
  fastify.get('/slow', async () => {
    await wait(4 * REST_MS)
    return { ok: true }
  })
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  ;({ port } = fastify.server.address() as AddressInfo)
})
afterAll(() => fastify.close())

function begin(
  method: string,
  path: string,
  headers: Record<string, string | number>,
): { request: ClientRequest; answer: Promise<[number, string]> } {
  // A connection of its own: one that an earlier test lost may still be pooled.
  const request = send({ port, method, path, headers, agent: false })
  const answer = new Promise<[number, string]>((resolve, reject) => {
    request.once('error', reject)
    request.once('response', (response: IncomingMessage) => {
      response.setEncoding('utf8')
      let text = ''
      response.on('data', (part: string) => (text += part))
      response.once('end', () => resolve([response.statusCode ?? 0, text]))
    })
  })
  answer.catch(() => undefined)
  return { request, answer }
}

const FILE = { 'content-type': 'application/octet-stream' }

test.concurrent('a slow sender that never rests for long is read to the end', async () => {
  const { request, answer } = begin('POST', '/files', { ...FILE, 'content-length': 40 * CHUNK.length })
  // Three times the idle limit in total, with far shorter rests.
  for (let sent = 0; sent < 40; sent++) {
    request.write(CHUNK)
    await wait(REST_MS / 12)
  }
  request.end()
  expect(await answer).toEqual([200, `{"bytes":40000}`])
})

test.concurrent.each([
  ['after its beginning', [CHUNK]],
  ['before its beginning', []],
])('a body that rests %s gets its connection closed', async (_, parts) => {
  const { request, answer } = begin('POST', '/files', { ...FILE, 'content-length': 10 * CHUNK.length })
  request.flushHeaders()
  const begunAt = performance.now()
  for (const part of parts) request.write(part)
  await expect(answer).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(performance.now() - begunAt).toBeGreaterThan(REST_MS - 10)
})

test.concurrent('resting chunked and JSON bodies get their connection closed', async () => {
  const pieces = begin('POST', '/files', { ...FILE, 'transfer-encoding': 'chunked' })
  pieces.request.write(CHUNK)
  const words = begin('POST', '/words', { 'content-type': 'application/json', 'content-length': 100 })
  words.request.write('{')
  await expect(pieces.answer).rejects.toMatchObject({ code: 'ECONNRESET' })
  await expect(words.answer).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test.concurrent('an injected request without a socket is left alone for any duration', async () => {
  const failures: unknown[] = []
  const hear = (error: unknown) => void failures.push(error)
  process.prependListener('uncaughtException', hear)
  const answer = await fastify.inject({ method: 'POST', url: '/words', payload: { a: 1 } })
  process.off('uncaughtException', hear)
  expect([answer.statusCode, answer.body, failures]).toEqual([200, '{"a":1}', []])
})

test.concurrent('slow handlers and slow answers close no connection', async () => {
  const large = Buffer.alloc(16 * 1024 * 1024)
  const unread = begin('POST', `/files?pauseMs=${4 * REST_MS}`, { ...FILE, 'content-length': large.length })
  unread.request.end(large)
  const words = begin('POST', '/words', { 'content-type': 'application/json' })
  words.request.end('{"a":1}')
  const slow = begin('GET', '/slow', {})
  slow.request.end()
  expect(await Promise.all([unread.answer, words.answer, slow.answer])).toEqual([
    [200, `{"bytes":${large.length}}`],
    [200, '{"a":1}'],
    [200, '{"ok":true}'],
  ])
})
