import { type Clock, levelDbm0, sines } from '@parley/voice-ports'
import twilio from 'twilio'
import { describe, expect, it } from 'vitest'
import type { FarParty } from '../network/leg.ts'
import type { FarCall, TwilioFarEnd, TwilioFarEndOptions } from './index.ts'
import { Beat } from './media/beat.ts'
import { echo, recorder, silent, tone } from './parties.ts'
import { clientOf, connecting, type Customer, deadUrl, type Media, openFarEnds } from './testing.ts'

const open = openFarEnds()
const TO = '+12125550100'
const answers = (party: () => FarParty) =>
  ({ answering: () => ({ type: 'answers', afterMs: 0, party }) }) satisfies TwilioFarEndOptions

/** A call with an open media stream. */
async function connected(
  options: TwilioFarEndOptions,
  more = '',
): Promise<{ farEnd: TwilioFarEnd; customer: Customer; media: Media; call: FarCall }> {
  const farEnd = await open.farEnd(options)
  const customer = await open.customer()
  const twiml = connecting(customer, more)
  const { sid } = await clientOf(farEnd).calls.create({ to: TO, from: farEnd.number, twiml })
  await expect.poll(() => customer.media[0]?.of('media').length).toBeGreaterThan(0)
  return { farEnd, customer, media: customer.media[0]!, call: farEnd.call(sid)! }
}

const framesOf = (media: Media) => media.of('media').map(({ media: frame }) => frame as Record<string, string>)
const marksOf = (media: Media) => media.of('mark').map(({ mark }) => (mark as { name: string }).name)

describe('a media stream', () => {
  it('opens with a signature and tells what it carries', async () => {
    const { farEnd, customer, media, call } = await connected(answers(silent))
    expect(media.headers['user-agent']).toBe('Twilio.TmeWs/1.0')
    const signature = String(media.headers['x-twilio-signature'])
    expect(twilio.validateRequest(farEnd.authToken, signature, customer.mediaUrl, {})).toBe(true)
    const [connectedMessage, start, first] = media.messages.map(({ message }) => message)
    expect(connectedMessage).toEqual({ event: 'connected', protocol: 'Call', version: '1.0.0' })
    const { streamSid } = media
    expect(streamSid).toMatch(/^MZ[0-9a-f]{32}$/)
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 }
    const ids = { accountSid: farEnd.accountSid, streamSid, callSid: call.sid }
    expect(start).toEqual({
      event: 'start',
      sequenceNumber: '1',
      start: { ...ids, tracks: ['inbound'], mediaFormat, customParameters: { call: 'c-1' } },
      streamSid,
    })
    const payload = Buffer.alloc(160, 0xff).toString('base64')
    const firstMedia = { track: 'inbound', chunk: '1', timestamp: '0', payload }
    expect(first).toEqual({ event: 'media', sequenceNumber: '2', media: firstMedia, streamSid })
  })

  it('passes no query on', async () => {
    const farEnd = await open.farEnd(answers(silent))
    const customer = await open.customer()
    const twiml = connecting(customer).replace('/media/token', '/media/token?secret=1')
    await clientOf(farEnd).calls.create({ to: TO, from: farEnd.number, twiml })
    await expect.poll(() => customer.media[0]?.url).toBe(customer.mediaUrl)
  })

  it('sends a frame every 20 ms, numbered and timed without a gap', async () => {
    const { media } = await connected(answers(() => tone(500)))
    await expect.poll(() => media.of('media').length).toBeGreaterThan(30)
    const frames = media.messages.filter(({ message }) => message.event === 'media')
    const told = framesOf(media).slice(0, frames.length)
    expect(told.map(({ chunk }) => chunk)).toEqual(frames.map((_, at) => String(at + 1)))
    expect(told.map(({ timestamp }) => timestamp)).toEqual(frames.map((_, at) => String(at * 20)))
    const elapsedMs = frames.at(-1)!.atMs - frames[0]!.atMs
    const dueMs = (frames.length - 1) * 20
    expect(elapsedMs).toBeGreaterThan(dueMs - 200)
    expect(elapsedMs).toBeLessThan(dueMs + 2000)
    expect(media.audio.every((audio) => audio.length === 160 && levelDbm0(audio) > -14)).toBe(true)
  })

  it('plays audio of any length at its own pace, and returns each mark when all before it was played', async () => {
    const callee = recorder()
    const { media } = await connected(answers(() => callee))
    const sound = sines([500], 610)
    const sentMs = performance.now()
    media.mark('nothing before')
    for (const [from, to] of [
      [0, 100],
      [100, 101],
      [101, 1500],
      [1500, 4880],
    ] as const)
      media.play(sound.subarray(from, to))
    media.mark('all')
    media.play(sines([700], 20))
    media.mark('more')
    await expect.poll(() => marksOf(media)).toEqual(['nothing before', 'all', 'more'])
    const heard = Buffer.concat(callee.heard.map(({ audio }) => audio))
    expect(heard.subarray(0, 4880).equals(Buffer.from(sound))).toBe(true)
    const [first, all] = media.messages.filter(({ message }) => message.event === 'mark').map(({ atMs }) => atMs)
    expect(all! - sentMs).toBeGreaterThan(600)
    expect(all! - first!).toBeGreaterThan(500)
    // Never faster than it sounds, but for a beat that comes late.
    const playedMs = callee.heard.at(-1)!.atMs - callee.heard[0]!.atMs
    expect(playedMs).toBeGreaterThan((callee.heard.length - 2) * 20)
  })

  it('drops what was not played at clear, and returns all pending marks at once', async () => {
    const callee = recorder()
    const { media, call } = await connected(answers(() => callee))
    media.play(sines([500], 10_000))
    media.mark('one')
    media.play(sines([500], 10_000))
    media.mark('two')
    await expect.poll(() => callee.heard.length).toBeGreaterThan(2)
    media.clear()
    await expect.poll(() => marksOf(media)).toEqual(['one', 'two'])
    const heardThen = callee.heard.length
    media.play(sines([700], 20))
    media.mark('three')
    await expect.poll(() => marksOf(media)).toEqual(['one', 'two', 'three'])
    expect(callee.heard.length).toBeLessThan(heardThen + 4)
    expect(call.streams[0]).toMatchObject({ mediaReceived: 3, bytesReceived: 160_160, marks: 3, clears: 1 })
    expect(call.streams[0]!.bufferedMostMs).toBeGreaterThan(19_000)
  })

  it('brings keys of the callee, and the end when the callee hangs up', async () => {
    const { media, call } = await connected(answers(silent))
    call.press('4#')
    await expect.poll(() => media.of('dtmf').length).toBe(2)
    expect(media.of('dtmf')[0]).toMatchObject({
      dtmf: { track: 'inbound_track', digit: '4' },
      streamSid: media.streamSid,
    })
    call.hangUp()
    await expect.poll(() => media.closeCode).toBe(1000)
    const last = media.messages.at(-1)!.message
    expect(last).toMatchObject({ event: 'stop', stop: { callSid: call.sid } })
    const numbers = media.messages.slice(1).map(({ message }) => Number(message['sequenceNumber']))
    expect(numbers).toEqual(numbers.map((_, at) => at + 1))
    expect(call.status).toBe('completed')
  })

  it('goes on with the next verb when the customer closes the socket', async () => {
    const callee = recorder()
    const { media, call } = await connected(
      answers(() => callee),
      '<Play digits="7"/><Pause length="60"/>',
    )
    media.socket.close()
    await expect.poll(() => callee.digits.length).toBe(1)
    expect(call.status).toBe('in-progress')
  })

  it('ends the call when the customer closes the socket and no verb is left', async () => {
    const { media, call } = await connected(answers(silent))
    media.socket.terminate()
    await expect.poll(() => call.status).toBe('completed')
  })

  it.each([
    ['a message without the stream’s id', (media: Media) => media.socket.send('{"event":"clear"}')],
    ['the id of another stream', (media: Media) => media.send({ event: 'clear', streamSid: 'MZ1' })],
    ['no JSON', (media: Media) => media.socket.send('clear')],
    ['null', (media: Media) => media.socket.send('null')],
    ['an unknown event', (media: Media) => media.send({ event: 'say' })],
    ['media without a payload', (media: Media) => media.send({ event: 'media', media: {} })],
    ['a payload that is no Base64', (media: Media) => media.send({ event: 'media', media: { payload: 'ÄÖÜß' } })],
    ['a mark without a name', (media: Media) => media.send({ event: 'mark' })],
    ['a binary message', (media: Media) => media.socket.send(Buffer.alloc(160))],
  ])('counts and closes on %s', async (_, send) => {
    const { farEnd, media, call } = await connected(answers(silent))
    send(media)
    await expect.poll(() => media.closeCode).toBe(1003)
    expect(call.streams[0]).toMatchObject({ malformed: 1, state: 'closed' })
    expect([31950, 31951]).toContain(farEnd.warnings[0]?.code)
    expect(call.streams[0]!.error).toBe(farEnd.warnings[0]?.code)
  })

  it('breaks off a message of more than 4 MiB', async () => {
    const { farEnd, media, call } = await connected(answers(silent))
    media.play(new Uint8Array(4 * 1024 * 1024))
    await expect.poll(() => call.status).toBe('completed')
    expect(farEnd.warnings).toMatchObject([{ callSid: call.sid, code: 31924 }])
  })

  it('only notes malformed messages where that is asked for, once a stream', async () => {
    const { farEnd, media, call } = await connected({ ...answers(silent), malformed: 'warns' })
    media.socket.send('{}')
    media.socket.send('{}')
    media.mark('still here')
    await expect.poll(() => marksOf(media)).toEqual(['still here'])
    expect(call.streams[0]!.malformed).toBe(2)
    expect(farEnd.warnings).toHaveLength(1)
  })

  it('tells a stream’s status callback of start and stop', async () => {
    const farEnd = await open.farEnd(answers(silent))
    const customer = await open.customer()
    const attributes = `url="${customer.mediaUrl}" name="talk" statusCallback="${customer.url}/stream"`
    const twiml = `<Response><Connect><Stream ${attributes}/></Connect></Response>`
    const { sid } = await clientOf(farEnd).calls.create({ to: TO, from: farEnd.number, twiml })
    await expect.poll(() => customer.at('/stream').length).toBe(1)
    farEnd.call(sid)!.hangUp()
    await expect.poll(() => customer.at('/stream').length).toBe(2)
    const [started, stopped] = customer.at('/stream').map(({ form }) => form)
    expect(started).toMatchObject({ StreamEvent: 'stream-started', StreamName: 'talk', CallSid: sid })
    expect(stopped).toMatchObject({ StreamEvent: 'stream-stopped', StreamSid: started!['StreamSid'] })
  })

  it.each([
    ['31920 for a socket that is refused', 'nowhere', 31920],
    ['31902 for a port where nothing listens', null, 31902],
  ])('notes %s, and goes on', async (_, path, code) => {
    const farEnd = await open.farEnd(answers(silent))
    const customer = await open.customer()
    const url = (path === null ? await deadUrl() : `${customer.url}/${path}`).replace('http', 'ws')
    const twiml = `<Response><Connect><Stream url="${url}"/></Connect></Response>`
    const { sid } = await clientOf(farEnd).calls.create({ to: TO, from: farEnd.number, twiml })
    await expect.poll(() => farEnd.call(sid)?.status).toBe('completed')
    expect(farEnd.warnings).toMatchObject([{ callSid: sid, code }])
  })

  it('carries 100 calls at once without losing a frame', async () => {
    const farEnd = await open.farEnd(answers(() => echo(20)))
    const customer = await open.customer()
    const client = clientOf(farEnd)
    const twiml = connecting(customer)
    const all = Array.from({ length: 100 }, () => client.calls.create({ to: TO, from: farEnd.number, twiml }))
    await Promise.all(all)
    await expect.poll(() => customer.media.filter((media) => media.of('media').length > 20).length).toBe(100)
    for (const media of customer.media) {
      const told = framesOf(media)
      expect(told.every(({ chunk, timestamp }, at) => chunk === `${at + 1}` && timestamp === `${at * 20}`)).toBe(true)
    }
  })
})

describe('the beat', () => {
  it('makes up for a second after a stall, and skips what is older', () => {
    let nowMs = 0
    let next: (() => void) | null = null
    const clock: Clock = {
      speed: 1,
      nowMs: () => nowMs,
      after(_, task) {
        next = task
        return () => (next = null)
      },
    }
    const beats: number[] = []
    const leave = new Beat(clock).join((beat) => beats.push(beat))
    const wake = (atMs: number) => {
      nowMs = atMs
      next?.()
    }
    wake(20)
    wake(65)
    expect(beats).toEqual([1, 2, 3])
    wake(5000)
    expect(beats.slice(3)).toEqual(Array.from({ length: 50 }, (_, at) => 201 + at))
    leave()
    expect(next).toBeNull()
  })
})
