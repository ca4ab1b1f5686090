import { createHash, randomBytes } from 'node:crypto'
import { accountsRoutes as routes, securityRoutes, SHELL_SIGN_IN_URLS } from '@parley/contract'
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

/** Goes through the provider's pages and back. Returns the location of the final redirect. */
async function enterWithGoogle(client: Client, person: OpenIdPerson, query = ''): Promise<string> {
  google.person = person
  const back = await google.visit(await begin(client, query))
  return locationOf(await client.fetch(back.pathname + back.search))
}

describe('Google sign-in', () => {
  test('a new person gets an account with a verified address and 10 credits', async () => {
    const client = app.client()
    const person = newPerson()
    expect(await enterWithGoogle(client, person)).toBe('/dashboard')
    const user = { email: person.email, fullName: 'Grace Hopper', creditBalance: '10', emailVerified: true }
    expect((await whoIs(client)).data).toMatchObject(user)
    expect(client.cookies.has('parley.google')).toBe(false)
  })

  test('the request has state, nonce, PKCE and the configured redirect_uri', async () => {
    const url = new URL(await begin(app.client()))
    expect(url.origin).toBe(google.url)
    const asked = Object.fromEntries(url.searchParams)
    expect(asked).toMatchObject({ response_type: 'code', code_challenge_method: 'S256', scope: 'openid email profile' })
    expect(asked['redirect_uri']).toBe('http://localhost:3000/api/auth/google/callback')
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]?.length).toBeGreaterThan(30)
  })

  test('opens the same account after the address has changed at Google', async () => {
    const person = newPerson()
    const [first, second] = [app.client(), app.client()]
    await enterWithGoogle(first, person)
    await enterWithGoogle(second, { ...person, email: 'renamed@example.org' })
    expect((await whoIs(second)).data.id).toBe((await whoIs(first)).data.id)
  })

  test('opens the account with the same verified address, mails its owner and leaves the password working', async () => {
    const { user } = await app.signUp()
    const client = app.client()
    await enterWithGoogle(client, newPerson({ email: user.email.toUpperCase() }))
    expect((await whoIs(client)).data.id).toBe(user.id)
    await app.mailTo(user.email, 'You can now log in to Parley with Google')
    const password = await app.client().request(routes.login, { body: { email: user.email, password: TEST_PASSWORD } })
    expect(password.status).toBe(200)
  })

  test('refuses an address that Google has not verified, known or unknown', async () => {
    const { user } = await app.signUp()
    for (const email of [user.email, 'nobody-yet@example.org']) {
      const client = app.client()
      expect(await enterWithGoogle(client, newPerson({ email, email_verified: false }))).toBe(
        '/?auth=error&message=email_not_verified',
      )
      expect((await whoIs(client)).status).toBe(401)
    }
  })

  test('Google sign-in voids an earlier unverified registration of the same address', async () => {
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

  test('refuses a callback in another browser, with another state or for the second time', async () => {
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

  test('refuses a code for the second time even with the old state cookie', async () => {
    google.person = newPerson()
    const client = app.client()
    const back = await google.visit(await begin(client))
    const kept = client.cookies.get('parley.google') ?? ''
    expect(locationOf(await client.fetch(back.pathname + back.search))).toBe('/dashboard')
    const replay = app.client()
    replay.cookies.set('parley.google', kept)
    expect(locationOf(await replay.fetch(back.pathname + back.search))).toBe('/?auth=error&message=oauth_failed')
  })

  test('access_denied from Google redirects to the landing page with oauth_failed', async () => {
    const client = app.client()
    const state = new URL(await begin(client)).searchParams.get('state')
    const response = await client.fetch(`/api/auth/google/callback?error=access_denied&state=${state}`)
    expect(locationOf(response)).toBe('/?auth=error&message=oauth_failed')
  })

  test('redirects with oauth_temporarily_unavailable when Google does not answer or has no keys', async () => {
    const cut = await createTestApp({ environment: { ...google.environment, GOOGLE_ISSUER: 'http://127.0.0.1:9' } })
    const withoutKeys = await createTestApp()
    for (const each of [cut, withoutKeys]) {
      const ask = async (query: string) => locationOf(await each.client().fetch(`/api/auth/google${query}`))
      expect(await ask('')).toBe('/?auth=error&message=oauth_temporarily_unavailable')
      expect(await ask(`?state=mobile-app&challenge=${'c'.repeat(43)}`)).toBe(
        `${SHELL_SIGN_IN_URLS.Google}?error=oauth_temporarily_unavailable`,
      )
      await each.close()
    }
  })
})

describe('sign-in of the native app', () => {
  const secret = () => randomBytes(32).toString('base64url')
  const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
  const exchange = (code: string, verifier?: string) => {
    const client = app.client()
    return client.request(routes.nativeSignIn, { body: { code, verifier } }).then((answer) => ({ answer, client }))
  }

  test('the return link has a code that gives a session once', async () => {
    const browser = app.client()
    const person = newPerson()
    const verifier = secret()
    const link = await enterWithGoogle(browser, person, `?shell=1&challenge=${challengeOf(verifier)}`)
    expect(link).toMatch(new RegExp(`^${SHELL_SIGN_IN_URLS.Google}\\?code=[\\w-]{32}$`))
    expect((await whoIs(browser)).status).toBe(401)
    const code = new URL(link).searchParams.get('code') ?? ''
    const { answer, client } = await exchange(code, verifier)
    expect(answer.data.user.email).toBe(person.email)
    expect((await whoIs(client)).status).toBe(200)
    expect((await exchange(code, verifier)).answer).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  test('a code with a challenge needs its verifier and is used up by a wrong one', async () => {
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

  test.each(['?state=mobile-app', '?shell=1'])('does not begin for an app without a challenge: %s', async (query) => {
    expect(await begin(app.client(), query)).toBe(`${SHELL_SIGN_IN_URLS.Google}?error=oauth_failed`)
  })

  test('refuses an expired code', async () => {
    const verifier = secret()
    const query = `?shell=1&challenge=${challengeOf(verifier)}`
    const code = new URL(await enterWithGoogle(app.client(), newPerson(), query)).searchParams.get('code') ?? ''
    await app.context.db.update(nativeCode).set({ expiresAt: new Date(0) })
    expect((await exchange(code, verifier)).answer.status).toBe(400)
  })

  test('the return link has the error code of a failed sign-in', async () => {
    const client = app.client()
    const link = await enterWithGoogle(
      client,
      newPerson({ email_verified: false }),
      `?shell=1&challenge=${challengeOf(secret())}`,
    )
    expect(link).toBe(`${SHELL_SIGN_IN_URLS.Google}?error=email_not_verified`)
  })
})

describe('Apple sign-in', () => {
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

  test('a new person gets an account with the name that Apple sends the first time', async () => {
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

  test('refuses an identity token for the second time', async () => {
    const token = await apple.token(claims())
    expect((await enter(token)).answer.status).toBe(200)
    expect((await enter(token)).answer).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  const past = Math.floor(Date.now() / 1000) - 3600
  test.each([
    ['a signature of another key', {}, { forged: true }, 'invalid_token'],
    ['another issuer', { iss: 'https://evil.example' }, {}, 'invalid_token'],
    ['another app', { aud: 'example.other.app' }, {}, 'invalid_token'],
    ['an expiry in the past', {}, { expiresAt: past }, 'expired_token'],
    ['an unverified address', { email_verified: 'false' }, {}, 'email_not_verified'],
    ['no address', { email: undefined }, {}, 'email_not_verified'],
    ['a nonce that the request lacks', { nonce: 'n-1' }, {}, 'invalid_token'],
  ] as const)('refuses a token with %s', async (_, wrong, options, code) => {
    const { answer, client } = await enter(await apple.token(claims(wrong), options))
    expect(answer.body).toMatchObject({ code })
    expect((await whoIs(client)).status).toBe(401)
  })

  test.each([
    ['a token that is no JWT', 'nonsense'],
    ['an unsigned token', `${btoa('{"alg":"none"}')}.${btoa('{"sub":"1"}')}.`],
  ])('refuses %s', async (_, token) => {
    expect((await enter(token)).answer).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  test('accepts the nonce of the request, plain or hashed, and refuses another or a missing one', async () => {
    const hashed = createHash('sha256').update('n-1').digest('hex')
    expect((await enter(await apple.token(claims({ nonce: 'n-1' })), { nonce: 'n-1' })).answer.status).toBe(200)
    expect((await enter(await apple.token(claims({ nonce: hashed })), { nonce: 'n-1' })).answer.status).toBe(200)
    expect((await enter(await apple.token(claims({ nonce: hashed })), { nonce: 'n-2' })).answer.status).toBe(400)
    expect((await enter(await apple.token(claims()), { nonce: 'n-1' })).answer.status).toBe(400)
  })

  test("Apple's form post to the callback gives the native app a code once", async () => {
    const id_token = await apple.token(claims({ aud: APPLE_CLIENT_ID }))
    const response = await post({ id_token, code: 'c', state: 'mobile-app', user: '{"name":{"firstName":"Ada"}}' })
    expect(response.status).toBe(303)
    const code = new URL(locationOf(response)).searchParams.get('code') ?? ''
    const { data } = await app.client().request(routes.nativeSignIn, { body: { code } })
    expect(data.user.fullName).toBe('Ada')
    expect(locationOf(await post({ id_token, state: 'mobile-app' }))).toBe(
      `${SHELL_SIGN_IN_URLS.Apple}?error=invalid_token`,
    )
  })

  test('a code from a posted token with a nonce needs the matching verifier', async () => {
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

  test("a posted form without a state or with Apple's error signs in no user", async () => {
    expect(locationOf(await post({ id_token: await apple.token(claims()) }))).toBe('/?auth=error&message=oauth_failed')
    expect(locationOf(await post({ state: 'mobile-app', error: 'user_cancelled_authorize' }))).toBe(
      `${SHELL_SIGN_IN_URLS.Apple}?error=oauth_failed`,
    )
  })

  test('returns 415 for a form sent to another route', async () => {
    const response = await app
      .client()
      .fetch('/api/auth/apple', { method: 'POST', body: new URLSearchParams({ identityToken: 'x' }) })
    expect([response.status, await response.json()]).toMatchObject([415, { code: 'not_json' }])
  })

  test("returns 503 when Apple's keys cannot be fetched", async () => {
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
