import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import {
  accountsRoutes,
  contactsRoutes,
  PAGES,
  pathOf,
  reportFacts,
  ROUTES,
  systemRoutes,
  type VoiceHealth,
} from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createTestApp, PATIENTLY, type TestApp } from './testing.ts'

let app: TestApp
let voiceHealth: VoiceHealth | undefined
let webDir: string
let server: Server
const voice = createServer((_request, response) => {
  if (voiceHealth) response.end(JSON.stringify(voiceHealth))
  // Without a health the voice service hangs.
})

beforeAll(async () => {
  webDir = await mkdtemp(join(tmpdir(), 'parley-web-'))
  await writeFile(
    join(webDir, 'landing.es.html'),
    '<!doctype html><title>Parley</title><h1>Te damos la bienvenida</h1>',
  )
  await mkdir(join(webDir, 'assets'))
  await mkdir(join(webDir, 'frames'))
  await writeFile(join(webDir, 'frames/settings.en.html'), '<!doctype html><title>Settings</title>')
  await writeFile(join(webDir, 'frames/settings.es.html'), '<!doctype html><title>Ajustes</title>')
  await writeFile(join(webDir, 'index.html'), '<!doctype html><title>Parley</title>')
  await writeFile(join(webDir, 'landing.html'), '<!doctype html><title>Parley</title><h1>Welcome to Parley</h1>')
  await writeFile(join(webDir, 'assets/app-1a2b3c.js'), 'console.log(1)')
  await writeFile(join(webDir, 'assets/app-1a2b3c.js.gz'), gzipSync('console.log(1)'))
  await new Promise<void>((done) => voice.listen(0, '127.0.0.1', done))
  const address = voice.address()
  const port = typeof address === 'object' ? address?.port : undefined
  app = await createTestApp({
    environment: { WEB_DIR: webDir, VOICE_URL: `http://127.0.0.1:${port}`, TRUSTED_PROXIES: '127.0.0.1' },
    extend: ({ server: http }) => void (server = http),
  })
})

afterAll(async () => {
  await app.close()
  voice.closeAllConnections()
  voice.close()
  await rm(webDir, { recursive: true, force: true })
})

describe('health', () => {
  test('returns 200 while the database and the voice service answer', async () => {
    voiceHealth = { status: 'ok', calls: 0, capacity: 100, carrier: 'simulated', mind: 'scripted' }
    // Each part has one second, which a busy machine may exceed once.
    const answer = await vi.waitFor(async () => {
      const found = await app.client().request(systemRoutes.health)
      expect(found.status).toBe(200)
      return found
    }, PATIENTLY)
    expect(answer.data).toMatchObject({
      status: 'ok',
      parts: { database: 'postgres', voice: 'ok', carrier: 'simulated', mail: 'outbox' },
    })
  })

  test('returns 503 when the voice service does not answer within a second', async () => {
    voiceHealth = undefined
    const answer = await app.client().request(systemRoutes.health)
    expect(answer.status).toBe(503)
    expect(answer.data).toMatchObject({ status: 'degraded', parts: { voice: 'unreachable' } })
  })
})

describe('probes', () => {
  test('/livez and /readyz return 200 although the voice service does not answer', async () => {
    voiceHealth = undefined
    const live = await app.client().request(systemRoutes.livez)
    expect([live.status, live.data]).toEqual([200, { status: 'ok' }])
    const ready = await app.client().request(systemRoutes.readyz)
    expect([ready.status, ready.data]).toEqual([200, { status: 'ready', reason: null }])
  })

  // Any status but 429: a busy machine may answer 503.
  test('do not count against the limit per address', async () => {
    const limited = await createTestApp({ environment: { REQUEST_LIMIT_PER_MINUTE: '1' } })
    for (let round = 0; round < 3; round++) {
      expect((await limited.client().request(systemRoutes.livez)).status).toBe(200)
      expect((await limited.client().request(systemRoutes.readyz)).status).not.toBe(429)
    }
    await limited.close()
  })
})

describe('the internal listener', () => {
  const path = pathOf(reportFacts, { id: 'no-such-call' })
  const post = (url: string, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{"facts":[]}',
    })
  const secret = { authorization: `Bearer ${'v'.repeat(32)}` }

  test('serves the facts route with the secret, and no public route', async () => {
    expect((await post(app.url, secret)).status).toBe(404)
    expect((await post(app.internalUrl, secret)).status).toBe(400)
    expect((await post(app.internalUrl)).status).toBe(401)
    const elsewhere = await fetch(app.internalUrl + systemRoutes.health.path)
    expect([elsewhere.status, await elsewhere.json()]).toMatchObject([404, { code: 'not_found' }])
  })

  test('returns 413 for a body beyond its limit', async () => {
    const headers = { 'content-type': 'application/json', ...secret }
    const body = JSON.stringify({ facts: ['x'.repeat(2e6)] })
    const answer = await fetch(app.internalUrl + path, { method: 'POST', headers, body })
    expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'too_large' }])
  })

  test('returns 429 with Retry-After beyond its limit', async () => {
    const limited = await createTestApp({ environment: { INTERNAL_LIMIT_PER_MINUTE: '2' } })
    const statuses = [await post(limited.internalUrl), await post(limited.internalUrl), await post(limited.internalUrl)]
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 429])
    expect(Number(statuses[2]!.headers.get('retry-after'))).toBeGreaterThan(0)
    await limited.close()
  })
})

describe('pages', () => {
  const page = (path: string) => app.client().fetch(path, { headers: { accept: 'text/html' } })

  test.each(Object.keys(PAGES))('%s returns the web app', async (path) => {
    const response = await page(path)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('<title>Parley</title>')
    expect(response.headers.get('cache-control')).toBe('no-cache')
  })

  // screens.md: start-page-landing-page
  test('/ is the landing page for a visitor, and the app with a session cookie or a sign-in result', async () => {
    const start = async (query = '', headers: Record<string, string> = {}) =>
      app.client().fetch(`/${query}`, { headers })
    const isLanding = async (response: Response) => (await response.text()).includes('Welcome to Parley')
    const visitor = await start()
    expect(visitor.headers.get('vary')).toMatch(/cookie/i)
    expect(await isLanding(visitor)).toBe(true)
    expect(await isLanding(await start('?utm_source=friend', { cookie: 'other=1' }))).toBe(true)
    expect(await isLanding(await start('', { cookie: 'parley.session_token=abc' }))).toBe(false)
    expect(await isLanding(await start('?auth=error&message=access_denied'))).toBe(false)
    expect((await app.client().fetch('/landing.html', { headers: { accept: 'text/html' } })).status).toBe(404)
  })

  test.each([
    [{}, 'Welcome'],
    [{ 'accept-language': 'es-MX,es;q=0.9,en;q=0.8' }, 'bienvenida'],
    [{ 'accept-language': 'fr, en;q=0.5, es;q=0.7' }, 'bienvenida'],
    [{ 'accept-language': 'de-DE,de;q=0.9' }, 'Welcome'],
    [{ 'accept-language': 'es', cookie: 'parley.language=en' }, 'Welcome'],
    [{ 'accept-language': 'en', cookie: 'parley.language=es' }, 'bienvenida'],
    [{ 'accept-language': 'en', cookie: 'parley.language=..%2Findex' }, 'Welcome'],
  ])('the landing page is in the language of the cookie, else of Accept-Language: %j', async (headers, word) => {
    const response = await app.client().fetch('/', { headers: headers as Record<string, string> })
    expect(response.headers.get('vary')).toMatch(/accept-language/i)
    expect(await response.text()).toContain(word)
  })

  test.each([
    ['/settings', { cookie: 'parley.session_token=abc' }, 'Settings'],
    ['/settings/', { cookie: 'parley.session_token=abc' }, 'Settings'],
    ['/settings', { cookie: 'parley.session_token=abc; parley.language=es' }, 'Ajustes'],
    ['/settings', { cookie: 'parley.session_token=abc', 'accept-language': 'es' }, 'Ajustes'],
    ['/settings', {}, 'Parley'],
    ['/dashboard', { cookie: 'parley.session_token=abc' }, 'Parley'],
    ['/frames/settings.en', { cookie: 'parley.session_token=abc' }, 'Parley'],
  ])('%s gets its prebuilt frame only with a session cookie: %j', async (path, headers, title) => {
    const response = await app
      .client()
      .fetch(path, { headers: { accept: 'text/html', ...headers } as Record<string, string> })
    expect(response.headers.get('vary')).toMatch(/cookie, accept-language/i)
    expect(await response.text()).toContain(`<title>${title}</title>`)
  })

  test('returns 404 for the HTML files behind the pages', async () => {
    for (const path of ['/frames/settings.en.html', '/index.html']) expect((await page(path)).status).toBe(404)
  })

  // screens.md: any-other-path-404
  test('an unknown path returns the web app with status 404', async () => {
    const response = await page('/no/such/page')
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('<title>Parley</title>')
  })

  test('hashed assets are immutable and compressed; a missing one returns a JSON 404', async () => {
    const script = await app.client().fetch('/assets/app-1a2b3c.js')
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await script.text()).toBe('console.log(1)')
    expect(script.headers.get('content-encoding')).toBe('gzip')
    expect(script.headers.get('vary')).toMatch(/accept-encoding/i)
    expect((await app.client().fetch('/assets/app-1a2b3c.js.gz')).status).toBe(404)
    const missing = await app.client().fetch('/assets/app-gone.js')
    expect([missing.status, await missing.json()]).toMatchObject([404, { code: 'not_found' }])
  })

  test('an unknown /api path returns JSON even to a browser', async () => {
    const response = await page('/api/no-such-thing')
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'not_found' }])
  })
})

describe('headers', () => {
  test('the CSP allows this host alone, and Stripe on the payment pages', async () => {
    const policyOf = async (path: string) =>
      (await app.client().fetch(path)).headers.get('content-security-policy') ?? ''
    const plain = await policyOf('/dashboard')
    expect(plain).toContain("default-src 'self'; script-src 'self';")
    expect(plain).toContain("connect-src 'self' ws://localhost:3000;")
    expect(plain).toContain("frame-ancestors 'none'")
    expect(plain).not.toMatch(/stripe|upgrade-insecure/)
    expect(await policyOf('/new-payment')).toContain("script-src 'self' https://js.stripe.com;")
  })

  test('HSTS is absent when PUBLIC_URL is http', async () => {
    const { headers } = await app.client().fetch('/')
    expect(headers.has('strict-transport-security')).toBe(false)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })
})

const OpenApi = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ operationId: z.string(), parameters: z.array(z.object({ in: z.string(), name: z.string() })) }),
    ),
  ),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})

describe('API documentation', () => {
  test('serves an OpenAPI document, and a page whose CSP allows only its own style', async () => {
    const { data } = await app.client().request(systemRoutes.openapi)
    expect(data['openapi']).toBe('3.1.0')
    const { paths, components } = OpenApi.parse(data)
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(ROUTES.map(({ id }) => id).toSorted())
    const parameters = operations.find(({ operationId }) => operationId === 'listContacts')?.parameters
    expect(parameters?.map(({ in: place, name }) => `${place} ${name}`)).toEqual([
      'path id',
      'query limit',
      'query cursor',
      'query q',
      'query tag',
    ])
    const named = new Set(
      [...JSON.stringify(data).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name),
    )
    expect(named.size).toBeGreaterThan(80)
    expect([...named].filter((name) => !(name! in components.schemas))).toEqual([])
    const response = await app.client().fetch('/api/docs')
    const style = /<style>(.*?)<\/style>/s.exec(await response.text())?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(response.headers.get('content-security-policy')).toContain(`style-src 'self' 'sha256-${hash}';`)
  })
})

describe('requests', () => {
  const login = (init: RequestInit) => app.client().fetch(accountsRoutes.login.path, { method: 'POST', ...init })
  const json = { 'content-type': 'application/json' }

  test.each([
    ['a body that is not JSON by its type', { headers: { 'content-type': 'text/plain' }, body: '{}' }, 415, 'not_json'],
    ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=b' }, 415, 'not_json'],
    ['malformed JSON', { headers: json, body: '{"email":' }, 400, 'invalid_json'],
    ['a field of the wrong type', { headers: json, body: '{"email":1,"password":"x"}' }, 400, 'invalid_input'],
    ['a body of two megabytes', { headers: json, body: JSON.stringify({ email: 'x'.repeat(2e6) }) }, 413, 'too_large'],
    [
      'the origin of another site',
      { headers: { ...json, origin: 'https://evil.example' }, body: '{}' },
      403,
      'foreign_origin',
    ],
    ['the origin null', { headers: { ...json, origin: 'null' }, body: '{}' }, 403, 'foreign_origin'],
  ] as const)('refuses %s', async (_, init, status, code) => {
    const response = await login(init)
    expect([response.status, await response.json()]).toMatchObject([status, { code }])
  })

  test("accepts writes from the product's origin and the native apps' origins", async () => {
    for (const origin of ['http://localhost:3000', 'capacitor://localhost', 'https://localhost']) {
      const response = await login({
        headers: { ...json, origin },
        body: '{"email":"nobody@example.com","password":"wrong"}',
      })
      expect(response.status).toBe(401)
    }
  })

  test("returns 401 for a user's contacts without a session", async () => {
    const answer = await app.client().request(contactsRoutes.list, { params: { id: 'anybody' } })
    expect([answer.status, answer.body]).toMatchObject([401, { code: 'unauthenticated', message: 'Please log in.' }])
  })
})

describe('limits', () => {
  test("requestTimeout exceeds twice the voice service's upload time, and headersTimeout is a minute", () => {
    const voiceGivesMs = 300_000
    expect(server.requestTimeout).toBeGreaterThan(2 * voiceGivesMs)
    expect(server.headersTimeout).toBeLessThanOrEqual(60_000)
    // A socket timeout would also end slow answers.
    expect(server.timeout).toBe(0)
  })

  test('apply per address, lower for sign-in, with Retry-After', async () => {
    const limited = await createTestApp({
      environment: { SIGN_IN_LIMIT_PER_MINUTE: '2', REQUEST_LIMIT_PER_MINUTE: '4', TRUSTED_PROXIES: '127.0.0.1' },
    })
    const from = async (address: string, path: string) =>
      limited.client().fetch(path, { headers: { 'x-forwarded-for': address } })
    const statuses = []
    for (let attempt = 0; attempt < 3; attempt++) statuses.push((await from('203.0.113.7', '/api/auth/google')).status)
    expect(statuses).toEqual([302, 302, 429])
    const refused = await from('203.0.113.7', '/api/auth/google')
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await from('203.0.113.8', '/api/auth/google')).status).toBe(302)
    expect((await from('203.0.113.7', '/api/auth/user')).status).toBe(401)
    await limited.close()
  })
})

test.each([
  ['{"email":"a@example.com","__proto__":{"x":1}}', 'A field may not be named "__proto__".'],
  [String.raw`{"email":"a@example.com","\u005f_proto__":1}`, 'A field may not be named "__proto__".'],
  ['{"constructor":{"prototype":{}}}', 'The field "constructor" may not hold a "prototype".'],
  ['{"email":', 'The body is not valid JSON.'],
  ['', 'The body is empty; send JSON.'],
])('refuses the body %j with a message that names the fault', async (body, message) => {
  const answer = await fetch(`${app.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  expect(await answer.json()).toEqual({ code: 'invalid_json', message })
})

test('accepts a body that begins with a byte order mark', async () => {
  const body = `\ufeff${JSON.stringify({ email: 'nobody@example.com', password: 'none' })}`
  const answer = await fetch(`${app.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  expect(answer.status).toBe(401)
})
