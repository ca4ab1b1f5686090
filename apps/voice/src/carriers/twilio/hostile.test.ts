import { silent } from '@parley/sandbox/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { Dialed, type Line, startLine } from './testing.ts'

const lines: Line[] = []
afterAll(async () => {
  await Promise.all(lines.map((line) => line.close()))
})
const STREAM = `MZ${'3'.repeat(32)}`

/** A call whose stream is opened by somebody else than Twilio, who has got hold of its address. */
async function intruded() {
  const line = await startLine({
    far: { answering: () => ({ type: 'answers', afterMs: 30, party: () => silent() }) },
    carrier: { waits: { streamMs: 3000 } },
  })
  lines.push(line)
  line.far.faults.set('stream', { how: 'slow_open', ms: 60_000 })
  const call = new Dialed(line, '+12125550107')
  await call.until('answered')
  const url = /url="([^"]+)"/.exec(call.far.parameters.get('Twiml') ?? '')?.[1] ?? ''
  const socket = new WebSocket(url)
  await new Promise((resolve) => socket.once('open', resolve))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  const say = (message: object) => socket.send(JSON.stringify({ streamSid: STREAM, ...message }))
  const start = (callSid = call.far.sid) => {
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 }
    say({ event: 'start', start: { accountSid: line.far.accountSid, callSid, mediaFormat } })
  }
  return { line, call, socket, closed, say, start }
}

describe.concurrent('somebody with the address of a stream', () => {
  it('who starts it for another call is sent away', async () => {
    const { call, line, closed, start } = await intruded()
    start(`CA${'0'.repeat(32)}`)
    await closed
    expect([call.types.includes('media'), line.carrier.counts.badMessages]).toEqual([false, 1])
    expect((await call.ended()).cause).toBe('dropped')
  })

  it('who sends a huge message loses the socket, and the call ends as dropped', async () => {
    const { call, socket, closed, start } = await intruded()
    start()
    await call.until('media')
    socket.send(`{"event":"media","media":{"payload":"${'A'.repeat(100_000)}"}}`)
    expect(await closed).toBe(1009)
    expect((await call.ended()).cause).toBe('dropped')
    expect(call.far.status).toBe('completed')
  })

  it('who sends rubbish loses the socket after 100 messages of it', async () => {
    const { call, line, socket, closed, start } = await intruded()
    start()
    for (let count = 0; count < 10_000; count++) socket.send(`rubbish ${count}`)
    await closed
    expect((await call.ended()).cause).toBe('dropped')
    expect(line.carrier.counts.badMessages).toBe(100)
  })

  it('who floods it with sound is heard no faster than a phone', async () => {
    const { call, line, say, start } = await intruded()
    start()
    const payload = Buffer.alloc(160, 0x7f).toString('base64')
    for (let at = 0; at < 5000; at++)
      say({ event: 'media', media: { track: 'inbound', timestamp: `${at * 20}`, payload } })
    say({ event: 'dtmf', dtmf: { digit: '1' } })
    await call.until('digit')
    const startedMs = call.events.find(({ event }) => event.type === 'media')?.atMs ?? 0
    const elapsedMs = call.clock.nowMs() - startedMs
    expect(call.of('frame').length * 20).toBeLessThan(elapsedMs + 2100)
    expect(line.carrier.counts.floodedFrames).toBe(5000 - call.of('frame').length)
  })
})
