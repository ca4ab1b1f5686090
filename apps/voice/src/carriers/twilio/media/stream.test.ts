import fc from 'fast-check'
import { virtualClock } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { FrameCutter, readMessage } from './messages.ts'
import { aStream, media } from '../testing-samples.ts'

const cutAll = (sizes: readonly number[], stepMs = 20) => {
  const cutter = new FrameCutter()
  let atMs = 137
  return sizes.flatMap((size) => {
    const cut = cutter.push(new Uint8Array(size), atMs, Infinity)
    atMs += size === 160 ? stepMs : size / 8
    return cut
  })
}

describe('the frames of a stream', () => {
  it('begin at 0 and go on by 20 ms, whatever timestamp and size their sound came with', () => {
    for (const sizes of [[160, 160, 160], [80, 80, 160, 160], [480], [40, 40, 240, 160]])
      expect(cutAll(sizes).map(({ mediaMs, audio }) => [mediaMs, audio.length])).toEqual([
        [0, 160],
        [20, 160],
        [40, 160],
      ])
  })

  it('skip what was lost by whole frames and take smaller steps for jitter', () => {
    const cutter = new FrameCutter()
    const times = [5, 25, 48, 62, 145, 165].flatMap((at) =>
      cutter.push(new Uint8Array(160), at, Infinity).map(({ mediaMs }) => mediaMs),
    )
    expect(times).toEqual([0, 20, 40, 60, 140, 160])
  })

  it('fill a frame with silence that a gap cut short', () => {
    const cutter = new FrameCutter()
    expect(cutter.push(new Uint8Array(80), 0, Infinity)).toEqual([])
    const [cut, next] = cutter.push(new Uint8Array(160), 100, Infinity)
    expect([cut?.mediaMs, cut?.audio[79], cut?.audio[80]]).toEqual([0, 0, 0xff])
    expect(next?.mediaMs).toBe(100)
  })

  it('never go back and stay whole, whatever timestamps and sizes come', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.option(fc.integer({ min: 0, max: 1e9 })))),
        (messages) => {
          const cutter = new FrameCutter()
          const frames = messages.flatMap(([size, at]) => cutter.push(new Uint8Array(size), at, 60_000))
          frames.forEach(({ mediaMs, audio }, index) => {
            expect(audio.length).toBe(160)
            expect(mediaMs % 20).toBe(0)
            expect(mediaMs).toBeGreaterThan(frames[index - 1]?.mediaMs ?? -1)
          })
        },
      ),
    )
  })
})

describe('a message of a stream', () => {
  it.each([
    ['no text', ''],
    ['no JSON', '{'],
    ['no object', 'null'],
    ['a list', '[]'],
    ['without a stream', '{"event":"media"}'],
    ['without media', JSON.stringify({ event: 'media', streamSid: 'MZ' })],
    ['not base64', JSON.stringify({ streamSid: 'MZ', ...media(0, 160, { payload: 'not base64!!' }) })],
    ['cut base64', JSON.stringify({ streamSid: 'MZ', ...media(0, 160, { payload: 'AAA' }) })],
    ['a number for sound', JSON.stringify({ streamSid: 'MZ', ...media(0, 160, { payload: 5 }) })],
    ['more than a second of sound', JSON.stringify({ streamSid: 'MZ', ...media(0, 12_000) })],
    ['our own sound', JSON.stringify({ streamSid: 'MZ', ...media(0, 160, { track: 'outbound' }) })],
    ['two digits', JSON.stringify({ event: 'dtmf', streamSid: 'MZ', dtmf: { digit: '12' } })],
    ['a mark without a name', JSON.stringify({ event: 'mark', streamSid: 'MZ', mark: {} })],
    ['no format', JSON.stringify({ event: 'start', streamSid: 'MZ', start: { accountSid: 'AC', callSid: 'CA' } })],
    ['unknown', JSON.stringify({ event: '__proto__', streamSid: 'MZ' })],
  ])('is refused: %s', (_, text) => {
    expect(readMessage(text)).toBeNull()
  })

  it('is read the same as Twilio writes it and with its fields in another order', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        fc.oneof(fc.nat().map(String), fc.constantFrom('', '-1', 'soon', '1e3', '9'.repeat(13))),
        fc.constantFrom('MZ1', '', 'MZ "quoted"'),
        fc.boolean(),
        (audio, timestamp, streamSid, isCut) => {
          const whole = Buffer.from(audio).toString('base64')
          const payload = isCut ? whole.slice(1) : whole
          const asWritten = `{"event":"media","sequenceNumber":"3","media":{"track":"inbound","chunk":"2","timestamp":"${timestamp}","payload":"${payload}"},"streamSid":${JSON.stringify(streamSid)}}`
          const sorted = { streamSid, media: { payload, timestamp, track: 'inbound' }, event: 'media' }
          expect(readMessage(asWritten)).toEqual(readMessage(JSON.stringify(sorted)))
        },
      ),
    )
  })

  it('is never a reason to throw', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readMessage(text)))
  })
})

describe('a media stream', () => {
  it('counts what is not its own and closes after 100 of it', () => {
    const { socket, counts, heard } = aStream(virtualClock())
    socket.starts()
    for (let count = 0; count < 99; count++) socket.says('not json')
    expect([counts.badMessages, socket.closed]).toEqual([99, false])
    socket.says({ ...media(0), streamSid: 'MZ-of-another' })
    expect([counts.badMessages, socket.closed]).toEqual([100, true])
    expect([heard.frames, heard.stopped]).toEqual([[], [false]])
    socket.says(media(20))
    expect(counts.badMessages).toBe(100)
  })

  it('refuses a start of another account and a second start', () => {
    const { socket, counts, stream } = aStream(virtualClock())
    socket.starts({ accountSid: `AC${'9'.repeat(32)}` })
    expect([stream.isUp, counts.badMessages]).toEqual([false, 1])
    socket.starts()
    socket.starts()
    expect([stream.isUp, counts.badMessages]).toEqual([true, 2])
  })

  it('closes a socket that does not start within 10 s', async () => {
    const clock = virtualClock()
    const { socket } = aStream(clock)
    await clock.advance(9999)
    expect(socket.closed).toBe(false)
    await clock.advance(1)
    expect(socket.closed).toBe(true)
  })

  it('drops frames that come faster than sound can be, and goes on after the flood', async () => {
    const clock = virtualClock()
    const { socket, counts, heard } = aStream(clock)
    socket.starts()
    for (let at = 0; at < 1000; at++) socket.says(media(at * 20))
    expect(heard.frames).toHaveLength(101)
    expect(counts.floodedFrames).toBe(899)
    await clock.advance(20_000)
    socket.says(media(20_000))
    expect(heard.frames.at(-1)).toBe(20_000)
  })

  it('does not believe a timestamp far ahead of its time', async () => {
    const clock = virtualClock()
    const { socket, heard } = aStream(clock)
    socket.starts()
    socket.says(media(0))
    socket.says(media('1e15'))
    socket.says(media(40))
    expect(heard.frames).toEqual([0, 20, 40])
  })

  it('takes no more digits than can be pressed', () => {
    const { socket, counts, heard } = aStream(virtualClock())
    socket.starts()
    for (let count = 0; count < 60; count++) socket.says({ event: 'dtmf', dtmf: { digit: '5' } })
    expect([heard.digits.length, counts.badMessages]).toEqual([50, 10])
  })

  it('sends nothing to a peer that does not read', () => {
    const { socket, stream } = aStream(virtualClock())
    socket.starts()
    expect(stream.media(new Uint8Array(160))).toBe(true)
    socket.unsentBytes = 200_000
    expect(stream.media(new Uint8Array(160))).toBe(false)
    expect(socket.events).toEqual(['media'])
  })

  it('tells a stop from a broken socket', () => {
    const first = aStream(virtualClock())
    first.socket.starts()
    first.socket.says({ event: 'stop', stop: {} })
    const second = aStream(virtualClock())
    second.socket.starts()
    second.socket.close()
    expect([first.heard.stopped, second.heard.stopped]).toEqual([[true], [false]])
  })
})
