import { createServer, type Server as TcpServer, type Socket } from 'node:net'
import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SANDBOX_KEYS } from '@parley/contract'
import type { CheckedPart } from '@parley/contract/checks'
import { startSandbox } from '@parley/sandbox'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { symmetricEncrypt } from 'better-auth/crypto'
import { keepPastKeys, pastKey, resealFactors, secondFactor } from './accounts/testing.ts'
import { type Config, readConfig } from './config.ts'
import { checkProduct } from './doctor.ts'
import { startPushFarEnds } from './notices/testing.ts'
import { createTestApp, type TestApp } from './testing.ts'

const SECRETS = { AUTH_SECRET: 'Zq3vT0bW8nXk5yHs2LmP9dRgC7fJ4aUe', VOICE_SECRET: 'k1Gd7YwQ0zRb5NxV3hTs9McJ6pLf2EaU' }
const NEW_SECRET = 'Tn5rM8uB1qKe7ZxC0gVd4WyH6jSa3PfL'
/** Nobody listens there. */
const NOWHERE = '127.0.0.1:9'

let app: TestApp
const closing: (() => unknown)[] = []
beforeAll(async () => {
  app = await createTestApp()
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
afterAll(() => app.close())

async function listening(server: Server | TcpServer): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closing.push(() => new Promise((done) => server.close(done)))
  return (server.address() as AddressInfo).port
}

/** A voice service that says this of itself. */
async function voiceThat(answers: (authorization: string | undefined) => { status: number; body: unknown }) {
  const server = createHttpServer((request, reply) => {
    const { status, body } = answers(request.url === '/v1/checks' ? request.headers.authorization : undefined)
    reply.writeHead(status, { connection: 'close' }).end(JSON.stringify(body))
  })
  return `http://127.0.0.1:${await listening(server)}`
}

const configOf = (environment: Record<string, string> = {}): Config => {
  const { databaseUrl = '', dataDir } = app.context.config
  const own = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PUBLIC_URL: app.url, VOICE_URL: `http://${NOWHERE}` }
  return readConfig({ ...SECRETS, ...own, ...environment })
}
const look = async (environment?: Record<string, string>) => {
  const parts = await checkProduct(configOf(environment))
  return (part: string): CheckedPart | undefined => parts.find((each) => each.part === part)
}

test('tells what answers: database, outbox, files, address, sandbox, and each part of a voice node', async () => {
  const url = await voiceThat((authorization) => ({
    status: authorization === `Bearer ${SECRETS.VOICE_SECRET}` ? 200 : 401,
    body: { parts: [{ part: 'ear', ok: false, says: 'It is deaf.', mend: 'Set EAR.' }] },
  }))
  const sandbox = await startSandbox({ port: 0, webhook: { url: `http://${NOWHERE}/x`, secret: 'whsec_x' } })
  closing.push(() => sandbox.close())
  const part = await look({
    VOICE_URL: url,
    STRIPE_SECRET_KEY: SANDBOX_KEYS.secret,
    STRIPE_PUBLISHABLE_KEY: SANDBOX_KEYS.publishable,
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
    STRIPE_API_BASE: sandbox.url,
  })
  expect(part('database')).toMatchObject({ ok: true, says: expect.stringMatching(/^PostgreSQL 1\d/), mend: null })
  expect(part('redis')).toBeUndefined()
  expect(part('mail')).toMatchObject({ ok: true, says: expect.stringContaining('set SMTP_URL to send them') })
  expect(part('storage')).toMatchObject({ ok: true })
  expect(part('PUBLIC_URL')).toMatchObject({ ok: true, says: `${app.url} leads to the product.` })
  expect(part('payments')).toMatchObject({ ok: true, says: 'The payments sandbox: no card is charged.' })
  expect(part('voice')).toMatchObject({ ok: true })
  expect(part('voice: ear')).toEqual({ part: 'voice: ear', ok: false, says: 'It is deaf.', mend: 'Set EAR.' })
})

test('says that the database user may write the books where they have no role of their own', async () => {
  const { pool } = app.context.database
  const saysOf = async () => (await look())('database')?.says
  expect(await saysOf()).not.toContain('books')
  await pool.query('alter function books_settle owner to current_user')
  expect(await saysOf()).toContain('Its user may write the books past their functions: see docs/hosting.md.')
  await pool.query('select ledger_rights()')
  expect(await saysOf()).not.toContain('books')
})

test('tells for each part that does not answer where to mend it, and no password', async () => {
  const part = await look({
    DATABASE_URL: `postgres://app:pass-word-1@${NOWHERE}/parley`,
    REDIS_URL: `redis://:pass-word-1@${NOWHERE}`,
    SMTP_URL: `smtp://user:pass-word-1@${NOWHERE}`,
    PUBLIC_URL: `http://${NOWHERE}`,
    S3_BUCKET: 'recordings',
    S3_ENDPOINT: `http://${NOWHERE}`,
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'pass-word-1',
  })
  const mends = {
    database: 'Correct DATABASE_URL',
    redis: 'REDIS_URL',
    mail: 'Correct SMTP_URL',
    storage: 'Correct the S3_ variables',
    payments: 'Set the three STRIPE_ keys',
    PUBLIC_URL: 'correct PUBLIC_URL',
    voice: 'Start the voice service',
  }
  for (const [name, mend] of Object.entries(mends)) {
    expect(part(name)).toMatchObject({ ok: false, mend: expect.stringContaining(mend) })
    expect(JSON.stringify(part(name))).not.toContain('pass-word-1')
  }
})

test('tells a wrong key of the payments provider and a wrong password of the mail server', async () => {
  const sandbox = await startSandbox({ port: 0, webhook: { url: `http://${NOWHERE}/x`, secret: 'whsec_x' } })
  closing.push(() => sandbox.close())
  const smtp = createServer((socket: Socket) => {
    socket.on('error', () => undefined)
    socket.write('220 mail ESMTP\r\n')
    socket.on('data', (data) => {
      const line = data.toString()
      if (line.startsWith('EHLO')) socket.write('250-mail\r\n250 AUTH PLAIN\r\n')
      else if (line.startsWith('AUTH')) socket.write('535 5.7.8 Authentication failed\r\n')
      else socket.end('221 bye\r\n')
    })
  })
  const part = await look({
    SMTP_URL: `smtp://user:wrong@127.0.0.1:${await listening(smtp)}`,
    STRIPE_SECRET_KEY: 'sk_test_wrong',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
    STRIPE_API_BASE: sandbox.url,
  })
  expect(part('mail')).toMatchObject({ ok: false, says: expect.stringContaining('535') })
  expect(part('payments')).toMatchObject({ ok: false, mend: expect.stringContaining('STRIPE_') })
})

test.each([
  [401, {}, 'has another secret', 'Give api and voice the same VOICE_SECRET.'],
  [404, {}, 'tells no checks', 'Bring the voice service to the version of the api.'],
  [200, { parts: 'x' }, 'tells no checks', 'Bring the voice service to the version of the api.'],
])(
  'tells a voice service that answers %i %j',
  async (status, body, says, mend) => {
    const part = await look({ VOICE_URL: await voiceThat(() => ({ status, body })) })
    expect(part('voice')).toMatchObject({ ok: false, says: expect.stringContaining(says), mend })
  },
  60_000,
)

test('tells an address that leads elsewhere', async () => {
  const part = await look({ PUBLIC_URL: await voiceThat(() => ({ status: 200, body: 'hello' })) })
  expect(part('PUBLIC_URL')).toMatchObject({ ok: false, says: expect.stringContaining('not as the product does') })
})

test('notifications are no part without keys, and each service says whether it takes them', async () => {
  expect((await look())('notifications on iOS')).toBeUndefined()
  const far = await startPushFarEnds()
  closing.push(() => far.close())
  const good = await look(far.environment)
  expect(good('notifications on iOS')).toMatchObject({ ok: true, says: "Apple's push service takes our keys." })
  expect(good('notifications on Android')).toMatchObject({ ok: true, says: "Firebase's messaging takes our keys." })
  const bad = await look({ ...far.environment, APNS_KEY_ID: 'ANOTHER123', FCM_URL: `http://${NOWHERE}` })
  expect(bad('notifications on iOS')).toMatchObject({ ok: false, says: expect.stringContaining('403') })
  expect(bad('notifications on Android')).toMatchObject({ ok: false })
})

test('tells weak, doubled and rotated secrets, and what still needs an older key', async () => {
  const says = async (environment: Record<string, string>) => (await look(environment))('secrets')
  const { AUTH_SECRET: old, VOICE_SECRET: voice } = SECRETS
  expect(await says({})).toMatchObject({ ok: true, says: 'AUTH_SECRET has one key, VOICE_SECRET has one key.' })
  const weak = { AUTH_SECRET: `2:${NEW_SECRET},1:${'ab'.repeat(16)}` }
  expect(await says(weak)).toMatchObject({
    ok: false,
    says: expect.stringMatching(/^AUTH_SECRET, key 1, has hardly any/),
  })
  const shared = { AUTH_SECRET: `2:${NEW_SECRET},1:${voice}` }
  expect(await says(shared)).toMatchObject({
    ok: false,
    says: expect.stringMatching(/^AUTH_SECRET, key 1, is in VOICE_SECRET too: /),
  })

  const rotated = { AUTH_SECRET: `2:${NEW_SECRET},1:${old}` }
  const config = configOf(rotated)
  const standing = 'AUTH_SECRET makes with key 2 and also takes 1, VOICE_SECRET has one key.'
  const { user } = await app.signUp()
  const { db } = app.context
  const secret = await symmetricEncrypt({ key: old, data: 'JBSWY3DPEHPK3PXP' })
  await db.insert(secondFactor).values({ userId: user.id, secret })
  expect(await says(rotated)).toMatchObject({
    ok: true,
    says: expect.stringMatching(`^${standing} Older .+\\(1 second factors\\)\\.$`),
  })
  // A key that nothing was made with yet stays out of the database.
  await keepPastKeys(db, configOf({ AUTH_SECRET: `1:${old},2:${NEW_SECRET}` }).authKeys)
  expect(await db.$count(pastKey)).toBe(0)
  await keepPastKeys(db, config.authKeys)
  await resealFactors(db, config.authKeys, { check: () => undefined })
  expect(await says(rotated)).toMatchObject({
    ok: true,
    says: `${standing} Nothing that is stored needs an older key of AUTH_SECRET.`,
  })
  const lost = { AUTH_SECRET: `3:${NEW_SECRET.toLowerCase()}` }
  expect(await says(lost)).toMatchObject({ ok: false, says: 'No key of AUTH_SECRET opens 1 second factors.' })
})
