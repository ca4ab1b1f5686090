import { randomBytes } from 'node:crypto'
import { accountsRoutes as routes, type Route } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashLightly } from './platform/light-passwords.ts'
import { type Answered, createTestApp, TEST_PASSWORD, type TestApp } from './testing.ts'

let app: TestApp
let serial = 0

beforeAll(async () => {
  // What a hash costs is what could tell.
  hashLightly(false)
  app = await createTestApp({ environment: { TRUSTED_PROXIES: '127.0.0.1' } })
})
afterAll(async () => {
  hashLightly(true)
  await app.close()
})

const newEmail = () => `nobody${++serial}@example.net`
const from = (address: string) => ({ 'x-forwarded-for': address })
// Random among sixteen million, because other runs count in the same Redis.
const newAddress = () => `10.${[...randomBytes(3)].join('.')}`
const login = (email: string, password: string) =>
  app.client().request(routes.login, { body: { email, password }, headers: from(newAddress()) })

describe('finding out who has an account', () => {
  const post = (route: Route, body: object) => app.client().request(route, { body, headers: from(newAddress()) })
  const attempts: [string, (email: string) => Promise<Pick<Answered<undefined>, 'status' | 'body' | 'headers'>>][] = [
    ['login', (email) => login(email, 'not-the-right-one')],
    ['register', (email) => post(routes.register, { email, fullName: 'M', password: TEST_PASSWORD })],
    ['forgot', (email) => post(routes.forgotPassword, { email })],
    ['resend', (email) => post(routes.resendVerification, { email })],
  ]

  test.each(attempts)('is impossible by the answer of %s', async (_, attempt) => {
    const { user } = await app.signUp()
    const [known, unknown] = [await attempt(user.email), await attempt(newEmail())]
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    const names = (headers: Headers) =>
      [...headers.keys()].filter((name) => name !== 'date').toSorted((a, b) => a.localeCompare(b))
    expect(names(known.headers)).toEqual(names(unknown.headers))
  })

  test.each(attempts)(
    'is impossible by the response time of %s',
    async (_, attempt) => {
      const people: string[] = []
      for (let person = 0; person < 6; person++) people.push((await app.signUp()).user.email)
      const known = (turn: number) => attempt(people[turn % people.length]!)
      expect(await timesAsLong(known, () => attempt(newEmail()))).toBeLessThan(TELLING)
    },
    180_000,
  )

  test('would be possible by the response time if an unknown address cost no hash', async () => {
    const { user } = await app.signUp()
    // An empty password is refused before the hash, like an unknown address in a careless login.
    const careless = () => login(newEmail(), '')
    expect(await timesAsLong(() => login(user.email, 'not-the-right-one'), careless, 1)).toBeGreaterThan(TELLING)
  }, 180_000)
})

const TELLING = 1.5
const PAIRS_A_ROUND = 9
const ROUNDS = 8

/**
 * The ratio of two response times: the lower quartiles of both, measured alternately. Load only adds time, and least to
 * the fastest requests, so it cancels out over rounds; a real difference stays.
 */
async function timesAsLong(
  one: (turn: number) => Promise<unknown>,
  other: (turn: number) => Promise<unknown>,
  rounds = ROUNDS,
): Promise<number> {
  const [ones, others]: [number[], number[]] = [[], []]
  const timed = async (ask: (turn: number) => Promise<unknown>, times: number[]) => {
    const startedAt = performance.now()
    await ask(times.length)
    times.push(performance.now() - startedAt)
  }
  await one(0)
  await other(0)
  for (let round = 1; ; round++) {
    for (let pair = 0; pair < PAIRS_A_ROUND; pair++) {
      await timed(one, ones)
      await timed(other, others)
    }
    const [left, right] = [lowerQuartile(ones), lowerQuartile(others)]
    const ratio = Math.max(left, right) / Math.min(left, right)
    if (ratio < TELLING || round === rounds) return ratio
  }
}

function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0
}
