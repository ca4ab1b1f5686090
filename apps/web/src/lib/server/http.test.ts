import { accountsRoutes, callsRoutes, reportsRoutes } from '@parley/contract/page'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { platform, setPlatform } from '../platform/index.ts'
import { codeOf, HttpError, request, requestPage, sentenceOf } from './http.ts'
import { backOffMs, shouldRetry } from './queries.ts'

interface Received {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

let received: Received
let answer: (response: ServerResponse) => void
const server = createServer((incoming, response) => {
  let body = ''
  incoming.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
  incoming.on('end', () => {
    received = { method: incoming.method, url: incoming.url, headers: incoming.headers, body }
    answer(response)
  })
})

const reply = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  answer = (response) => response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  setPlatform({ ...platform(), apiBase: `http://127.0.0.1:${port}` })
})

afterAll(async () => {
  setPlatform()
  await new Promise((resolve) => server.close(resolve))
})

const failure = async (): Promise<unknown> => {
  try {
    await request(accountsRoutes.currentUser, {})
  } catch (error) {
    return error
  }
  throw new Error('the request succeeded')
}

describe('requests', () => {
  it('fill in path and query, and read total and cursor from the headers', async () => {
    reply(200, [{ id: 'c1' }], { 'X-Total-Count': '51', 'X-Next-Cursor': 'abc' })
    const page = await requestPage(reportsRoutes.calls, { params: { id: 'a/b' }, query: { limit: 3, q: undefined } })
    expect(received).toMatchObject({ method: 'GET', url: '/api/user/a%2Fb/calls?limit=3', body: '' })
    expect(received.headers['content-type']).toBeUndefined()
    expect(page).toEqual({ items: [{ id: 'c1' }], total: 51, nextCursor: 'abc' })
  })

  it('use the length of a list without a total header', async () => {
    reply(200, [{}, {}])
    expect(await requestPage(reportsRoutes.calls, { params: { id: 'u' }, query: {} })).toMatchObject({
      total: 2,
      nextCursor: null,
    })
  })

  it('send JSON with the idempotency key', async () => {
    reply(201, { id: 'c1' })
    await request(callsRoutes.place, { body: { callee: '+12025550100', purpose: 'Say hello' }, idempotencyKey: 'k1' })
    expect(received.method).toBe('POST')
    expect(received.headers).toMatchObject({ 'content-type': 'application/json', 'idempotency-key': 'k1' })
    expect(JSON.parse(received.body)).toEqual({ callee: '+12025550100', purpose: 'Say hello' })
  })

  it('abort with their signal', async () => {
    answer = () => undefined
    const abort = new AbortController()
    const pending = request(accountsRoutes.currentUser, { signal: abort.signal })
    abort.abort()
    await expect(pending).rejects.toThrow(/abort/i)
  })
})

it('a request with a replaced token is sent again with the new one, once', async () => {
  const web = platform()
  const seen: unknown[] = []
  let token = 'old'
  setPlatform({ ...web, headers: () => ({ authorization: token }) })
  answer = (response) => {
    seen.push(received.headers.authorization)
    token = 'new'
    response.writeHead(seen.length === 1 ? 401 : 200).end(seen.length === 1 ? '' : '{"id":"u1"}')
  }
  expect(await request(accountsRoutes.currentUser, {})).toEqual({ id: 'u1' })
  expect(seen).toEqual(['old', 'new'])
  answer = (response) => {
    seen.push(received.headers.authorization)
    response.writeHead(401).end()
  }
  await expect(request(accountsRoutes.currentUser, {})).rejects.toThrow('401')
  expect(seen).toEqual(['old', 'new', 'new'])
  setPlatform(web)
})

describe('failed responses', () => {
  // screens.md: carry-status-colon-body
  it('carry status, body text, code, message and field', async () => {
    const body = { code: 'insufficient_credits', message: 'You have 0 credits.', field: 'callee' }
    reply(402, body)
    const error = await failure()
    expect(error).toBeInstanceOf(HttpError)
    expect(error).toMatchObject({
      message: `402: ${JSON.stringify(body)}`,
      status: 402,
      sentence: body.message,
      field: 'callee',
    })
    expect(codeOf(error)).toBe('insufficient_credits')
    expect(sentenceOf(error, 'otherwise')).toBe(body.message)
  })

  // screens.md: carry-status-text-when
  it('carry the status text when the body is empty', async () => {
    reply(503, '')
    expect(await failure()).toMatchObject({ message: '503: Service Unavailable', sentence: undefined, code: undefined })
  })

  it.each(['<h1>Bad gateway</h1>', 'null', '"text"', '{"code":"toString","message":7}'])(
    'accept a body like %s',
    async (body) => {
      reply(502, body)
      const error = await failure()
      expect(error).toMatchObject({ message: `502: ${body}`, code: undefined })
      expect(sentenceOf(error, 'otherwise')).toBe('otherwise')
    },
  )
})

describe('retries', () => {
  // screens.md: happens-twice-never-without
  it('happen twice, and never after a 401', () => {
    const broken = new HttpError(500, 'Internal Server Error', '')
    expect([0, 1, 2].map((failures) => shouldRetry(failures, broken))).toEqual([true, true, false])
    expect(shouldRetry(0, new HttpError(401, 'Unauthorized', ''))).toBe(false)
  })

  // screens.md: backs-off-second-doubling
  it('back off from 1 s, doubling, to 30 s at most', () => {
    expect([0, 1, 2, 3, 4, 5, 20].map(backOffMs)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  })
})
