import { createHash, randomBytes } from 'node:crypto'
import { accountsRoutes as routes, NATIVE_RETURN_URL, securityRoutes } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, TEST_PASSWORD, type TestApp } from '../../testing.ts'
import { nativeCode } from '../schema.ts'
import {
  APPLE_CLIENT_ID,
  type AppleKeys,
  type OpenIdPerson,
  type OpenIdProvider,
  startAppleKeys,
  startOpenIdProvider,
} from '../testing.ts'

let app: TestApp
let google: OpenIdProvider
let apple: AppleKeys
let serial = 0

beforeAll(async () => {
  ;[google, apple] = await Promise.all([startOpenIdProvider('http://localhost:3000'), startAppleKeys()])
  app = await createTestApp({ environment: { ...google.environment, ...apple.environment } })
})
afterAll(async () => {
  await app.close()
  await Promise.all([google.close(), apple.close()])
})

const newPerson = (more: Partial<OpenIdPerson> = {}): OpenIdPerson => {
  const sub = `person-${++serial}`
  return { sub, email: `${sub}@example.org`, email_verified: true, name: 'Grace Hopper', ...more }
}
const whoIs = (client: Client) => client.request(routes.currentUser)
const locationOf = (response: Response) => response.headers.get('location') ?? ''

async function begin(client: Client, query = ''): Promise<string> {
  const response = await client.fetch(`/api/auth/google${query}`)
  expect(response.status).toBe(302)
  return locationOf(response)
}

/** All the way through the provider's pages and back. Returns where the browser ends up. */
async function enterWithGoogle(client: Client, person: OpenIdPerson, query = ''): Promise<string> {
  google.person = person
  const back = await google.visit(await begin(client, query))
  return locationOf(await client.fetch(back.pathname + back.search))
}

describe('Google', () => {
  test('signs a new person in, with an account, a verified address and 10 credits', async () => {
    const client = app.client()
    const person = newPerson()
    expect(await enterWithGoogle(client, person)).toBe('/dashboard')
    const user = { email: person.email, fullName: 'Grace Hopper', creditBalance: '10', emailVerified: true }
    expect((await whoIs(client)).data).toMatchObject(user)
    expect(client.cookies.has('parley.google')).toBe(false)
  })

  test('asks with state, nonce and PKCE, and for the way back that the operator knows', async () => {
    const url = new URL(await begin(app.client()))
    expect(url.origin).toBe(google.url)
    const asked = Object.fromEntries(url.searchParams)
    expect(asked).toMatchObject({ response_type: 'code', code_challenge_method: 'S256', scope: 'openid email profile' })
    expect(asked['redirect_uri']).toBe('http://localhost:3000/api/auth/google/callback')
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]?.length).toBeGreaterThan(30)
  })

  test('opens the same account again, even when the address has changed there', async () => {
    const person = newPerson()
    const [first, second] = [app.client(), app.client()]
    await enterWithGoogle(first, person)
    await enterWithGoogle(second, { ...person, email: 'renamed@example.org' })
    expect((await whoIs(second)).data.id).toBe((await whoIs(first)).data.id)
  })

  test('opens the account of its verified address, which is told by mail; the password goes on working', async () => {
    const { user } = await app.signUp()
    const client = app.client()
    await enterWithGoogle(client, newPerson({ email: user.email.toUpperCase() }))
    expect((await whoIs(client)).data.id).toBe(user.id)
    await app.mailTo(user.email, 'You can now log in to Parley with Google')
    const password = await app.client().request(routes.login, { body: { email: user.email, password: TEST_PASSWORD } })
    expect(password.status).toBe(200)
  })

  test('an address that Google has not verified gains nothing, known or unknown', async () => {
    const { user } = await app.signUp()
    for (const email of [user.email, 'nobody-yet@example.org']) {
      const client = app.client()
      expect(await enterWithGoogle(client, newPerson({ email, email_verified: false }))).toBe(
        '/?auth=error&message=email_not_verified',
      )
      expect((await whoIs(client)).status).toBe(401)
    }
  })

  test('whoever registered the address first with a password gains nothing', async () => {
    const person = newPerson()
    const body = { email: person.email, fullName: 'Mallory', password: 'the-attackers-own' }
    await app.client().request(routes.register, { body })
    const token = await app.tokenFor(person.email, '/verify-email')
    const victim = app.client()
    await enterWithGoogle(victim, person)
    expect((await whoIs(victim)).data.fullName).toBe('Grace Hopper')
    const attacker = app.client()
    expect((await attacker.request(routes.login, { body })).status).toBe(401)
    expect((await attacker.request(routes.verifyEmail, { query: { token } })).status).toBe(400)
  })

  test('what comes back to a browser that began nothing, or twice, or with another state, is refused', async () => {
    google.person = newPerson()
    const [client, other] = [app.client(), app.client()]
    const back = await google.visit(await begin(client))
    await begin(other)
    const forged = `${back.pathname}${back.search.replace(/state=[^&]+/, 'state=forged')}`
    const attempts: [Client, string][] = [
      [app.client(), back.pathname + back.search],
      [other, back.pathname + back.search],
      [client, forged],
      [client, back.pathname + back.search],
    ]
    for (const [each, path] of attempts) {
      expect(locationOf(await each.fetch(path))).toBe('/?auth=error&message=oauth_failed')
      expect((await whoIs(each)).status).toBe(401)
    }
  })

  test('a code works once', async () => {
    google.person = newPerson()
    const client = app.client()
    const back = await google.visit(await begin(client))
    const kept = client.cookies.get('parley.google') ?? ''
    expect(locationOf(await client.fetch(back.pathname + back.search))).toBe('/dashboard')
    const replay = app.client()
    replay.cookies.set('parley.google', kept)
    expect(locationOf(await replay.fetch(back.pathname + back.search))).toBe('/?auth=error&message=oauth_failed')
  })

  test('a person who changes their mind lands on the landing page', async () => {
    const client = app.client()
    const state = new URL(await begin(client)).searchParams.get('state')
    const response = await client.fetch(`/api/auth/google/callback?error=access_denied&state=${state}`)
    expect(locationOf(response)).toBe('/?auth=error&message=oauth_failed')
  })

  test('that does not answer is temporarily unavailable', async () => {
    const cut = await createTestApp({ environment: { ...google.environment, GOOGLE_ISSUER: 'http://127.0.0.1:9' } })
    const withoutKeys = await createTestApp()
    for (const each of [cut, withoutKeys]) {
      const ask = async (query: string) => locationOf(await each.client().fetch(`/api/auth/google${query}`))
      expect(await ask('')).toBe('/?auth=error&message=oauth_temporarily_unavailable')
      expect(await ask('?state=mobile-app')).toBe(`${NATIVE_RETURN_URL}?error=oauth_temporarily_unavailable`)
      await each.close()
    }
  })
})

describe('the native app', () => {
  const secret = () => randomBytes(32).toString('base64url')
  const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
  const exchange = (code: string, verifier?: string) => {
    const client = app.client()
    return client.request(routes.nativeSignIn, { body: { code, verifier } }).then((answer) => ({ answer, client }))
  }

  test('gets a code by its link, and a session for it, once', async () => {
    const browser = app.client()
    const person = newPerson()
    const link = await enterWithGoogle(browser, person, '?state=mobile-app')
    expect(link).toMatch(new RegExp(`^${NATIVE_RETURN_URL}\\?code=[\\w-]{32}$`))
    expect((await whoIs(browser)).status).toBe(401)
    const code = new URL(link).searchParams.get('code') ?? ''
    const { answer, client } = await exchange(code)
    expect(answer.data.user.email).toBe(person.email)
    expect((await whoIs(client)).status).toBe(200)
    expect((await exchange(code)).answer).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  test('with a challenge, the code is worth nothing without its secret, and is used up by trying', async () => {
    const [verifier, other] = [secret(), secret()]
    const link = async () =>
      new URL(await enterWithGoogle(app.client(), newPerson(), `?state=mobile-app&challenge=${challengeOf(verifier)}`))
    const [first, second, third] = [await link(), await link(), await link()].map(
      (url) => url.searchParams.get('code') ?? '',
    )
    expect((await exchange(first!, verifier)).answer.status).toBe(200)
    expect((await exchange(second!, other)).answer.status).toBe(400)
    expect((await exchange(second!, verifier)).answer.status).toBe(400)
    expect((await exchange(third!)).answer.status).toBe(400)
  })

  test('takes no code that somebody else began, without the secret of this app', async () => {
    const link = await enterWithGoogle(app.client(), newPerson(), '?state=mobile-app')
    const { answer } = await exchange(new URL(link).searchParams.get('code') ?? '', secret())
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  test('an old code is refused', async () => {
    const code =
      new URL(await enterWithGoogle(app.client(), newPerson(), '?state=mobile-app')).searchParams.get('code') ?? ''
    await app.context.db.update(nativeCode).set({ expiresAt: new Date(0) })
    expect((await exchange(code)).answer.status).toBe(400)
  })

  test('hears why it failed by the same link', async () => {
    const client = app.client()
    const link = await enterWithGoogle(client, newPerson({ email_verified: false }), '?state=mobile-app')
    expect(link).toBe(`${NATIVE_RETURN_URL}?error=email_not_verified`)
  })

  test('may read answers with its cookies; no other origin may', async () => {
    const ask = (origin: string) => app.client().fetch('/api/auth/user', { headers: { origin } })
    for (const origin of ['capacitor://localhost', 'https://localhost']) {
      const { headers } = await ask(origin)
      expect([headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')]).toEqual([
        origin,
        'true',
      ])
    }
    for (const origin of ['https://evil.example', 'null', 'https://localhost.evil.example', 'http://localhost']) {
      expect((await ask(origin)).headers.get('access-control-allow-origin')).toBeNull()
    }
    const preflight = await app.client().fetch('/api/contacts', {
      method: 'OPTIONS',
      headers: {
        origin: 'capacitor://localhost',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, POST, PUT, PATCH, DELETE',
    ])
  })
})

describe('Apple', () => {
  const claims = (more: Record<string, unknown> = {}) => {
    const { sub, email } = newPerson()
    return { sub, email, email_verified: 'true', ...more }
  }
  const enter = (identityToken: string, more: { nonce?: string; user?: unknown } = {}) => {
    const client = app.client()
    return client
      .request(routes.apple, { body: { identityToken, authorizationCode: 'c', ...more } })
      .then((answer) => ({ answer, client }))
  }
  const post = (form: Record<string, string>, origin = 'https://appleid.apple.com') =>
    app
      .client()
      .fetch('/api/auth/apple/callback', { method: 'POST', headers: { origin }, body: new URLSearchParams(form) })

  test('signs a new person in, with the name that Apple gives at the first time', async () => {
    const token = await apple.token(claims())
    const { answer, client } = await enter(token, { user: { name: { firstName: 'Grace', lastName: 'Hopper' } } })
    expect(answer.data.user).toMatchObject({ fullName: 'Grace Hopper', creditBalance: '10' })
    const { id } = (await whoIs(client)).data
    const activity = await client.request(securityRoutes.securityActivity, { params: { id } })
    expect(activity.data.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['signed_in', 'Apple'],
      ['identity_linked', 'Apple'],
      ['account_created', null],
    ])
  })

  test('a token signs in once', async () => {
    const token = await apple.token(claims())
    expect((await enter(token)).answer.status).toBe(200)
    expect((await enter(token)).answer).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  const past = Math.floor(Date.now() / 1000) - 3600
  test.each([
    ['another key', {}, { forged: true }, 'invalid_token'],
    ['another issuer', { iss: 'https://evil.example' }, {}, 'invalid_token'],
    ['another app', { aud: 'example.other.app' }, {}, 'invalid_token'],
    ['too late', {}, { expiresAt: past }, 'expired_token'],
    ['an unverified address', { email_verified: 'false' }, {}, 'email_not_verified'],
    ['no address', { email: undefined }, {}, 'email_not_verified'],
    ['a nonce that nobody sent', { nonce: 'n-1' }, {}, 'invalid_token'],
  ] as const)('a token with %s is refused', async (_, wrong, options, code) => {
    const { answer, client } = await enter(await apple.token(claims(wrong), options))
    expect(answer.body).toMatchObject({ code })
    expect((await whoIs(client)).status).toBe(401)
  })

  test.each([
    ['no token at all', 'nonsense'],
    ['an unsigned one', `${btoa('{"alg":"none"}')}.${btoa('{"sub":"1"}')}.`],
  ])('%s is refused', async (_, token) => {
    expect((await enter(token)).answer).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  test('the nonce must be the one of this sign-in, plain or hashed', async () => {
    const hashed = createHash('sha256').update('n-1').digest('hex')
    expect((await enter(await apple.token(claims({ nonce: 'n-1' })), { nonce: 'n-1' })).answer.status).toBe(200)
    expect((await enter(await apple.token(claims({ nonce: hashed })), { nonce: 'n-1' })).answer.status).toBe(200)
    expect((await enter(await apple.token(claims({ nonce: hashed })), { nonce: 'n-2' })).answer.status).toBe(400)
    expect((await enter(await apple.token(claims()), { nonce: 'n-1' })).answer.status).toBe(400)
  })

  test('posts its form to the callback, and the app gets its code', async () => {
    const id_token = await apple.token(claims({ aud: APPLE_CLIENT_ID }))
    const response = await post({ id_token, code: 'c', state: 'mobile-app', user: '{"name":{"firstName":"Ada"}}' })
    expect(response.status).toBe(303)
    const code = new URL(locationOf(response)).searchParams.get('code') ?? ''
    const { data } = await app.client().request(routes.nativeSignIn, { body: { code } })
    expect(data.user.fullName).toBe('Ada')
    expect(locationOf(await post({ id_token, state: 'mobile-app' }))).toBe(`${NATIVE_RETURN_URL}?error=invalid_token`)
  })

  test('the nonce of a posted token guards the code', async () => {
    const verifier = randomBytes(32).toString('base64url')
    const nonce = createHash('sha256').update(verifier).digest('hex')
    const code = async () => {
      const response = await post({ id_token: await apple.token(claims({ nonce })), state: 'mobile-app' })
      return new URL(locationOf(response)).searchParams.get('code') ?? ''
    }
    expect((await app.client().request(routes.nativeSignIn, { body: { code: await code() } })).status).toBe(400)
    expect((await app.client().request(routes.nativeSignIn, { body: { code: await code(), verifier } })).status).toBe(
      200,
    )
  })

  test('a form without the state, without a token or with a refusal signs nobody in', async () => {
    expect(locationOf(await post({ id_token: await apple.token(claims()) }))).toBe('/?auth=error&message=oauth_failed')
    expect(locationOf(await post({ state: 'mobile-app', error: 'user_cancelled_authorize' }))).toBe(
      `${NATIVE_RETURN_URL}?error=oauth_failed`,
    )
  })

  test('forms are read nowhere else', async () => {
    const response = await app
      .client()
      .fetch('/api/auth/apple', { method: 'POST', body: new URLSearchParams({ identityToken: 'x' }) })
    expect([response.status, await response.json()]).toMatchObject([415, { code: 'not_json' }])
  })

  test('keys that cannot be fetched are no proof, and no fault of the person', async () => {
    const cut = await createTestApp({
      environment: { APPLE_CLIENT_IDS: APPLE_CLIENT_ID, APPLE_JWKS_URL: 'http://127.0.0.1:9/keys' },
    })
    const body = { identityToken: await apple.token(claims()), authorizationCode: 'c' }
    expect(await cut.client().request(routes.apple, { body })).toMatchObject({
      status: 503,
      body: { code: 'unavailable' },
    })
    await cut.close()
  })
})
