import { type ClientRequest, type IncomingMessage, request as send } from 'node:http'
import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { accountsRoutes, BATCH_ORDER_MAX_BYTES, batchesRoutes, contactsRoutes, type Route } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, type TestApp } from './testing.ts'

const MB = 1024 * 1024
const json = { 'content-type': 'application/json' }
let app: TestApp
let client: Client
let userId: string

beforeAll(async () => {
  app = await createTestApp()
  const person = await app.signUp()
  client = person.client
  userId = person.user.id
})
afterAll(() => app.close())

/** Sends pieces one by one until the server answers. Returns status and body. */
async function pour(
  path: string,
  pieces: Iterable<string | Buffer>,
  headers: Record<string, string> = {},
): Promise<[number, unknown]> {
  const request = send(app.url + path, {
    method: 'POST',
    agent: false,
    headers: { ...json, cookie: client.cookieHeader(), ...headers },
  })
  const answer = new Promise<IncomingMessage>((resolve, reject) =>
    request.once('response', resolve).on('error', reject),
  )
  let answered = false
  const status = answer.then(async (response): Promise<[number, unknown]> => {
    answered = true
    return [response.statusCode ?? 0, JSON.parse(await textOf(response))]
  })
  status.catch(() => (answered = true))
  for (const piece of pieces) if (!answered) await written(request, piece)
  request.end()
  return status
}

async function written(request: ClientRequest, piece: string | Buffer): Promise<void> {
  await new Promise<void>((done) => request.write(piece, () => done()))
}

function* repeated(piece: string | Buffer, bytes: number, before = '', after = ''): Generator<string | Buffer> {
  yield before
  for (let sent = 0; sent < bytes; sent += piece.length) yield piece
  yield after
}

const listPath = batchesRoutes.create.path
const batches = async () => (await client.request(batchesRoutes.list, { params: { id: userId } })).data
const tooLarge = (message: string) => [413, { code: 'too_large', message }]

describe('a body that is too large', () => {
  test.each<[string, Route, string]>([
    ['of a login', accountsRoutes.login, 'The body may have at most 1 MB.'],
    ['of a batch', batchesRoutes.create, 'The file may have at most 16 MB.'],
    ['of an uploaded batch', batchesRoutes.import, 'The file may have at most 10 MB.'],
    ['of uploaded contacts', contactsRoutes.import, 'The file may have at most 10 MB.'],
  ])('%s gets 413 by its content-length before it is read', async (_, route, message) => {
    const path = route.path.replace(':id', userId)
    const request = send(`${app.url}${path}?fileName=a.csv`, {
      method: 'POST',
      agent: false,
      headers: { ...json, cookie: client.cookieHeader(), 'content-length': 63 * MB },
    })
    request.flushHeaders()
    const [status, answer] = await new Promise<[number, unknown]>((resolve, reject) => {
      request.once('error', reject)
      request.once(
        'response',
        (response) => void textOf(response).then((text) => resolve([response.statusCode ?? 0, JSON.parse(text)])),
      )
    })
    request.destroy()
    expect([status, answer]).toEqual(tooLarge(message))
  })

  test('without a content-length gets a readable 413', async () => {
    const piece = Buffer.alloc(64 * 1024, 'x')
    expect(await pour(accountsRoutes.login.path, repeated(piece, 3 * MB, '{"email":"', '"}'))).toEqual(
      tooLarge('The body may have at most 1 MB.'),
    )
    const rows = `${JSON.stringify({ callee: '+12125551000', purpose: 'x'.repeat(1900) })},`.repeat(30)
    expect(await pour(listPath, repeated(rows, BATCH_ORDER_MAX_BYTES + MB, '{"name":"a","calls":[', ']}'))).toEqual(
      tooLarge('The file may have at most 16 MB.'),
    )
    expect(await batches()).toEqual([])
  })
})

describe('one long text in a batch', () => {
  const part = 'a'.repeat(64 * 1024)
  test.each([
    [
      'in a call',
      '{"name":"a","calls":[{"callee":"+12125551000","purpose":"',
      '"}]}',
      'A row of the list may have at most 64 KB.',
    ],
    ['beside the calls', '{"name":"', '","calls":[]}', 'What is said beside the rows may have at most 64 KB.'],
    ['in a key', '{"', '":1,"calls":[]}', 'What is said beside the rows may have at most 64 KB.'],
    ['in place of the object', '"', '"', 'What is said beside the rows may have at most 64 KB.'],
  ])('%s gets 413 at 64 KB, and no batch is made', async (_, before, after, message) => {
    expect(await pour(listPath, repeated(part, 15 * MB, before, after))).toEqual(tooLarge(message))
    expect(await batches()).toEqual([])
  })

  test('a batch with "calls" twice or nested 100,000 deep is refused', async () => {
    const call = JSON.stringify({ callee: '+12125551000', purpose: 'Ask' })
    expect(await pour(listPath, [`{"name":"a","calls":[${call}],"calls":[${call}]}`])).toMatchObject([
      400,
      { code: 'invalid_json' },
    ])
    expect(await pour(listPath, [`{"name":"a","calls":5,"calls":[${call}]}`])).toMatchObject([
      400,
      { code: 'invalid_json' },
    ])
    const deep = `{"name":"a","calls":[${'['.repeat(100_000)}`
    expect(await pour(listPath, [deep])).toEqual([
      400,
      { code: 'invalid_json', message: 'The JSON is nested too deeply.' },
    ])
    expect(await batches()).toEqual([])
  })
})

describe('a JSON body', () => {
  const login = accountsRoutes.login.path
  const calls = '/api/calls'

  test.each([
    [
      'nested 100,000 deep',
      login,
      `{"email":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      400,
      ['invalid_json', 'invalid_input'],
    ],
    [
      'nested 100,000 deep in a free-form field',
      calls,
      `{"callee":"+12025550100","purpose":"Ask","context":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
      400,
      ['invalid_json', 'invalid_input'],
    ],
    ['with __proto__', login, '{"email":"a@example.com","password":"x","__proto__":{"x":1}}', 400, ['invalid_json']],
    [
      'with an escaped __proto__',
      login,
      '{"email":"a@example.com","password":"x","\\u005f_proto__":{"x":1}}',
      400,
      ['invalid_json'],
    ],
    ['with a constructor that has a prototype', login, '{"constructor":{"prototype":{"x":1}}}', 400, ['invalid_json']],
    [
      'with a key twice (the last counts)',
      login,
      '{"email":1,"email":"nobody@example.com","password":"wrong"}',
      401,
      ['wrong_credentials'],
    ],
  ])('%s gets an error code and pollutes no prototype', async (_, path, body, status, codes) => {
    const answer = await client.fetch(path, { method: 'POST', headers: json, body })
    const { code } = (await answer.json()) as { code: string }
    expect(answer.status).toBe(status)
    expect(code).toBeOneOf(codes)
    expect(Reflect.get({}, 'x')).toBeUndefined()
  })

  test.each([login, listPath])('with content-encoding gzip gets 415 at %s', async (path) => {
    const body = gzipSync(JSON.stringify({ email: 'a'.repeat(MB) }))
    const answer = await client.fetch(path, { method: 'POST', headers: { ...json, 'content-encoding': 'gzip' }, body })
    expect([answer.status, await answer.json()]).toMatchObject([
      415,
      { code: 'not_json', message: expect.stringContaining('without compression') },
    ])
  })

  test.each([
    ['is shorter than its content-length', '100', '{"email":"a@example.com"}', '400'],
    ['is longer than its content-length', '2', '{}{"email":"a@example.com"}', '400'],
    ['has two lengths', '2\r\nContent-Length: 3', '{}', '400'],
    ['has a content-length and is chunked', '2\r\nTransfer-Encoding: chunked', '{}', '400'],
    ['has a content-length that is not a number', 'a lot', '{}', '400'],
  ])('that %s gets 400 and leaves the server answering', async (_, length, body, last) => {
    const { port } = new URL(app.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `POST ${login} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`,
    )
    socket.end()
    const answer = await textOf(socket)
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].at(-1)?.[1] ?? '').toBe(last)
    expect((await client.fetch('/api/auth/user')).status).toBe(200)
  })
})
