import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startMailServer } from '@parley/api/testing/accounts'
import { afterAll } from 'vitest'
import { shellPage } from '../../../mobile/src/page.ts'
import { API, type ShellWorld, WWW } from './journeys/world.ts'
import { openParley } from '../testing.ts'

// A product behind https on a host of its own, and the built pages at https://localhost as Capacitor serves them.

const DIST = fileURLToPath(new URL('../../dist', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

interface Certificate {
  readonly key: string
  readonly cert: string
}

/** Calls that can still be watched, and high limits because all phones share one address. */
const USUAL = { SANDBOX_SPEED: '10', SIGN_IN_LIMIT_PER_MINUTE: '10000', REQUEST_LIMIT_PER_MINUTE: '100000' }

/** Disposed of after the file's tests. */
export async function openShellWorld(environment: Record<string, string> = {}): Promise<ShellWorld> {
  const [certificate, mails] = [await selfSigned(), await startMailServer()]
  const www = await serveWww(certificate)
  let apiPort = 0
  const api = await serveTls(certificate, () => connect(apiPort, '127.0.0.1'))
  const args = [
    `--host-resolver-rules=MAP localhost:443 127.0.0.1:${portOf(www)}, MAP api.parley.example:443 127.0.0.1:${portOf(api)}`,
    // Third-party cookies are blocked, as in the web views of phones.
    '--test-third-party-cookie-phaseout',
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
  ]
  const { parley, browser } = await openParley({ ...USUAL, PUBLIC_URL: API, SMTP_URL: mails.url, ...environment }, args)
  apiPort = Number(new URL(parley.url).port)
  afterAll(() => {
    for (const server of [www, api]) server.close()
    return mails.close()
  })
  return {
    parley,
    browser,
    mailsTo: (email) =>
      mails.mails
        .filter(({ to }) => to.includes(email))
        .map(({ source }) => textOf(source))
        .toReversed(),
  }
}

/** Quoted-printable as text. */
function textOf(source: string): string {
  return source
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
}

/** For both hosts; nobody checks it, but the pages are secure contexts. */
async function selfSigned(): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,DNS:api.parley.example']
  const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert]
  await promisify(execFile)('openssl', ['req', ...made, ...names])
  const texts = { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
  await rm(folder, { recursive: true })
  return texts
}

/** Files of the build; any other path is the app, as Capacitor answers it. */
async function serveWww(certificate: Certificate): Promise<Server> {
  const page = shellPage(await readFile(join(DIST, 'index.html'), 'utf8'), API, ['ios', 'android'])
  return listening(
    createHttpsServer(certificate, (request, response) => {
      const { pathname } = new URL(request.url ?? '/', WWW)
      const type = TYPES[extname(pathname)] ?? 'application/octet-stream'
      if (extname(pathname) === '') return void response.setHeader('content-type', TYPES['.html'] ?? '').end(page)
      readFile(join(DIST, pathname)).then(
        (file) => response.setHeader('content-type', type).end(file),
        () => response.writeHead(404).end(),
      )
    }),
  )
}

/** Ends TLS and passes everything on, sockets too. */
async function serveTls(certificate: Certificate, open: () => Socket): Promise<Server> {
  return listening(
    createTlsServer(certificate, (near) => {
      const far = open()
      const end = () => {
        near.destroy()
        far.destroy()
      }
      for (const socket of [near, far]) socket.on('error', end).on('close', end)
      near.pipe(far).pipe(near)
    }),
  )
}

async function listening<T extends Server>(server: T): Promise<T> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
