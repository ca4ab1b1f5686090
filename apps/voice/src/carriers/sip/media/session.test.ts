import type { Buffer } from 'node:buffer'
import { createSocket } from 'node:dgram'
import { FRAME_BYTES, SILENCE_BYTE } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { MediaError } from './index.ts'
import {
  after,
  clock,
  connect,
  connectOver,
  moved,
  openLeg,
  openUdp,
  placeOf,
  play,
  undisturbed,
} from './testing/legs.ts'
import { likeness, packetOf, random, speechLike } from './testing/sound.ts'

// Longer than 20 s: seconds of sound at the speed of speech in each codec, with loss and jitter.

const VOICE = speechLike(2000, 4)
const OTHER = speechLike(2000, 17)

/** One frame for every 20 ms since then; a process that was kept waiting catches up. */
async function keepsPace(count: () => number, sinceMs: number): Promise<void> {
  await expect
    .poll(() => Math.abs(count() - (clock.nowMs() - sinceMs) / 20), { timeout: 40_000 })
    .toBeLessThanOrEqual(2)
}

describe('two legs on loopback', () => {
  it.each([
    ['mu-law', { codecs: ['pcmu'] }],
    ['A-law', { codecs: ['pcma'] }],
    ['SRTP', { srtp: 'required' }],
  ] as const)('hear each other over %s', async (_, options) => {
    const a = await openLeg('127.0.0.11', options)
    const b = await openLeg('127.0.0.12', options)
    connect(a, b)
    await Promise.all([play(VOICE, a), play(OTHER, b)])
    await after(500)
    expect(likeness(VOICE, b.heard(), 2000)).toBeGreaterThan(0.9)
    expect(likeness(OTHER, a.heard(), 2000)).toBeGreaterThan(0.9)
    expect(likeness(OTHER, b.heard(), 2000)).toBeLessThan(0.7)
    expect(b.session.stats.discarded).toMatchObject({ malformed: 0, wrongSource: 0, replayed: 0, unauthenticated: 0 })
    expect(b.session.stats.received.packets).toBeGreaterThan(100)
  })

  it('deliver a frame for every 20 ms, from media time 0, before the first packet and without any', async () => {
    const a = await openLeg('127.0.0.11')
    a.session.accept(moved(a.session.offer(), { address: '127.0.0.99', port: 9 }))
    const startedMs = clock.nowMs()
    await after(1000)
    await keepsPace(() => a.frames().length, startedMs)
    const frames = a.frames()
    expect(frames.map(({ mediaMs }) => mediaMs)).toEqual(frames.map((_, i) => i * 20))
    expect(frames.every(({ frame }) => frame.audio.length === FRAME_BYTES)).toBe(true)
    a.session.close()
    const count = a.events.length
    a.session.send({ audio: VOICE.subarray(0, 160) })
    a.session.close()
    await after(100)
    expect(a.events.length).toBe(count)
  })

  it('hear each other through 5 % of loss and 40 ms of jitter, with a frame for every 20 ms', () =>
    undisturbed(async () => {
      const next = random(42)
      const a = await openLeg('127.0.0.11')
      const b = await openLeg('127.0.0.12')
      await connectOver(a, b, () => (next() < 0.05 ? [] : [40 * next()]))
      const long = speechLike(3000, 4)
      const framesBefore = b.frames().length
      const startedMs = clock.nowMs()
      await play(long, a)
      await after(500)
      await keepsPace(() => b.frames().length - framesBefore, startedMs)
      expect(likeness(long, b.heard(), 2000)).toBeGreaterThan(0.85)
      const { lost, concealed, sourceChanges } = b.session.stats
      expect([lost > 0, concealed > 0, sourceChanges]).toEqual([true, true, 0])
    }))

  it('hear digits once each when a quarter of the packets is lost and some come twice', async () => {
    const next = random(7)
    const a = await openLeg('127.0.0.11', { srtp: 'sdes' })
    const b = await openLeg('127.0.0.12', { srtp: 'sdes' })
    await connectOver(a, b, () => (next() < 0.25 ? [] : next() < 0.2 ? [5, 15] : [5]))
    await after(200)
    a.session.sendDigits('4711#00*')
    a.session.mark('dialed')
    await expect.poll(() => a.events.some((event) => event.type === 'mark')).toBe(true)
    await expect.poll(() => b.digits()).toBe('4711#00*')
    expect(b.session.stats.discarded.replayed).toBeGreaterThan(0)
  })

  it('hear tones as digits when the far end takes no events', async () => {
    const a = await openLeg('127.0.0.11')
    const b = await openLeg('127.0.0.12')
    const withoutEvents = (sdp: string) => sdp.replace(/ 101\r/, '\r').replaceAll(/a=(rtpmap|fmtp):101.*\r\n/g, '')
    a.session.accept(withoutEvents(b.session.answer(withoutEvents(a.session.offer()))))
    a.session.sendDigits('159')
    await expect.poll(() => b.digits()).toBe('159')
  })

  it('time a packet by when it arrived, which the clock may not have reached after a stall', async () => {
    let packets = 0
    const arrivalMs = () => clock.nowMs() + (packets++ % 2) * 40
    const a = await openLeg('127.0.0.11')
    const b = await openLeg('127.0.0.12', { clock: { ...clock, arrivalMs } })
    connect(a, b)
    await play(VOICE, a)
    await after(200)
    expect(b.session.stats.jitterMs).toBeGreaterThan(20)
  })

  it('report loss and the way there and back to each other', async () => {
    const a = await openLeg('127.0.0.11', { srtp: 'sdes' })
    const b = await openLeg('127.0.0.12', { srtp: 'sdes' })
    connect(a, b)
    await expect.poll(() => a.session.stats.rttMs ?? b.session.stats.rttMs, { timeout: 40_000 }).not.toBeNull()
    const rttMs = a.session.stats.rttMs ?? b.session.stats.rttMs ?? -1
    expect(rttMs).toBeGreaterThanOrEqual(0)
    expect(rttMs).toBeLessThan(1000)
    expect(a.session.stats.discarded.malformed + b.session.stats.discarded.malformed).toBe(0)
  })

  it('fall silent on hold and speak again after it', async () => {
    const a = await openLeg('127.0.0.11')
    const b = await openLeg('127.0.0.12')
    connect(a, b)
    await after(200)
    const held = b.session.answer(a.session.offer().replace('a=sendrecv', 'a=inactive'))
    expect(held).toContain('a=inactive')
    const { packets } = b.session.stats.sent
    b.session.send({ audio: VOICE.subarray(0, 160) })
    b.session.mark('to nobody')
    await expect.poll(() => b.events.some((event) => event.type === 'mark')).toBe(true)
    expect(b.session.stats.sent.packets).toBe(packets)
    connect(a, b)
    await expect.poll(() => b.session.stats.sent.packets).toBeGreaterThan(packets)
  })
})

/** A far end made by hand: its packets are what the test says. */
async function byHand(changes: Parameters<typeof openLeg>[1] = {}) {
  const far = await openUdp('127.0.0.21')
  const leg = await openLeg('127.0.0.11', changes)
  const to = placeOf(leg.session.offer())
  const accept = (sdp = `v=0\r\nc=IN IP4 127.0.0.21\r\nm=audio ${far.address().port} RTP/AVP 0\r\n`) =>
    leg.session.accept(sdp)
  const send = (packet: Uint8Array, from = far) => from.send(packet, to.port, to.address)
  return { leg, far, accept, send, to }
}

describe('one leg and its network', () => {
  it('drops packets until the far end is known, then those of strangers, and counts both', async () => {
    const { leg, accept, send } = await byHand()
    const stranger = await openUdp('127.0.0.22')
    send(packetOf({ sequence: 1, timestamp: 0 }))
    await expect.poll(() => leg.session.stats.discarded.early).toBe(1)
    accept()
    send(packetOf({ sequence: 2, timestamp: 160 }))
    await expect.poll(() => leg.session.stats.received.packets).toBe(1)
    for (let i = 0; i < 5; i++) send(packetOf({ sequence: 3 + i, timestamp: 320 + i * 160 }), stranger)
    await expect.poll(() => leg.session.stats.discarded.wrongSource).toBe(5)
    expect(leg.session.stats.received.packets).toBe(1)
  })

  it('sends to where the far end really is when its SDP says otherwise', async () => {
    const { leg, accept, send, far } = await byHand()
    let arrived = 0
    far.on('message', () => void arrived++)
    accept('v=0\r\nc=IN IP4 127.0.0.98\r\nm=audio 9 RTP/AVP 0\r\n')
    for (let i = 0; i < 3; i++) send(packetOf({ sequence: 1 + i, timestamp: i * 160 }))
    await expect.poll(() => arrived).toBeGreaterThan(5)
    expect(leg.session.stats).toMatchObject({ sourceChanges: 1, discarded: { wrongSource: 1 } })
  })

  it('delivers a frame for every 20 ms while the far end sends only what is said', async () => {
    const { leg, accept, send } = await byHand()
    accept()
    const framesBefore = leg.frames().length
    const startedMs = clock.nowMs()
    for (let i = 0; i < 100; i++) {
      const isSaid = i % 50 < 25
      const payload = VOICE.subarray((i % 25) * FRAME_BYTES, ((i % 25) + 1) * FRAME_BYTES)
      const sequence = (i % 50) + (i < 50 ? 0 : 25)
      if (isSaid) send(packetOf({ sequence, timestamp: i * 160, payload, marker: i % 50 === 0 }))
      await after(20)
    }
    await keepsPace(() => leg.frames().length - framesBefore, startedMs)
    expect(leg.session.stats).toMatchObject({ received: { packets: 50 }, lost: 0 })
    // Of fifty frames that were not said; a machine that is late conceals some.
    expect(leg.session.stats.concealed).toBeLessThan(40)
  })

  it('reports to the port that the far end names, and says BYE there at the end', async () => {
    const { leg, accept, far } = await byHand()
    const control = await openUdp('127.0.0.21')
    const received: Buffer[] = []
    control.on('message', (packet) => void received.push(packet))
    const media = `m=audio ${far.address().port} RTP/AVP 0\r\na=rtcp:${control.address().port}\r\n`
    accept(`v=0\r\nc=IN IP4 127.0.0.21\r\n${media}`)
    await expect.poll(() => leg.session.stats.sent.packets).toBeGreaterThan(0)
    leg.session.close()
    await expect.poll(() => received.length).toBeGreaterThan(0)
    const last = received.at(-1)
    expect([last?.readUInt8(1), last?.readUInt8(last.length - 7)]).toEqual([200, 203])
  })

  it('goes on with another stream of the far end after its second packet', async () => {
    const { leg, accept, send } = await byHand({ jitterMs: 20 })
    accept()
    const loud = new Uint8Array(FRAME_BYTES).map((_, i) => (i % 16 < 8 ? 0x90 : 0x10))
    for (let i = 0; i < 60; i++) {
      const isNew = i >= 30
      const timestamp = isNew ? 2_000_000_000 + i * 160 : i * 160
      const payload = isNew ? loud : new Uint8Array(FRAME_BYTES).fill(SILENCE_BYTE)
      send(packetOf({ sequence: isNew ? 60_000 + i : i, timestamp, payload, ssrc: isNew ? 2 : 1 }))
      await after(20)
    }
    await after(100)
    expect(leg.session.stats.received.packets).toBe(59)
    const heard = leg.frames().filter(({ frame }) => frame.audio.filter((code) => (code & 0x7f) === 0x10).length > 140)
    expect(heard.length).toBeGreaterThan(10)
    expect(leg.session.stats.lost).toBe(0)
  })

  it('survives any datagram, and counts what it did not take', async () => {
    const { leg, accept, send } = await byHand()
    accept()
    const next = random(3)
    const good = packetOf({ sequence: 1, timestamp: 0 })
    const junk = Array.from({ length: 300 }, (_, n) => {
      const bytes = n % 2 ? good.subarray(0, Math.floor(next() * good.length)) : good
      return bytes.map((byte) => (next() < 0.05 ? Math.floor(next() * 256) : byte))
    })
    for (const packet of junk) {
      send(packet)
      await new Promise((resolve) => void setImmediate(resolve))
    }
    const taken = () => {
      const { discarded, received } = leg.session.stats
      return discarded.malformed + discarded.replayed + discarded.wrongSource + received.packets
    }
    await expect.poll(taken).toBeGreaterThan(280)
    expect(leg.session.stats.discarded.malformed).toBeGreaterThan(20)
    const count = leg.frames().length
    await expect.poll(() => leg.frames().length).toBeGreaterThan(count + 5)
    expect(leg.events.every((event) => event.type !== 'failed')).toBe(true)
  })

  it('drops and counts packets that are not protected with the agreed key', async () => {
    const a = await openLeg('127.0.0.11', { srtp: 'required' })
    const b = await openLeg('127.0.0.12', { srtp: 'required' })
    const answer = b.session.answer(a.session.offer())
    a.session.accept(answer.replace(/inline:..../, 'inline:AAAA'))
    await expect.poll(() => a.session.stats.discarded.unauthenticated).toBeGreaterThan(5)
    expect(a.session.stats.received.packets).toBe(0)
  })
})

describe('openRtp', () => {
  it('takes even ports of its range and says clearly when none is free', async () => {
    const ports = { first: 41_001, last: 41_005 }
    const opened = await Promise.all([openLeg('127.0.0.31', { ports }), openLeg('127.0.0.31', { ports })])
    expect(new Set(opened.map(({ session }) => placeOf(session.offer()).port))).toEqual(new Set([41_002, 41_004]))
    await expect(openLeg('127.0.0.31', { ports })).rejects.toThrow(
      new MediaError('No pair of RTP ports is free in 41001–41005 on 127.0.0.31; widen the range or take fewer calls.'),
    )
    opened[0]?.session.close()
    await expect
      .poll(() =>
        openLeg('127.0.0.31', { ports }).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
  })

  it('passes over a pair of which one port is taken', async () => {
    const taken = createSocket('udp4')
    await new Promise<void>((resolve) => void taken.bind(41_011, '127.0.0.31', resolve))
    const { session } = await openLeg('127.0.0.31', { ports: { first: 41_010, last: 41_013 } })
    taken.close()
    expect(placeOf(session.offer()).port).toBe(41_012)
  })

  it.each([
    ['an address that is not ours', '203.0.113.9', {}, 'RTP cannot listen on 203.0.113.9: EADDRNOTAVAIL.'],
    [
      'a range without a pair',
      '127.0.0.31',
      { ports: { first: 5000, last: 5000 } },
      'The range of RTP ports 5000–5000 holds no pair between 1024 and 65535.',
    ],
  ])('refuses %s', async (_, address, changes, message) => {
    await expect(openLeg(address, changes)).rejects.toThrow(new MediaError(message))
  })
})
