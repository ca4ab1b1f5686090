import { createSocket, type Socket } from 'node:dgram'
import { Buffer } from 'node:buffer'
import { hangsUpAfter, type Pickup, startTwilioFarEnd } from '@parley/sandbox/testing'
import { FRAME_BYTES, frameTicker, systemClock } from '@parley/voice-ports'
import { RTP_HEADER_BYTES, writeHeader } from '../../apps/voice/src/carriers/sip/media/rtp/packet.ts'
import { answering, type FarQuestion, type TwilioAccessAt } from './children.ts'
import { type BareSocket, bareSockets, numbered } from './frames.ts'

// The other end of all calls, in a process of its own.

/** Frames of speech and of a pause in turn. */
const SPEECH = 100
const PAUSE = 150
const CALL_MIN_MS = 20_000
const CALL_SPREAD_MS = 40_000
const HOST = '127.0.0.1'
const clock = systemClock()
const ticker = frameTicker(clock)

type Party = ReturnType<Extract<Pickup, { type: 'answers' }>['party']>

/** Says numbered frames, for ever or in utterances of 2 s. */
function speaker(pauses: boolean): Party {
  let count = 0
  return {
    press: () => undefined,
    tick() {
      const at = count++
      const quiet = pauses && at % (SPEECH + PAUSE) < PAUSE
      return { frame: quiet ? null : { audio: numbered(at) }, digits: '', ends: null }
    },
  }
}

async function twilio(talks: boolean, callMs: number | null): Promise<TwilioAccessAt> {
  const lengthMs = () => callMs ?? CALL_MIN_MS + Math.random() * CALL_SPREAD_MS
  const far = await startTwilioFarEnd({
    answering: () => ({
      type: 'answers',
      afterMs: 100,
      party: () => (talks ? hangsUpAfter(lengthMs(), speaker(true)) : speaker(false)),
    }),
  })
  far.account.balance = 1e9
  const { url, accountSid, authToken, number } = far
  return { url, accountSid, authToken, number }
}

const stops: (() => void)[] = []

/** Bare sockets that say the same in the same format. */
async function connect(url: string, count: number): Promise<void> {
  const { WebSocket } = bareSockets()
  const opened = Array.from({ length: count }, async (_, index) => {
    const socket: BareSocket = new WebSocket(url, { perMessageDeflate: false })
    await new Promise<void>((resolve, reject) => {
      socket.on('open', resolve)
      socket.on('error', reject)
    })
    socket.on('message', () => undefined)
    let chunk = 0
    const leave = ticker.join(() => {
      const payload = Buffer.from(numbered(chunk).buffer).toString('base64')
      const timestamp = chunk++ * 20
      const media = `{"track":"inbound","chunk":"${chunk}","timestamp":"${timestamp}","payload":"${payload}"}`
      socket.send(`{"event":"media","sequenceNumber":"${chunk}","media":${media},"streamSid":"MZ${index}"}`)
    })
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
      case 'stop':
        for (const stop of stops.splice(0)) stop()
        sockets.length = 0
        return null
    }
  })
}
