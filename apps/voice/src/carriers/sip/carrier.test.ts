import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { systemClock } from '@parley/voice-ports'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { SipCarrier } from './index.ts'
import { serialise } from './signalling/message.ts'
import { fakeMedia } from './testing/fake-media.ts'
import { CORPUS, parsed } from './testing/messages.ts'
import { lossyRelay } from './testing/relay.ts'
import { trunkFile } from './testing/trunk.ts'

const US = '127.0.0.41'
const TRUNK = '127.0.0.42'
const ends: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function open(fields: Readonly<Record<string, unknown>> = {}): Promise<SipCarrier> {
  const file = trunkFile([{ host: TRUNK, port: 5060, ...fields }], { address: US, port: 0 })
  const carrier = await SipCarrier.open({ file, clock: systemClock(), openMedia: fakeMedia().openMedia })
  ends.push(() => carrier.close())
  return carrier
}

/** A far end that says anything, and keeps the first lines of what it hears. */
async function speaker(address: string) {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => void socket.bind({ address, port: 0 }, resolve))
  ends.push(() => void socket.close())
  const lines: string[] = []
  socket.on('message', (bytes) => void lines.push(bytes.toString().split('\r\n', 1)[0] ?? ''))
  return {
    lines,
    say: (carrier: SipCarrier, bytes: Uint8Array) =>
      new Promise<void>((resolve) => socket.send(bytes, carrier.port, US, () => resolve())),
  }
}

const message = (method: string, branch = 'z9hG4bK1', more = ''): Buffer =>
  Buffer.from(
    `${method} sip:parley@${US} SIP/2.0\r\nVia: SIP/2.0/UDP ${TRUNK};branch=${branch};rport\r\n` +
      `From: <sip:a@${TRUNK}>;tag=1\r\nTo: <sip:parley@${US}>${more}\r\nCall-ID: x\r\nCSeq: 1 ${method}\r\n` +
      'Content-Length: 0\r\n\r\n',
  )

describe('SIP carrier towards the network', () => {
  it.each([
    ['OPTIONS', '', 'SIP/2.0 200 OK'],
    ['INVITE', '', 'SIP/2.0 403 Takes No Calls'],
    ['REGISTER', '', 'SIP/2.0 405 Method Not Allowed'],
    ['SUBSCRIBE', '', 'SIP/2.0 405 Method Not Allowed'],
    ['FLY', '', 'SIP/2.0 501 Not Implemented'],
    ['BYE', ';tag=unknown', 'SIP/2.0 481 Call/Transaction Does Not Exist'],
    ['INVITE', ';tag=unknown', 'SIP/2.0 481 Call/Transaction Does Not Exist'],
    ['CANCEL', '', 'SIP/2.0 481 Call/Transaction Does Not Exist'],
  ])('answers %s%s of a trunk', async (method, tag, line) => {
    const carrier = await open()
    const trunk = await speaker(TRUNK)
    await trunk.say(carrier, message(method, 'z9hG4bK1', tag))
    await expect.poll(() => trunk.lines).toContain(line)
  })

  it('drops and counts what comes from elsewhere, and answers nothing', async () => {
    const carrier = await open()
    const stranger = await speaker('127.0.0.66')
    const trunk = await speaker(TRUNK)
    for (let at = 0; at < 20; at++) await stranger.say(carrier, message('OPTIONS', `z9hG4bK${at}`))
    await trunk.say(carrier, message('OPTIONS'))
    await expect.poll(() => trunk.lines).toHaveLength(1)
    expect(carrier.counts).toMatchObject({ foreign: 20, received: 1 })
    expect(stranger.lines).toEqual([])
  })

  it('listens to further addresses of the trunk', async () => {
    const carrier = await open({ sources: ['127.0.0.64/30'] })
    const inside = await speaker('127.0.0.66')
    await inside.say(carrier, message('OPTIONS'))
    await expect.poll(() => inside.lines).toEqual(['SIP/2.0 200 OK'])
  })

  it('refuses TCP connections from elsewhere', async () => {
    const carrier = await open({ transport: 'tcp' })
    const socket = connect({ host: US, port: carrier.port, localAddress: '127.0.0.66' })
    await new Promise<void>((resolve) => void socket.once('close', () => resolve()).on('error', () => undefined))
    expect(carrier.counts.foreign).toBe(1)
  })

  it('answers over a TCP connection that the trunk opened, and closes one that speaks no SIP', async () => {
    const carrier = await open({ transport: 'tcp' })
    const talk = async (bytes: Buffer) => {
      const socket = connect({ host: US, port: carrier.port, localAddress: TRUNK })
      ends.push(() => void socket.destroy())
      let said = ''
      let closed = false
      socket.on('data', (chunk: Buffer) => {
        said += chunk.toString()
      })
      socket.on('close', () => {
        closed = true
      })
      socket.write(bytes)
      await expect.poll(() => said !== '' || closed).toBe(true)
      return said
    }
    expect(await talk(message('OPTIONS'))).toContain('SIP/2.0 200 OK')
    expect(await talk(Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))).toBe('')
    expect(carrier.counts.malformed).toBe(1)
  })

  it('survives 3000 hostile datagrams of a trunk without a fault, and still answers', async () => {
    const carrier = await open()
    const trunk = await speaker(TRUNK)
    const samples = fc.sample(
      fc.tuple(fc.constantFrom(...CORPUS.keys()), fc.nat(1500), fc.nat(30), fc.uint8Array({ maxLength: 12 })),
      { numRuns: 3000, seed: 1 },
    )
    for (const [which, at, cut, insert] of samples) {
      const bytes = CORPUS[which]!
      const place = at % bytes.length
      await trunk.say(carrier, Buffer.concat([bytes.subarray(0, place), insert, bytes.subarray(place + cut)]))
    }
    // Repeated, as far ends do: the flood may have filled the socket.
    const asked = async () => {
      await trunk.say(carrier, message('OPTIONS', 'z9hG4bKlast'))
      return trunk.lines
    }
    await expect.poll(asked).toContain('SIP/2.0 200 OK')
    expect(carrier.counts.faults).toBe(0)
    expect(carrier.counts.malformed).toBeGreaterThan(100)
    expect(carrier.counts.stray).toBeGreaterThan(0)
  })

  it('registers, refreshes, takes the longer interval of a 423, and signs off when it closes', async () => {
    const registrar = await registrarAt('127.0.0.43')
    const trunk = { host: '127.0.0.43', port: registrar.port, username: 'parley', password: 's', register: true }
    const file = trunkFile([trunk], { address: US, port: 0 })
    const clock = systemClock(400)
    const carrier = await SipCarrier.open({ file, clock, openMedia: fakeMedia().openMedia })
    await expect.poll(() => carrier.trunks[0]?.registered).toBe(true)
    await expect.poll(() => registrar.expires.filter((one) => one === '900').length).toBeGreaterThan(1)
    await carrier.close()
    expect(registrar.expires[0]).toBe('600')
    expect(registrar.expires.at(-1)).toBe('0')
  })

  it('knows that a trunk is gone and that it is back (OPTIONS)', async () => {
    const registrar = await registrarAt('127.0.0.43')
    const relay = await lossyRelay('127.0.0.44', '127.0.0.43', registrar.port, Array(11).fill('OPTIONS'))
    ends.push(relay.close)
    const file = trunkFile([{ host: '127.0.0.44', port: relay.port, health: true }], { address: US, port: 0 })
    const carrier = await SipCarrier.open({ file, clock: systemClock(50), openMedia: fakeMedia().openMedia })
    ends.push(() => carrier.close())
    await expect.poll(() => carrier.trunks[0]?.up).toBe(false)
    await expect.poll(() => carrier.trunks[0]?.up).toBe(true)
  })
})

/** Takes OPTIONS and REGISTER; the first REGISTER is too brief. */
async function registrarAt(address: string) {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => void socket.bind({ address, port: 0 }, resolve))
  ends.push(() => void socket.close())
  const expires: string[] = []
  socket.on('message', (bytes, from) => {
    const { message: request } = parsed(bytes)
    if (request.type !== 'request') return
    const asked = request.headers.get('expires') ?? ''
    if (request.method === 'REGISTER') expires.push(asked)
    const tooBrief = request.method === 'REGISTER' && asked === '600'
    const headers = request.headers.copy()
    if (tooBrief) headers.add('min-expires', '900')
    const status = tooBrief ? { status: 423, reason: 'Interval Too Brief' } : { status: 200, reason: 'OK' }
    socket.send(serialise({ type: 'response', ...status, headers, body: '' }), from.port, from.address)
  })
  return { port: socket.address().port, expires }
}
