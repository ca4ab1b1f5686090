import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { ErrorReply } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from './testing.ts'

let app: TestApp

beforeAll(async () => {
  const limits = { SIGN_IN_LIMIT_PER_MINUTE: '2', REQUEST_LIMIT_PER_MINUTE: '4' }
  app = await createTestApp({ environment: { ...limits, TRUSTED_PROXIES: '127.0.0.1' } })
})
afterAll(() => app.close())

let address = 0
const newAddress = () => `203.0.113.${++address}`

/** Sends exactly these bytes. Returns the answer with its head. */
async function raw(lines: readonly string[], more = ''): Promise<string> {
  const socket = connect({ port: Number(new URL(app.url).port), host: '127.0.0.1', allowHalfOpen: true })
  socket.write(`${lines.join('\r\n')}\r\n\r\n${more}`)
  return textOf(socket)
}

async function ask(method: string, path: string, from: string, headers: readonly string[] = []) {
  const answer = await raw([
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    `X-Forwarded-For: ${from}`,
    'Connection: close',
    ...headers,
  ])
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head: head.toLowerCase(), body }
}

describe('a path', () => {
  test.each([
    '/api/%61uth/google',
    '/%61pi/auth/google',
    '/api/auth/googl%65?x=/api/auth/user',
    '/api/auth/google#/api/auth/user',
  ])('written as %s counts against the sign-in limit', async (path) => {
    const from = newAddress()
    const statuses = []
    for (let attempt = 0; attempt < 3; attempt++) statuses.push((await ask('GET', path, from)).status)
    expect(statuses).toEqual([302, 302, 429])
    expect((await ask('GET', '/api/auth/google', from)).status).toBe(429)
  })

  test.each([
    '//api//auth/google',
    '/api/auth/google/',
    '/api/AUTH/google',
    '/api/auth/google;x=1',
    '/api/auth/%2e%2e/auth/google',
    '/api%2fauth%2fgoogle',
    '/API/auth/google',
  ])('written as %s gets a JSON 404 and counts against the sign-in limit', async (path) => {
    const from = newAddress()
    const answer = await ask('GET', path, from, ['Accept: text/html'])
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'not_found' })
    expect(answer.head).toContain('cache-control: no-store')
    expect((await ask('GET', path, from)).status).toBe(404)
    expect((await ask('GET', '/api/auth/google', from)).status).toBe(429)
  })

  test.each(['/internal/nothing', '/%69nternal/nothing', '/internal%2fcalls%2fx%2ffacts'])(
    'such as %s counts against the request limit although it resembles an internal one',
    async (path) => {
      const from = newAddress()
      const statuses = []
      for (let attempt = 0; attempt < 5; attempt++) statuses.push((await ask('GET', path, from)).status)
      expect(statuses.at(-1)).toBe(429)
    },
  )

  test('with percent-encoding gets the headers of the plain path', async () => {
    const head = async (path: string) =>
      (await ask('GET', path, newAddress())).head
        .split('\r\n')
        .filter((line) => !/^(date|set-cookie|x-request-id):/.test(line))
        .toSorted()
    expect(await head('/api/%61uth/user')).toEqual(await head('/api/auth/user'))
    expect((await head('/api/%61uth/user')).join('\n')).toContain('cache-control: no-store')
  })
})

describe('a malformed request', () => {
  const long = 'x'.repeat(20_000)
  test.each([
    [
      'a path with a broken percent-encoding',
      ['GET /% HTTP/1.1', 'Host: localhost', 'Connection: close'],
      400,
      'invalid_input',
    ],
    [
      'a path that is not UTF-8',
      ['GET /api/%E0%A4%A HTTP/1.1', 'Host: localhost', 'Connection: close'],
      400,
      'invalid_input',
    ],
    [
      'a parameter that is too long',
      [`GET /api/calls/${'x'.repeat(500)} HTTP/1.1`, 'Host: localhost', 'Connection: close'],
      404,
      'not_found',
    ],
    [
      'a method that the path lacks',
      ['DELETE /api/auth/login HTTP/1.1', 'Host: localhost', 'Connection: close'],
      404,
      'not_found',
    ],
    [
      'a WebDAV method',
      ['PROPFIND /api/auth/login HTTP/1.1', 'Host: localhost', 'Connection: close'],
      404,
      'not_found',
    ],
    ['an unknown method', ['BREW /api/auth/login HTTP/1.1', 'Host: localhost'], 400, 'invalid_input'],
    ['a path longer than the header limit', [`GET /${long} HTTP/1.1`, 'Host: localhost'], 413, 'too_large'],
    ['headers that are too long', ['GET / HTTP/1.1', 'Host: localhost', `X-Long: ${long}`], 413, 'too_large'],
    ['text that is not HTTP', ['hello'], 400, 'invalid_input'],
  ])('with %s gets a JSON error with a code of the contract', async (_, lines, status, code) => {
    const [head = '', body = ''] = (await raw(lines)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(head).toMatch(/content-type: application\/json/i)
    expect(head).toMatch(/x-content-type-options: nosniff/i)
    expect(ErrorReply.parse(JSON.parse(body)).code).toBe(code)
  })

  test('a refused WebSocket upgrade closes the connection', async () => {
    const upgrade = [
      'Host: localhost',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ]
    const statuses = await Promise.all(
      ['/%', '/docs'].map(async (path) => (await raw([`GET ${path} HTTP/1.1`, ...upgrade])).slice(9, 12)),
    )
    expect(statuses).toEqual(['400', '404'])
  })
})
