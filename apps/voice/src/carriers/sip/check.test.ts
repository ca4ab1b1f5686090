import { createServer as createTcp } from 'node:net'
import { createServer } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { checkTrunk } from './index.ts'
import { Framer } from './signalling/framing.ts'
import { serialise } from './signalling/message.ts'
import { selfSigned } from './testing/certificate.ts'
import { freePort, isInstalled, recv, send, type Sipp, sipp } from './testing/sipp.ts'
import { trunkFile } from './testing/trunk.ts'

const TRUNK = '127.0.0.51'
const ends: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function trunk(...steps: readonly string[]): Promise<Sipp> {
  const far = await sipp(TRUNK, steps)
  ends.push(() => far.kill())
  return far
}

async function check(fields: Readonly<Record<string, unknown>>, certificates?: string) {
  const [one] = trunkFile([{ host: TRUNK, ...fields }]).trunks
  if (!one) throw new Error('no trunk')
  const options = { address: '127.0.0.1', ...(certificates !== undefined && { certificates }) }
  return checkTrunk(one, AbortSignal.timeout(20_000), options)
}

const ACCOUNT = { username: 'parley', password: 's3cret', register: true }
const challenge = (nonce: string) =>
  send('401 Unauthorized', { headers: [`WWW-Authenticate: Digest realm="t", nonce="${nonce}", qop="auth"`] })

/** A registrar over TCP; keeps method, Contact and whether credentials came. */
async function registrar(said: string[]): Promise<number> {
  const server = createTcp((socket) => {
    const framer = new Framer()
    socket.on('data', (chunk: Buffer) => {
      for (const framed of framer.push(chunk)) {
        if (framed.type !== 'message' || framed.parsed.message.type !== 'request') continue
        const { method, headers } = framed.parsed.message
        const answered = headers.get('authorization') === null ? null : 'answered'
        said.push(`${method} ${method === 'REGISTER' ? headers.get('contact') : null} ${answered}`)
        const refused = method === 'REGISTER' && !answered
        const all = headers.copy()
        if (refused) all.add('www-authenticate', 'Digest realm="t", nonce="n", algorithm=SHA-256, qop="auth"')
        const status = refused ? { status: 401, reason: 'Unauthorized' } : { status: 200, reason: 'OK' }
        socket.write(serialise({ type: 'response', ...status, headers: all, body: '' }))
      }
    })
  })
  await new Promise<void>((resolve) => void server.listen({ host: TRUNK, port: 0 }, resolve))
  ends.push(() => void server.close())
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

describe.skipIf(!isInstalled('sipp'))('checkTrunk', () => {
  it('says that a trunk answers', async () => {
    const far = await trunk(recv('OPTIONS'), send('200 OK'))
    expect(await check({ port: far.port })).toEqual({
      ok: true,
      detail: `${TRUNK} answers at ${TRUNK}:${far.port} over udp.`,
    })
  })

  it('asks the registrar with the password and names no binding', async () => {
    const said: string[] = []
    const port = await registrar(said)
    expect(await check({ port, transport: 'tcp', ...ACCOUNT })).toMatchObject({
      ok: true,
      detail: expect.stringContaining('takes the password'),
    })
    expect(said).toEqual(['OPTIONS null null', 'REGISTER null null', 'REGISTER null answered'])
  })

  it('says that the password is wrong', async () => {
    const far = await trunk(recv('OPTIONS'), challenge('a1'), recv('OPTIONS'), challenge('a1'))
    expect(await check({ port: far.port, ...ACCOUNT })).toEqual({
      ok: false,
      problem: 'The trunk refuses the user name or password.',
      mend: "Correct the trunk's username and password.",
    })
  })

  it.each([
    ['403 Forbidden', 'The trunk refuses this machine (403 Forbidden).'],
    ['503 Full', 'The trunk takes no calls now (503 Full).'],
  ])('says that the trunk refuses with %s', async (status, problem) => {
    const far = await trunk(recv('OPTIONS'), send(status))
    expect(await check({ port: far.port })).toMatchObject({ ok: false, problem })
  })

  it('says that nobody answers, that nothing listens, and that a name is unknown', async () => {
    const port = await freePort(TRUNK)
    expect(await check({ port })).toMatchObject({ problem: `${TRUNK}:${port} does not answer over udp.` })
    expect(await check({ port, transport: 'tcp' })).toMatchObject({ problem: `Nothing listens on ${TRUNK}:${port}.` })
    expect(await check({ host: 'no-such-host.invalid' })).toMatchObject({
      problem: 'The name no-such-host.invalid is not known.',
    })
  })

  it('says that a certificate is not valid or bears another name, and asks for the name of the trunk', async () => {
    const certificate = await selfSigned('trunk.example', TRUNK)
    ends.push(certificate.remove)
    const names: string[] = []
    const SNICallback = (name: string, done: (error: Error | null) => void) => {
      names.push(name)
      done(null)
    }
    const server = createServer({ key: certificate.key, cert: certificate.cert, SNICallback }, (socket) => {
      const framer = new Framer()
      socket.on('error', () => undefined)
      socket.on('data', (chunk: Buffer) => {
        for (const framed of framer.push(chunk))
          if (framed.type === 'message')
            socket.write(
              serialise({
                type: 'response',
                status: 200,
                reason: 'OK',
                headers: framed.parsed.message.headers,
                body: '',
              }),
            )
      })
    })
    server.on('tlsClientError', () => undefined)
    await new Promise<void>((resolve) => void server.listen({ host: TRUNK, port: 0 }, resolve))
    ends.push(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    const wrong = await check({ port, transport: 'tls' })
    expect(wrong).toMatchObject({ ok: false, mend: expect.stringContaining('certificate') })
    expect(wrong).toHaveProperty(
      'problem',
      expect.stringContaining(`The TLS certificate of ${TRUNK}:${port} is not valid`),
    )
    expect(await check({ port, transport: 'tls' }, certificate.cert)).toMatchObject({ ok: true })
    const named = async (host: string) => {
      const [one] = trunkFile([{ host, port, transport: 'tls' }]).trunks
      if (!one) throw new Error('no trunk')
      const resolve = () => Promise.resolve([{ address: TRUNK, port }])
      return checkTrunk(one, AbortSignal.timeout(20_000), { certificates: certificate.cert, resolve })
    }
    expect(await named('trunk.example')).toMatchObject({ ok: true })
    expect(await named('other.example')).toHaveProperty('problem', expect.stringContaining('is not valid'))
    expect(names).toEqual(['trunk.example', 'other.example'])
  })

  it('stops when it is aborted', async () => {
    const [one] = trunkFile([{ host: TRUNK, port: await freePort(TRUNK) }]).trunks
    if (!one) throw new Error('no trunk')
    expect(await checkTrunk(one, AbortSignal.abort(), { address: '127.0.0.1' })).toMatchObject({ ok: false })
  })
})
