export { adjust, hold, openWallet, settle } from './credits/index.ts'
export { RECONCILE_EVERY_MS, reconcilePayments } from './credits/payments/reconcile.ts'
export { share } from './credits/payments/refunds.ts'
export { checkBooks } from './credits/index.ts'
export { topUp } from './credits/cards/top-up.ts'
export { tellLowBalances } from './credits/low-balance.ts'
export { createDatabase, type Database, withTx } from './platform/db.ts'
export { type EmbeddedPostgres, startEmbeddedPostgres } from './platform/database/embedded.ts'
export { createOutbox } from './platform/mail.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  accountsRoutes,
  type Asked,
  type OutboxMail,
  type Parsed,
  requestOf,
  type Route,
  type User,
} from '@parley/contract'
import { hashPassword } from 'better-auth/crypto'
import { pino } from 'pino'
import { expect, vi } from 'vitest'
import type { z } from 'zod'
import type { AppOptions } from './app.ts'
import { hashesLightly } from './platform/light-passwords.ts'
import { readConfig } from './config.ts'
import type { Context } from './context.ts'
import type { FloorOverrides } from './floor.ts'
import { testDatabase } from './platform/testing.ts'
import { startServer } from './server.ts'

export const TEST_PASSWORD = 'tell-nobody-of-herons'

/** Timeout for work of jobs, sockets and other processes on a busy machine. */
export const PATIENTLY = { timeout: 40_000, interval: 20 } as const

type Shape = z.ZodType | undefined

export interface Answered<R extends Shape> {
  readonly status: number
  readonly headers: Headers
  /** The good answer, parsed by the contract; reading it fails the test when the answer was an error. */
  readonly data: Parsed<R>
  /** The raw body, for error answers. */
  readonly body: unknown
}

/** A browser's worth of cookies, speaking real HTTP. */
export interface Client {
  readonly cookies: Map<string, string>
  request<P extends Shape, Q extends Shape, B extends Shape, R extends Shape>(
    route: Route<P, Q, B, R>,
    // A test may leave out what the route needs.
    asked?: Partial<Asked<P, Q, B>> & { readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Answered<R>>
  /** For requests outside the contract's routes. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  cookieHeader(): string
}

export interface TestApp {
  readonly url: string
  /** The address of the internal listener. */
  readonly internalUrl: string
  readonly context: Context
  client(): Client
  /** A verified person, signed in. */
  signUp(person?: { fullName?: string; email?: string }): Promise<{ client: Client; user: User }>
  /** Waits for a mail to this address that has the words in its subject or text. */
  mailTo(email: string, words: string): Promise<OutboxMail>
  /** The token of the newest link in a mail to this address. */
  tokenFor(email: string, page: '/verify-email' | '/reset-password'): Promise<string>
  close(): Promise<void>
}

export interface TestAppOptions extends AppOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly overrides?: FloorOverrides
}

let people = 0
/** Each connection is a process of PostgreSQL that has to begin: of what a test asks at once, most may wait. */
export const FEW_CONNECTIONS = { DATABASE_POOL_SIZE: '6', JOBS_POOL_SIZE: '2' }
/** Of TEST_PASSWORD, at the light cost and at the real one. */
const passwordHashes = new Map<boolean, Promise<string>>()

function testPasswordHash(): Promise<string> {
  const hash = passwordHashes.get(hashesLightly()) ?? hashPassword(TEST_PASSWORD)
  passwordHashes.set(hashesLightly(), hash)
  return hash
}

/** The whole api on a free port with a database of its own. Nothing of it is a stand-in. */
export async function createTestApp({
  environment = {},
  overrides,
  ...options
}: TestAppOptions = {}): Promise<TestApp> {
  const database = await testDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-api-'))
  const config = readConfig({
    PORT: '0',
    PUBLIC_URL: 'http://localhost:3000',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    ...FEW_CONNECTIONS,
    AUTH_SECRET: 'a'.repeat(32),
    VOICE_SECRET: 'v'.repeat(32),
    // Nobody listens there.
    VOICE_URL: 'http://127.0.0.1:9',
    SIGN_IN_LIMIT_PER_MINUTE: '10000',
    REQUEST_LIMIT_PER_MINUTE: '100000',
    ...environment,
  })
  const log = overrides?.log ?? pino({ level: 'silent' })
  const server = await startServer(config, { ...options, overrides: { ...overrides, log } })
  const { mailer } = server.context
  const mails = async () => (mailer.kind === 'outbox' ? mailer.list() : [])

  const mailTo = (email: string, words: string) =>
    vi.waitFor(
      async () => {
        const found = (await mails()).find(
          (mail) => mail.to === email && `${mail.subject}\n${mail.text}`.includes(words),
        )
        if (!found) throw new Error(`There is no mail to ${email} about "${words}".`)
        return found
      },
      { timeout: 40_000, interval: 20 },
    )
  const tokenFor: TestApp['tokenFor'] = async (email, page) => {
    const { text } = await mailTo(email, `${config.publicUrl}${page}?token=`)
    return /\?token=(\S+)/.exec(text)?.[1] ?? ''
  }
  const client = () => createClient(server.url)
  return {
    url: server.url,
    internalUrl: server.internalUrl,
    context: server.context,
    client,
    mailTo,
    tokenFor,
    async signUp({ fullName = 'Ada Lovelace', email = `person${++people}@example.com` } = {}) {
      return addMember(server, { fullName, email })
    },
    async close() {
      await server.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A verified person with TEST_PASSWORD, signed in without a login. */
export async function addMember(
  { url, context: { accounts } }: Pick<TestApp, 'url' | 'context'>,
  { fullName, email }: { fullName: string; email: string },
): Promise<{ client: Client; user: User }> {
  const client = createClient(url)
  const userId = await accounts.addPerson({ fullName, email, passwordHash: await testPasswordHash() })
  const { headers } = await accounts.room.auth.api.startSession({
    body: { userId },
    headers: new Headers(),
    returnHeaders: true,
  })
  for (const line of headers.getSetCookie()) keepCookie(client.cookies, line)
  const { data } = await client.request(accountsRoutes.currentUser)
  return { client, user: data }
}

export function createClient(baseUrl: string): Client {
  const cookies = new Map<string, string>()
  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    if (cookies.size > 0) headers.set('cookie', cookieHeader())
    const response = await fetch(baseUrl + path, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) keepCookie(cookies, line)
    return response
  }
  return {
    cookies,
    cookieHeader,
    fetch: send,
    async request(route, asked) {
      const { path, headers, ...init } = requestOf(route, asked ?? {})
      const response = await send(path, { ...init, headers: { ...headers, ...asked?.headers } })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') === true
      const answer: unknown = isJson ? JSON.parse(text) : text
      return {
        status: response.status,
        headers: response.headers,
        body: answer,
        get data() {
          expect(answer, `${route.method} ${path} → ${response.status}`).not.toHaveProperty('code')
          // The route's own schema parses it, so the type is what the contract says.
          return route.reply?.parse(answer) as never
        },
      }
    },
  }
}

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';')
  const at = pair.indexOf('=')
  const gone = attributes.some((each) => /^\s*max-age=0$/i.test(each))
  if (gone) cookies.delete(pair.slice(0, at))
  else cookies.set(pair.slice(0, at), pair.slice(at + 1))
}
