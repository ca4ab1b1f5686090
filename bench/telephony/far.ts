import { createSocket, type Socket } from 'node:dgram'
import { Buffer } from 'node:buffer'
import { synthesize } from '@parley/sandbox'
import { hangsUpAfter, type Pickup, startTwilioFarEnd } from '@parley/sandbox/testing'
import { FRAME_BYTES, frameTicker, systemClock, voiceShape } from '@parley/voice-ports'
import { RTP_HEADER_BYTES, writeHeader } from '../../apps/voice/src/carriers/sip/media/rtp/packet.ts'
import { answering, type FarQuestion, type TwilioAccessAt } from './children.ts'
import { mediaMessage, numbered, openSocket } from './frames.ts'

// The other end of all calls, in a process of its own.

/** Frames of a pause, and of speech after it, in turn. */
const PAUSE = 150
const SPEECH = 100
const SENTENCE = 'We have a table for two at seven, or a bigger one at half past eight.'
const CALL_MIN_MS = 20_000
const CALL_SPREAD_MS = 40_000
const HOST = '127.0.0.1'
const MINUTE_PRICE = 1
const FUNDS = 1e9
const clock = systemClock()
const ticker = frameTicker(clock)

type Party = ReturnType<Extract<Pickup, { type: 'answers' }>['party']>

/** Says numbered frames for ever. */
function numberer(): Party {
  let count = 0
  return {
    press: () => undefined,
    tick: () => ({ frame: { audio: numbered(count++) }, digits: '', ends: null }),
  }
}

/** Says 2 s of a sentence again and again, made once for all: a steady sound would be taken for noise. */
function speaker(sentence: readonly Uint8Array[]): Party {
  let count = 0
  return {
    press: () => undefined,
    tick() {
      const audio = sentence[(count++ % (PAUSE + sentence.length)) - PAUSE]
      return { frame: audio === undefined ? null : { audio }, digits: '', ends: null }
    },
  }
}

function sentenceFrames(): Uint8Array[] {
  const { audio } = synthesize(SENTENCE, voiceShape('default'))
  return Array.from({ length: SPEECH }, (_, at) => audio.subarray(at * FRAME_BYTES, (at + 1) * FRAME_BYTES))
}

async function twilio(talks: boolean, callMs: number | null): Promise<TwilioAccessAt> {
  const sentence = sentenceFrames()
  const lengthMs = () => callMs ?? CALL_MIN_MS + Math.random() * CALL_SPREAD_MS
  const far = await startTwilioFarEnd({
    minutePrice: MINUTE_PRICE,
    answering: () => ({
      type: 'answers',
      afterMs: 100,
      party: () => (talks ? hangsUpAfter(lengthMs(), speaker(sentence)) : numberer()),
    }),
  })
  far.account.balance = FUNDS
  billedMinutes = () => Math.round((FUNDS - far.account.balance) / MINUTE_PRICE)
  const { url, accountSid, authToken, number } = far
  return { url, accountSid, authToken, number }
}

const stops: (() => void)[] = []
/** What Twilio has taken for its calls. */
let billedMinutes = () => 0

/** Bare sockets that say the same in the same format. */
async function connect(url: string, count: number): Promise<void> {
  const opened = Array.from({ length: count }, async (_, index) => {
    const socket = await openSocket(url)
    let count = 0
    const leave = ticker.join(() => socket.send(mediaMessage(count++, `MZ${index}`)))
    stops.push(() => {
      leave()
      socket.terminate()
    })
  })
  await Promise.all(opened)
}

const sockets: Socket[] = []

async function bind(count: number): Promise<number[]> {
  for (let index = 0; index < count; index++) {
    const socket = createSocket('udp4')
    await new Promise<void>((resolve) => socket.bind(0, HOST, resolve))
    socket.on('message', () => undefined)
    sockets.push(socket)
    stops.push(() => socket.close())
  }
  return sockets.map((socket) => socket.address().port)
}

/** RTP to these ports, a packet each 20 ms. */
function send(ports: readonly number[]): void {
  for (const [index, port] of ports.entries()) {
    const packet = Buffer.alloc(RTP_HEADER_BYTES + FRAME_BYTES)
    let count = 0
    const leave = ticker.join(() => {
      const [sequence, timestamp] = [count & 0xffff, count * FRAME_BYTES]
      writeHeader(packet, { marker: false, payloadType: 0, sequence, timestamp, ssrc: index + 1 })
      packet.set(numbered(count++), RTP_HEADER_BYTES)
      sockets[index]?.send(Uint8Array.from(packet), port, HOST)
    })
    stops.unshift(leave)
  }
}

/** `callMs`: how long calls last that are hung up here; else 20 to 60 s. */
export function runFar(callMs: string): void {
  answering(async (question: FarQuestion) => {
    switch (question.type) {
      case 'twilio':
        return twilio(question.talks, callMs === '' ? null : Number(callMs))
      case 'connect':
        return connect(question.url, question.count)
      case 'bind':
        return bind(question.count)
      case 'send':
        return send(question.ports)
      case 'bill':
        return billedMinutes()
      case 'stop':
        for (const stop of stops.splice(0)) stop()
        sockets.length = 0
        return null
    }
  })
}
