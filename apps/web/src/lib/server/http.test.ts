import { accountsRoutes, callsRoutes, reportsRoutes } from '@parley/contract/page'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, HttpError, request, requestPage, sentenceOf } from './http.ts'
import { backOffMs, shouldRetry } from './queries.ts'

interface Heard {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

let heard: Heard
let answer: (response: ServerResponse) => void
const server = createServer((incoming, response) => {
  let body = ''
  incoming.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
  incoming.on('end', () => {
    heard = { method: incoming.method, url: incoming.url, headers: incoming.headers, body }
    answer(response)
  })
})

const reply = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  answer = (response) => response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
}

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  globalThis.parleyShell = {
    platform: 'ios',
    apiBase: `http://127.0.0.1:${port}`,
    signInWithApple: () => Promise.reject(new Error('unused')),
  }
})

afterAll(async () => {
  globalThis.parleyShell = undefined
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
  it('fills in the path, leaves undefined out of the query, and reads the page marks', async () => {
    reply(200, [{ id: 'c1' }], { 'X-Total-Count': '51', 'X-Next-Cursor': 'abc' })
    const page = await requestPage(reportsRoutes.calls, { params: { id: 'a/b' }, query: { limit: 3, q: undefined } })
    expect(heard).toMatchObject({ method: 'GET', url: '/api/user/a%2Fb/calls?limit=3', body: '' })
    expect(heard.headers['content-type']).toBeUndefined()
    expect(page).toEqual({ items: [{ id: 'c1' }], total: 51, nextCursor: 'abc' })
  })

  it('counts a list that is not marked as a page', async () => {
    reply(200, [{}, {}])
    expect(await requestPage(reportsRoutes.calls, { params: { id: 'u' }, query: {} })).toMatchObject({
      total: 2,
      nextCursor: null,
    })
  })

  it('writes JSON and sends the key that keeps an order single', async () => {
    reply(201, { id: 'c1' })
    await request(callsRoutes.place, { body: { callee: '+12025550100', purpose: 'Say hello' }, idempotencyKey: 'k1' })
    expect(heard.method).toBe('POST')
    expect(heard.headers).toMatchObject({ 'content-type': 'application/json', 'idempotency-key': 'k1' })
    expect(JSON.parse(heard.body)).toEqual({ callee: '+12025550100', purpose: 'Say hello' })
  })

  it('ends with its signal', async () => {
    answer = () => undefined
    const abort = new AbortController()
    const pending = request(accountsRoutes.currentUser, { signal: abort.signal })
    abort.abort()
    await expect(pending).rejects.toThrow(/abort/i)
  })
})

describe('answers that are not good', () => {
  // screens.md: carry-status-colon-body
  it('carry the status, a colon and the body text, and what the body says', async () => {
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
    'survive a body like %s',
    async (body) => {
      reply(502, body)
      const error = await failure()
      expect(error).toMatchObject({ message: `502: ${body}`, code: undefined })
      expect(sentenceOf(error, 'otherwise')).toBe('otherwise')
    },
  )
})

describe('trying again', () => {
  // screens.md: happens-twice-never-without
  it('happens twice, and never without a session', () => {
    const broken = new HttpError(500, 'Internal Server Error', '')
    expect([0, 1, 2].map((failures) => shouldRetry(failures, broken))).toEqual([true, true, false])
    expect(shouldRetry(0, new HttpError(401, 'Unauthorized', ''))).toBe(false)
  })

  // screens.md: backs-off-second-doubling
  it('backs off from one second, doubling, to thirty at most', () => {
    expect([0, 1, 2, 3, 4, 5, 20].map(backOffMs)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  })
})
