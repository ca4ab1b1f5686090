import { Buffer } from 'node:buffer'
import { createToneDetector, FRAME_BYTES, SILENCE_BYTE } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { DigitReceiver } from '../playout/digits-in.ts'
import { emptyHeader, readHeader } from '../rtp/packet.ts'
import { Negotiation } from '../sdp/negotiation.ts'
import { random } from '../testing/sound.ts'
import { Player } from './player.ts'
import { RtpSender } from './rtp-sender.ts'

const EVENTS = 101
const ANSWER = 'v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio 5000 RTP/AVP 0 101\r\n'

function leg(attributes = 'a=rtpmap:101 telephone-event/8000\r\n') {
  const log: string[] = []
  const packets: { readonly header: ReturnType<typeof emptyHeader>; readonly payload: Buffer }[] = []
  const sender = new RtpSender((packet) => {
    const header = emptyHeader()
    readHeader(packet, packet.length, header)
    const payload = Buffer.from(packet.subarray(12))
    packets.push({ header, payload })
    log.push(header.payloadType === EVENTS ? `e${payload[0]}` : `${payload[0]}`)
  })
  const local = { address: '127.0.0.1', port: 1, rtcpPort: 2, codecs: ['pcmu'] as const, srtp: 'off' as const }
  sender.use(new Negotiation(local).accept(ANSWER + attributes))
  const player = new Player(sender, (name) => void log.push(name))
  const ticks = (count: number) => {
    for (let i = 0; i < count; i++) player.tick()
  }
  return { log, packets, player, sender, ticks }
}

const frame = (code: number) => ({ audio: new Uint8Array(FRAME_BYTES).fill(code) })

describe('Player', () => {
  it('sends a frame every 20 ms, silence where there is none, and marks the beginning of words', () => {
    const { player, ticks, packets } = leg()
    ticks(2)
    player.send(frame(1))
    player.send(frame(2))
    ticks(3)
    player.send(frame(3))
    ticks(1)
    expect(packets.map(({ payload }) => payload[0])).toEqual([SILENCE_BYTE, SILENCE_BYTE, 1, 2, SILENCE_BYTE, 3])
    expect(packets.map(({ header }) => header.marker)).toEqual([false, false, true, false, false, true])
    const [first, ...rest] = packets.map(({ header }) => header)
    rest.forEach((header, i) => {
      expect(header.sequence).toBe((first!.sequence + i + 1) & 0xffff)
      expect(header.timestamp).toBe((first!.timestamp + (i + 1) * 160) >>> 0)
    })
  })

  it('tells a mark when the frame before it has left, and one without a frame at the next tick', () => {
    const { player, ticks, log } = leg()
    player.mark('first')
    player.send(frame(1))
    player.mark('second')
    player.mark('third')
    player.send(frame(2))
    expect(log).toEqual([])
    ticks(1)
    expect(log).toEqual(['first', '1', 'second', 'third'])
    ticks(1)
    expect(log.at(-1)).toBe('2')
  })

  it('drops frames and marks at clear(), and no digits', () => {
    const { player, ticks, log } = leg()
    player.send(frame(1))
    player.mark('never')
    player.sendDigits('7')
    player.send(frame(2))
    player.clear()
    player.mark('after')
    ticks(20)
    expect(log.filter((entry) => entry === '1' || entry === '2' || entry === 'never')).toEqual([])
    expect(log.slice(0, 3)).toEqual(['e7', 'e7', 'e7'])
    expect(log.indexOf('after')).toBeGreaterThan(log.lastIndexOf('e7'))
  })

  it('sends a digit in its place: start three times, growing duration, end three times', () => {
    const { player, ticks, packets, log } = leg()
    player.send(frame(1))
    player.sendDigits('5')
    player.send(frame(2))
    ticks(13)
    const events = packets.filter(({ header }) => header.payloadType === EVENTS)
    const seen = events.map(({ payload }) => [payload.readUInt8(1) >> 7, payload.readUInt16BE(2)])
    expect(seen).toEqual([
      ...[160, 160, 160, 320, 480, 640, 800].map((duration) => [0, duration]),
      ...[960, 960, 960].map((duration) => [1, duration]),
    ])
    expect(events.map(({ header }) => header.marker)).toEqual([true, ...Array<boolean>(9).fill(false)])
    expect(new Set(events.map(({ header }) => header.timestamp)).size).toBe(1)
    expect([log[0], log.at(-1)]).toEqual(['1', '2'])
  })

  it('waits half a second for w and a second for W', () => {
    const { player, ticks, log } = leg()
    player.sendDigits('1wW2')
    ticks(11 + 75)
    expect(log).not.toContain('e2')
    ticks(1)
    expect(log).toContain('e2')
  })

  it('does nothing with anything but digits, nor with more than it may hold', () => {
    const { player, ticks, log } = leg()
    for (const digits of ['12a', '', '1,2', '5'.repeat(257)]) player.sendDigits(digits)
    ticks(20)
    expect(log.every((entry) => entry === `${SILENCE_BYTE}`)).toBe(true)
  })

  it('lets each digit be heard once when a third of the packets is lost', () => {
    const { player, ticks, packets } = leg()
    player.sendDigits('0123456789*#0055')
    ticks(16 * 11)
    const next = random(11)
    const receiver = new DigitReceiver()
    const heard = packets
      .filter(({ header }) => header.payloadType === EVENTS && next() > 0.33)
      .map(({ header, payload }) => receiver.take(header.timestamp, header.marker, payload, 0, 4)?.digit ?? '')
    expect(heard.join('')).toBe('0123456789*#0055')
  })

  it('plays digits as tones when the far end takes no events', () => {
    const { player, ticks, packets } = leg('')
    player.sendDigits('159#')
    ticks(50)
    expect(packets.every(({ header }) => header.payloadType === 0)).toBe(true)
    const detector = createToneDetector(['digits'])
    const heard = packets.flatMap(({ payload }) => detector.push(payload))
    expect(heard.map((event) => (event.type === 'digit' ? event.digit : event.type))).toEqual(['1', '5', '9', '#'])
  })

  it('sends nothing on hold, and passes marks in the same time', () => {
    const { player, ticks, log, packets } = leg('a=sendonly\r\n')
    player.send(frame(1))
    player.mark('passed')
    ticks(1)
    expect([packets.length, log]).toEqual([0, ['passed']])
  })

  it('drops the oldest beyond 30 s', () => {
    const { player, ticks, log } = leg()
    for (let i = 0; i < 1502; i++) player.send(frame(i & 0x7f))
    ticks(1)
    expect([player.dropped, log[0]]).toEqual([2, '2'])
  })
})
