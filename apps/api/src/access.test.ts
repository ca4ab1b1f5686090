import { randomUUID } from 'node:crypto'
import {
  type Access,
  accountsRoutes,
  batchesRoutes,
  BatchImport,
  confirmationsRoutes,
  type ErrorCode,
  keepRecording,
  noticesRoutes,
  pathOf,
  reportFacts,
  type Route,
  ROUTES,
  scopeOf,
  securityRoutes,
} from '@parley/contract'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { session } from './accounts/testing.ts'
import { jsonOf, propertiesOf, SAMPLE_ROWS, sampleOf } from './testing-samples.ts'
import { type Client, createTestApp, TEST_PASSWORD, type TestApp } from './testing.ts'

/**
 * Asks every route of the contract as every kind of asker. The expected answer follows from the route's access and from
 * the owner of the ids in its path.
 */
let app: TestApp
let victim: Person
let stranger: Person
let deadCookie: string
/** As `GET /path`. */
let served: ReadonlySet<string>

interface Person {
  readonly client: Client
  readonly userId: string
  readonly key: string
}
type Asker = 'visitor' | 'dead session' | 'owner' | 'other user' | 'API key' | "other user's API key"
type Answer = 'open' | ErrorCode

/** Served by the internal listener alone. */
const internalRoutes: readonly Route[] = [reportFacts, keepRecording]
const allRoutes: readonly Route[] = [...ROUTES, ...internalRoutes]

beforeAll(async () => {
  let draw = () => ''
  app = await createTestApp({ extend: (fastify) => void (draw = () => fastify.printRoutes({ commonPrefix: false })) })
  served = readTree(draw())
  ;[victim, stranger] = [await newPerson(), await newPerson()]
  const { client, userId } = await newPerson()
  deadCookie = client.cookieHeader()
  const [ended] = (await client.request(securityRoutes.sessions, { params: { id: userId } })).data
  await client.request(securityRoutes.endSession, { params: { id: userId, sessionId: ended!.id } })
})
afterAll(() => app.close())

const people = new Map<string, Person>()

async function newPerson(): Promise<Person> {
  const { client, user } = await app.signUp()
  const { data } = await client.request(securityRoutes.createApiKey, { params: { id: user.id }, body: {} })
  const person = { client, userId: user.id, key: data.key }
  people.set(user.id, person)
  return person
}

/** Makes a row for an id in a path, by the segment before the id. */
const THINGS: typeof SAMPLE_ROWS = {
  ...SAMPLE_ROWS,
  async 'batch-calls'(_, userId) {
    const path = `${batchesRoutes.import.path}?fileName=people.csv`
    const headers = { 'content-type': 'text/csv', authorization: `Bearer ${people.get(userId)!.key}` }
    const response = await app.client().fetch(path, { method: 'POST', headers, body: 'name,phone\nAda,+12025550123\n' })
    return BatchImport.parse(await response.json()).batchId
  },
  async deliveries(_, userId) {
    const { client } = people.get(userId)!
    const params = { id: userId }
    await client.request(accountsRoutes.changeSettings, { params, body: { webhookUrl: 'http://127.0.0.1:9/hook' } })
    await client.request(securityRoutes.testWebhook, { params })
    const [delivery] = (await client.request(noticesRoutes.deliveries, { params })).data
    return delivery!.id
  },
}

/** Each id with its segment: `/api/user/:id/api-keys/:keyId` has id (user) and keyId (api-keys). */
function namesIn({ path }: Route): { name: string; of: string }[] {
  const segments = path.split('/')
  return segments.flatMap((segment, at) =>
    segment.startsWith(':') ? [{ name: segment.slice(1), of: segments[at - 1] ?? '' }] : [],
  )
}

async function thingsOf(route: Route, userId: string): Promise<Record<string, string>> {
  const made: Record<string, string> = {}
  for (const { name, of } of namesIn(route)) {
    const make = THINGS[of]
    if (of !== 'user' && !make) throw new Error(`${route.path} names one of ${of}: add to THINGS how one is made.`)
    made[name] = of === 'user' ? userId : ((await make?.(app.context.db, userId)) ?? '')
  }
  return made
}

/** The answer by the route's access alone; `ruleFor` adds the owner of the ids. */
const RULES: Readonly<Record<Access, (asker: Asker, route: Route) => Answer>> = {
  public: () => 'open',
  session: (asker) => (isAnonymous(asker) ? 'unauthenticated' : asker.endsWith('API key') ? 'not_permitted' : 'open'),
  account(asker, route) {
    if (isAnonymous(asker)) return 'unauthenticated'
    return asker.endsWith('API key') && scopeOf(route) === null ? 'not_permitted' : 'open'
  },
  service: () => 'unauthenticated',
}

function isAnonymous(asker: Asker): boolean {
  return asker === 'visitor' || asker === 'dead session'
}

function ruleFor(route: Route, asker: Asker): Answer {
  const rule = RULES[route.access](asker, route)
  const namesSomebody = route.access !== 'public' && namesIn(route).length > 0
  return rule === 'open' && namesSomebody && asker.startsWith('other user') ? 'not_found' : rule
}

/** A key acts for its owner, whether or not the route accepts keys. */
function clientOf(asker: Asker, owner: Person): { client: Client; headers: Record<string, string> } {
  if (asker === 'owner') return { client: owner.client, headers: {} }
  if (asker === 'other user') return { client: stranger.client, headers: {} }
  if (asker === 'visitor') return { client: app.client(), headers: {} }
  if (asker === 'dead session') return { client: app.client(), headers: { cookie: deadCookie } }
  return {
    client: app.client(),
    headers: { authorization: `Bearer ${asker === 'API key' ? owner.key : stranger.key}` },
  }
}

async function ask(
  route: Route,
  asker: Asker,
  owner: Person,
  params: Record<string, string>,
  body = sampleBody(route),
): Promise<Answer> {
  const { client, headers } = clientOf(asker, owner)
  const query = new URLSearchParams(sampleQuery(route)).toString()
  const path = pathOf(route, params) + (query === '' ? '' : `?${query}`)
  const type =
    route.file || route.id === 'keepRecording'
      ? 'text/csv'
      : route.form
        ? 'application/x-www-form-urlencoded'
        : 'application/json'
  const isInternal = internalRoutes.includes(route)
  const send = (init: RequestInit) => (isInternal ? fetch(app.internalUrl + path, init) : client.fetch(path, init))
  const response = await send({
    method: route.method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  const answer = z.object({ code: z.string(), message: z.string() }).safeParse(parseJson(text)).data
  expect(response.status, `${route.id} broke: ${text.slice(0, 300)}`).not.toBe(500)
  const refusal = REFUSALS.find((code) => code === answer?.code)
  // not_found for an id in the body, such as an unknown payment, is the route's own answer.
  return refusal === undefined ||
    (refusal === 'not_found' && namesIn(route).length === 0 && !body?.includes(victim.userId))
    ? 'open'
    : refusal
}

/** With any other answer the asker passed the access check. */
const REFUSALS = [
  'unauthenticated',
  'not_permitted',
  'foreign_origin',
  'not_found',
] as const satisfies readonly ErrorCode[]

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Served beside the contract's routes: MCP, signed events, live channels and pages for phones. Their own tests check access. */
const BESIDE = [
  'DELETE /mcp',
  'GET /mcp',
  'POST /mcp',
  'POST /api/stripe/webhook',
  'GET /ws',
  'GET /ws/calls/:id/answer',
  'GET /ws/calls/:id/audio',
  'GET /.well-known/apple-app-site-association',
  'GET /.well-known/assetlinks.json',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /app/auth/apple',
  'GET /app/auth/google',
  'GET /app/return',
]

test('the server serves the routes of the contract and of BESIDE, and no other route', () => {
  // PUT is served as PATCH; the router adds HEAD and OPTIONS.
  const said = ROUTES.flatMap(({ method, path }) =>
    (method === 'PATCH' ? ['PATCH', 'PUT'] : [method]).map((each) => `${each} ${path}`),
  )
  const ruled = new Set([...said, ...BESIDE])
  expect([...served].toSorted()).toEqual([...ruled].toSorted())
})

test('POST /mcp returns 200 for an API key and 401 for a session or nothing', async () => {
  const order = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const type = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  for (const asker of ['visitor', 'dead session', 'owner', 'other user', 'API key'] as const) {
    const { client, headers } = clientOf(asker, victim)
    const { status } = await client.fetch('/mcp', { method: 'POST', headers: { ...headers, ...type }, body: order })
    expect(`${asker}: ${status}`).toBe(`${asker}: ${asker === 'API key' ? 200 : 401}`)
  }
})

/** `GET /path` for each line of printRoutes(), where a branch leaves out the prefix of its parent. */
function readTree(drawing: string): Set<string> {
  const trunk: string[] = []
  const found = new Set<string>()
  for (const line of drawing.split('\n')) {
    const [, branches = '', label = '', methods] = /^(.*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? []
    if (label === '') continue
    trunk.splice(branches.length / 4, Infinity, label)
    for (const method of methods?.split(', ') ?? [])
      if (!['HEAD', 'OPTIONS'].includes(method)) found.add(`${method} ${trunk.join('')}`)
  }
  return found
}

describe.each(allRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
  test.for(['visitor', 'dead session', 'other user', "other user's API key", 'API key'] as const)(
    'gives %s the answer of its access rule',
    async (asker) => {
      const things = await thingsOf(route, victim.userId)
      // Another user's id must also be refused below the asker's own user id.
      const foreign = asker.startsWith('other user') && namesIn(route).length > 1
      // A public route may end the session that asked it.
      if (route.access === 'public' && asker === 'other user') stranger = await newPerson()
      const attempts = foreign ? [things, { ...things, id: stranger.userId }] : [things]
      for (const params of attempts) {
        const owner = asker === 'API key' ? await ownerOf(route) : victim
        const mine = asker === 'API key' ? await thingsOf(route, owner.userId) : params
        expectRule(route, asker, await ask(route, asker, owner, mine))
      }
    },
  )

  test('gives the owner the answer of its access rule', async () => {
    const owner = await ownerOf(route)
    expectRule(route, 'owner', await ask(route, 'owner', owner, await thingsOf(route, owner.userId)))
  })
})

/** Routes whose thing may be missing although its parent exists. */
const MAY_BE_MISSING: ReadonlySet<string> = new Set(['getCallRecording'])

function expectRule(route: Route, asker: Asker, answer: Answer): void {
  const rule = ruleFor(route, asker)
  const missing = rule === 'open' && answer === 'not_found' && MAY_BE_MISSING.has(route.id)
  expect(missing ? rule : answer).toBe(rule)
}

/** Routes that write get a new person, so that later tests find the others unchanged. */
async function ownerOf({ method, id }: Route): Promise<Person> {
  return method === 'GET' && id !== 'logout' ? stranger : newPerson()
}

const forSessions = allRoutes
  .filter(({ access }) => access === 'session')
  .map((route) => [`${route.method} ${route.path}`, route] as const)

describe('a session whose step-up has expired', () => {
  test.each(forSessions.filter(([, { stepUp }]) => stepUp !== undefined))(
    'needs a new step-up for %s',
    async (_, route) => {
      const { owner, ask: askAgain } = await longIn(route)
      expect(await askAgain()).toBe('step_up_needed')
      expect(
        (await owner.client.request(confirmationsRoutes.stepUp, { body: { password: TEST_PASSWORD } })).status,
      ).toBe(200)
      expect(await askAgain()).toBe('open')
    },
  )

  test.each(forSessions.filter(([, { stepUp }]) => stepUp === undefined))(
    'may ask %s without a new step-up',
    async (_, route) => {
      const { ask: askAgain } = await longIn(route)
      expect(await askAgain()).toBe('open')
    },
  )
})

async function longIn(route: Route): Promise<{ owner: Person; ask: () => Promise<string> }> {
  const owner = await newPerson()
  const things = await thingsOf(route, owner.userId)
  const fields = route.stepUp === 'email' ? { email: `${randomUUID()}@example.org` } : {}
  const body =
    route.body && !route.file
      ? JSON.stringify({ ...Object(parseJson(sampleBody(route) ?? '{}')), ...fields })
      : undefined
  await app.context.db
    .update(session)
    .set({ steppedUpAt: new Date(0) })
    .where(eq(session.userId, owner.userId))
  return { owner, ask: () => askForProof(route, owner, things, body) }
}

async function askForProof(
  route: Route,
  { client }: Person,
  params: Record<string, string>,
  body = sampleBody(route),
): Promise<string> {
  const response = await client.fetch(pathOf(route, params), {
    method: route.method,
    ...(body === undefined ? {} : { headers: { 'content-type': route.file ? 'text/csv' : 'application/json' }, body }),
  })
  const answer = z.object({ code: z.string() }).safeParse(parseJson(await response.text())).data
  return answer?.code === 'step_up_needed' ? answer.code : 'open'
}

const namingBodies = allRoutes.filter(({ body }) => body !== undefined && 'userId' in propertiesOf(body))

test.each(namingBodies.map((route) => [route.id, route] as const))(
  "%s with another user's userId in the body returns not_found",
  async (_, route) => {
    const body = JSON.stringify({ ...Object(parseJson(sampleBody(route) ?? '{}')), userId: victim.userId })
    expect(await ask(route, 'other user', victim, await thingsOf(route, stranger.userId), body)).toBe('not_found')
  },
)

test('the attacked user keeps the session and the account after all attempts', async () => {
  const fresh = await thingsOf(
    ROUTES.find(({ id }) => id === 'endSession')!,
    victim.userId,
  )
  const sessions = await victim.client.request(securityRoutes.sessions, { params: { id: victim.userId } })
  expect(sessions.data.map(({ id }) => id)).toContain(fresh['sessionId'])
  expect((await victim.client.fetch('/api/auth/user')).status).toBe(200)
})

function sampleBody(route: Route): string | undefined {
  if (route.file) return 'name,phone\nAda,+12025550123\n'
  if (route.id === 'keepRecording') return 'not a recording'
  if (!route.body) return undefined
  const sample = sampleOf(jsonOf(route.body))
  return route.form ? new URLSearchParams(Object(sample)).toString() : JSON.stringify(sample)
}

function sampleQuery(route: Route): Record<string, string> {
  const sample = route.query ? sampleOf(jsonOf(route.query)) : {}
  return Object.fromEntries(Object.entries(Object(sample)).map(([name, value]) => [name, String(value)]))
}
