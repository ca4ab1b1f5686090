import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'
import { SMTPServer } from 'smtp-server'

// For tests of the whole, which enter here.
export { continueErasures, keepRetention } from './data/erasure.ts'
export { keepPastKeys } from './past-keys.ts'
export { resealFactors } from './second-factor/factor-secrets.ts'
export {
  apiKey,
  dataExport,
  dataExportPart,
  inquiry,
  passkey,
  pastKey,
  secondFactor,
  session,
  signInAttempt,
  user,
} from './schema.ts'
export { nativeReturn } from './sign-in/native.ts'

interface Served {
  readonly url: string
  close(): Promise<void>
}

async function serve(listener: RequestListener): Promise<Served> {
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${portOf(server)}`, close: () => shut(server) }
}

function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It does not listen.')
  return address.port
}

async function shut(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
}

export interface OpenIdPerson {
  readonly sub: string
  readonly email: string
  readonly email_verified: boolean
  readonly name?: string
}

export interface OpenIdProvider extends Served {
  readonly environment: Readonly<Record<string, string>>
  /** The person who logs in at the provider next. */
  person: OpenIdPerson
  /** Follows the provider's pages up to the redirect to the product, which is returned. */
  visit(authorizationUrl: string): Promise<URL>
}

/** A certified OpenID provider in place of Google: insists on PKCE and signs its tokens. */
export async function startOpenIdProvider(publicUrl: string): Promise<OpenIdProvider> {
  let handle: RequestListener = () => undefined
  const served = await serve((request, response) => handle(request, response))
  const client = { client_id: 'parley', client_secret: randomBytes(32).toString('hex') }
  const people = new Map<string, OpenIdPerson>()
  let person: OpenIdPerson = { sub: '', email: '', email_verified: false }
  const provider = new Provider(served.url, {
    clients: [
      {
        ...client,
        redirect_uris: [`${publicUrl}/api/auth/google/callback`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // Google puts them into the token, too.
    conformIdTokenClaims: false,
    cookies: { keys: [randomBytes(16).toString('hex')] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...people.get(sub), sub }) }),
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        clientId: client.client_id,
        accountId: ctx.oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const callback = provider.callback()
  handle = (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: person.sub } })
  }
  return {
    ...served,
    environment: {
      GOOGLE_CLIENT_ID: client.client_id,
      GOOGLE_CLIENT_SECRET: client.client_secret,
      GOOGLE_ISSUER: served.url,
    },
    get person() {
      return person
    },
    set person(next) {
      person = next
      people.set(next.sub, next)
    },
    visit: (authorizationUrl) => followTo(authorizationUrl, publicUrl),
  }
}

/** Follows redirects with cookies until one leads to the product. */
async function followTo(start: string, publicUrl: string): Promise<URL> {
  const cookies = new Map<string, string>()
  for (let url = start; ;) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
    url = new URL(location, url).href
    if (url.startsWith(publicUrl)) return new URL(url)
  }
}

export interface AppleKeys extends Served {
  readonly environment: Readonly<Record<string, string>>
  /** An identity token like Apple's; the given claims replace the valid ones. */
  token(claims: JWTPayload, options?: { expiresAt?: number; forged?: boolean }): Promise<string>
}

export const APPLE_CLIENT_ID = 'example.parley.app'

/** Apple's key set, and the keys behind it. */
export async function startAppleKeys(): Promise<AppleKeys> {
  const [real, forged] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  const key = { ...(await exportJWK(real.publicKey)), kid: 'apple-1', alg: 'RS256', use: 'sig' }
  const served = await serve((_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [key] })),
  )
  return {
    ...served,
    environment: {
      APPLE_CLIENT_IDS: `${APPLE_CLIENT_ID},example.parley.service`,
      APPLE_JWKS_URL: `${served.url}/auth/keys`,
    },
    token: (claims, options = {}) =>
      new SignJWT({ iss: 'https://appleid.apple.com', aud: APPLE_CLIENT_ID, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'apple-1' })
        .setIssuedAt()
        .setJti(randomBytes(8).toString('hex'))
        .setExpirationTime(options.expiresAt ?? Math.floor(Date.now() / 1000) + 600)
        .sign(options.forged ? forged.privateKey : real.privateKey),
  }
}

export interface MailServer {
  readonly url: string
  readonly mails: { from: string; to: string[]; source: string }[]
  /** Answers the next delivery with a temporary failure. */
  failOnce(): void
  close(): Promise<void>
}

/** A real SMTP server that keeps its mails. */
export async function startMailServer(): Promise<MailServer> {
  const mails: MailServer['mails'] = []
  let failing = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      stream.on('end', () => {
        if (failing) {
          failing = false
          return done(Object.assign(new Error('Come back later'), { responseCode: 451 }))
        }
        const { mailFrom, rcptTo } = session.envelope
        const to = rcptTo.map(({ address }) => address)
        mails.push({ from: mailFrom === false ? '' : mailFrom.address, to, source: Buffer.concat(chunks).toString() })
        done()
      })
    },
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `smtp://127.0.0.1:${portOf(server.server)}`,
    mails,
    failOnce: () => void (failing = true),
    close: () => new Promise((done) => server.close(done)),
  }
}

/**
 * How many wrong tries at most an account hears from one address in so many seconds: five, and one more after each wait
 * that may have ended by then. The waits begin with a second and double.
 */
export function mistakesLetThrough(seconds: number): number {
  return 5 + Math.ceil(Math.log2(seconds + 1))
}

/**
 * A device that makes passkeys, in the bytes of WebAuthn. Those that are shared between devices do not count their
 * uses. An answer that is not `verified` is given by whoever holds the device, without its PIN or fingerprint.
 */
export function createAuthenticator(origin: string, { counts = true } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(16)
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const cose = cborMap([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])
  let counter = 0
  const id = credentialId.toString('base64url')
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authData = (flags: number, more = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counts ? ++counter : 0)
    return Buffer.concat([
      createHash('sha256').update(new URL(origin).hostname).digest(),
      Buffer.from([flags]),
      count,
      more,
    ])
  }
  const PRESENT = 0x01
  const VERIFIED = 0x04
  const WITH_CREDENTIAL = 0x40
  const userFlags = (verified: boolean) => PRESENT | (verified ? VERIFIED : 0)
  return {
    create({ challenge, verified = true }: Ceremony): Record<string, unknown> {
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId, cose])
      const attestation = cborMap(
        [
          ['fmt', 'none'],
          ['attStmt', cborMap([])],
          ['authData', authData(userFlags(verified) | WITH_CREDENTIAL, credential)],
        ],
        ['attStmt'],
      )
      const response = {
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      }
      return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }
    },
    get({ challenge, verified = true }: Ceremony): Record<string, unknown> {
      const data = clientData('webauthn.get', challenge)
      const authenticatorData = authData(userFlags(verified))
      const signed = Buffer.concat([authenticatorData, createHash('sha256').update(data).digest()])
      const response = {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      }
      return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }
    },
  }
}

interface Ceremony {
  readonly challenge: string
  readonly verified?: boolean
}

type Cbor = number | string | Buffer

/** The subset of CBOR that a passkey needs. */
function cborMap(entries: readonly (readonly [number | string, Cbor])[], raw: readonly string[] = []): Buffer {
  const parts = entries.flatMap(([key, value]) => [
    cbor(key),
    raw.includes(String(key)) && Buffer.isBuffer(value) ? value : cbor(value),
  ])
  return Buffer.concat([Buffer.from([0xa0 | entries.length]), ...parts])
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return head(value < 0 ? 1 : 0, value < 0 ? -1 - value : value)
  const bytes = Buffer.from(value)
  return Buffer.concat([head(typeof value === 'string' ? 3 : 2, bytes.length), bytes])
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  return size < 256 ? Buffer.from([(major << 5) | 24, size]) : Buffer.from([(major << 5) | 25, size >> 8, size & 255])
}
