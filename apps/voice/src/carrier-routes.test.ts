import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { CarrierStanding } from '@parley/contract'
import type { Carrier, CarrierHost } from '@parley/voice-ports'
import { SANDBOX } from '@parley/sandbox'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type App, createApp } from './app.ts'
import { readConfig } from './config.ts'
import { createContext } from './context.ts'
import { noJournal } from './journal.ts'
import { quietLog, steadyMouth } from './session/testing/fakes.ts'

const SECRET = 'a secret of some length'
const VENDOR_KEY = 'the key that carrier and vendor share'
const PUBLIC_URL = 'https://voice-1.example.com/parley'
const sign = (text: string) => createHmac('sha1', VENDOR_KEY).update(text).digest('base64')

/** A carrier with a callback whose signature covers URL and body, and with a media socket for each leg. */
function testCarrier() {
  const got: {
    forms: Record<string, string>[]
    messages: (string | Buffer)[]
    closed: number
    host: CarrierHost | null
  } = { forms: [], messages: [], closed: 0, host: null }
  const hungUp: string[] = []
  const carrier: Carrier = {
    name: 'test',
    dial: () => {
      throw new Error('Nobody dials.')
    },
    ask: (id) => {
      if (id === 'unreachable') return Promise.reject(new Error('503'))
      if (id === 'live/1') return Promise.resolve({ state: 'live', connectedMs: 1500 })
      return Promise.resolve(null)
    },
    hangUp: (id) => {
      if (id === 'unreachable') return Promise.reject(new Error('503'))
      return Promise.resolve(void hungUp.push(id))
    },
    mount(host) {
      got.host = host
      host.route('POST', '/vendor/status/:call', (request) => {
        if (request.headers['x-signature'] !== sign(request.rawUrl + request.body.toString())) return { status: 403 }
        got.forms.push(Object.fromEntries(request.form()))
        return { status: 200, type: 'text/xml', body: '<Response/>' }
      })
    },
    close: () => Promise.resolve(),
  }
  const media = (token: string = randomUUID()) => {
    const path = `/vendor/media/${token}`
    const withdraw = got.host?.socket(path, (socket) => {
      socket.onMessage((message) => {
        got.messages.push(message)
        socket.send(`heard ${String(message)}`)
      })
      socket.onClose(() => got.closed++)
    })
    return { path, withdraw: () => withdraw?.() }
  }
  return { carrier, got, hungUp, media }
}

let app: App | undefined
let url: string
afterEach(async () => {
  await app?.server.close()
})

async function start(carrier: Carrier, environment: Record<string, string> = { PUBLIC_VOICE_URL: `${PUBLIC_URL}/` }) {
  const config = readConfig({ VOICE_SECRET: SECRET, ...environment })
  const parts = { sandbox: SANDBOX, log: quietLog(), mouth: steadyMouth, journal: noJournal }
  app = createApp(await createContext(config, { ...parts, carrier }))
  url = await app.server.listen({ host: '127.0.0.1', port: 0 })
}

const callBack = (path: string, body: string, signature = sign(`${PUBLIC_URL}${path}${body}`)) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', 'x-signature': signature },
    body,
  })

/** The status that refused the socket, or the open socket. */
async function connect(path: string): Promise<number | WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`)
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket))
    socket.once('unexpected-response', (_, reply) => resolve(reply.statusCode ?? 0))
    socket.once('error', reject)
  })
}

describe("a carrier's own route", () => {
  it('gets the URL as the vendor called it and the body as it was sent', async () => {
    const { carrier, got } = testCarrier()
    await start(carrier)
    const reply = await callBack('/vendor/status/1?a=b%20c', 'CallStatus=completed&CallDuration=7&To=%2B1212')
    expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([
      200,
      'text/xml',
      '<Response/>',
    ])
    expect(got.forms).toEqual([{ CallStatus: 'completed', CallDuration: '7', To: '+1212' }])
  })

  it('can refuse a signature, and takes no body above 64 KB', async () => {
    const { carrier, got } = testCarrier()
    await start(carrier)
    expect((await callBack('/vendor/status/1', 'a=b', 'forged')).status).toBe(403)
    expect((await callBack('/vendor/status/1', `a=${'b'.repeat(70_000)}`)).status).toBe(413)
    expect(got.forms).toEqual([])
  })

  it('does not change how the routes of the api read their bodies', async () => {
    await start(testCarrier().carrier)
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${SECRET}` }
    const reply = await fetch(`${url}/v1/calls`, { method: 'POST', headers, body: '{"callId":' })
    expect(reply.status).toBe(400)
  })
})

describe("a carrier's socket", () => {
  it('opens once with its token, whatever the query, and carries messages both ways', async () => {
    const { carrier, got, media } = testCarrier()
    await start(carrier)
    const { path } = media()
    const socket = await connect(`${path}?ignored=1`)
    if (!(socket instanceof WebSocket)) throw new Error(`refused with ${socket}`)
    socket.send('{"event":"start"}')
    const [said] = await once(socket, 'message')
    expect([String(said), got.messages]).toEqual(['heard {"event":"start"}', ['{"event":"start"}']])
    socket.send(Buffer.from([1, 2]))
    await once(socket, 'message')
    expect(got.messages[1]).toEqual(Buffer.from([1, 2]))
    expect(await connect(path)).toBe(404)
    socket.close()
    await expect.poll(() => got.closed).toBe(1)
  })

  it('sends in one write what it was given at once', async () => {
    const { carrier, got } = testCarrier()
    await start(carrier)
    const path = `/vendor/media/${randomUUID()}`
    const unsent: number[] = []
    got.host?.socket(path, (socket) =>
      socket.onMessage(() => {
        for (const text of ['one', 'two', 'three']) socket.send(text)
        unsent.push(socket.unsentBytes)
        setImmediate(() => unsent.push(socket.unsentBytes))
      }),
    )
    const socket = await connect(path)
    if (!(socket instanceof WebSocket)) throw new Error(`refused with ${socket}`)
    const said: string[] = []
    socket.on('message', (data: Buffer) => said.push(data.toString()))
    socket.send('go on')
    await expect.poll(() => said).toEqual(['one', 'two', 'three'])
    // Each message has two bytes of its own before it.
    await expect.poll(() => unsent).toEqual(['onetwothree'.length + 3 * 2, 0])
    socket.close()
  })

  it('is refused with an unknown or a withdrawn token', async () => {
    const { carrier, media } = testCarrier()
    await start(carrier)
    expect(await connect(`/vendor/media/${randomUUID()}`)).toBe(404)
    const { path, withdraw } = media()
    withdraw()
    expect(await connect(path)).toBe(404)
  })

  it('needs a token of at least 16 characters in its path', async () => {
    const { carrier, media } = testCarrier()
    await start(carrier)
    expect(() => media('short')).toThrow('at least 16 characters')
  })

  it('knows no public URL where none is configured', async () => {
    const { carrier, got } = testCarrier()
    await start(carrier, {})
    expect(got.host?.publicUrl).toBeNull()
  })
})

describe('what the api asks the carrier', () => {
  const ask = (path: string, method = 'GET', secret = SECRET) =>
    fetch(`${url}/v1/carrier/${path}`, { method, headers: { authorization: `Bearer ${secret}` } })

  it('is answered with the standing of a call, 404 without one and 503 when the carrier fails', async () => {
    await start(testCarrier().carrier)
    const reply = await ask('live%2F1')
    expect(CarrierStanding.parse(await reply.json())).toEqual({ state: 'live', connectedMs: 1500 })
    expect((await ask('no-such-call')).status).toBe(404)
    expect((await ask('unreachable')).status).toBe(503)
    expect((await ask('x'.repeat(201))).status).toBe(404)
  })

  it('hangs up by id', async () => {
    const { carrier, hungUp } = testCarrier()
    await start(carrier)
    expect((await ask('live%2F1/hang-up', 'POST')).status).toBe(202)
    expect((await ask('unreachable/hang-up', 'POST')).status).toBe(503)
    expect(hungUp).toEqual(['live/1'])
  })

  it('needs the shared secret', async () => {
    await start(testCarrier().carrier)
    expect((await ask('live%2F1', 'GET', 'another')).status).toBe(401)
    expect((await ask('live%2F1/hang-up', 'POST', 'another')).status).toBe(401)
  })
})
