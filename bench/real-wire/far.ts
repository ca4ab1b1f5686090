import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { synthesize } from '@parley/sandbox'
import {
  type DeepgramFarEnd,
  type ModelAnswer,
  type ModelRequest,
  type Pickup,
  spoken,
  startDeepgramFarEnd,
  startElevenLabsFarEnd,
  startModelFarEnd,
  startTwilioFarEnd,
} from '@parley/sandbox/testing'
import { FRAME_BYTES, FRAME_MS, frameTicker, levelDbm0, systemClock, voiceShape } from '@parley/voice-ports'
import { answering } from '../telephony/children.ts'
import { bareSockets, mediaMessage, openSocket } from '../telephony/frames.ts'
import { type FarQuestion, indexOf, LINE, REPLY, type Vendors } from './shapes.ts'

// Every vendor and all phones, in a process of their own.

const HOST = '127.0.0.1'
const QUIET_MS = 800
/** The agent does not speak: the callee says the line again. */
const PATIENCE_MS = 8000
const LOUD_DBM0 = -45
const ticker = frameTicker(systemClock())

type Party = ReturnType<Extract<Pickup, { type: 'answers' }>['party']>

const line = synthesize(LINE, voiceShape('professional'))
const LINE_FRAMES = Math.floor(line.audio.length / FRAME_BYTES)
const WORDS = line.words.map(({ fromChar, toChar, endMs }) => ({ text: LINE.slice(fromChar, toChar).trim(), endMs }))

/** Says the line whenever the agent has spoken and paused. */
function talker(ear: DeepgramFarEnd): Party {
  let at = LINE_FRAMES
  let isOwed = false
  let quietMs = 0
  return {
    press: () => undefined,
    tick(_, heard) {
      const isLoud = heard !== null && levelDbm0(heard.audio) > LOUD_DBM0
      isOwed ||= isLoud
      quietMs = isLoud || at < LINE_FRAMES ? 0 : quietMs + FRAME_MS
      if (at >= LINE_FRAMES && quietMs >= (isOwed ? QUIET_MS : PATIENCE_MS)) {
        ear.script.say({ text: LINE, words: WORDS })
        at = 0
        isOwed = false
      }
      const frame = at < LINE_FRAMES ? line.audio.subarray(at * FRAME_BYTES, ++at * FRAME_BYTES) : null
      return { frame: frame && { audio: frame }, digits: '', ends: null }
    },
  }
}

const json = (value: unknown): ModelAnswer => ({ steps: [{ type: 'say', text: JSON.stringify(value) }] })

const answerAfter =
  (headMs: number) =>
  ({ schema }: ModelRequest): ModelAnswer =>
    schema === null
      ? { ...spoken(REPLY), headMs }
      : { ...json({ outcomes: [], opted_out: null, language: null }), headMs }

async function vendors({ calls, mindMs, mouthMs }: Extract<FarQuestion, { type: 'vendors' }>): Promise<Vendors> {
  const ears = await Promise.all(Array.from({ length: calls }, () => startDeepgramFarEnd()))
  const mind = await startModelFarEnd({ answer: answerAfter(mindMs) })
  const mouth = await startElevenLabsFarEnd()
  mouth.faults.set('text', { how: 'late', ms: mouthMs }, Infinity)
  const earOf = (to: string) => {
    const ear = ears[indexOf(to)]
    if (!ear) throw new Error(`${to} is no phone of this bench.`)
    return ear
  }
  const twilio = await startTwilioFarEnd({
    answering: (to) => ({ type: 'answers', afterMs: 100, party: () => talker(earOf(to)) }),
  })
  twilio.account.balance = 1e9
  const { url, accountSid, authToken, number } = twilio
  return {
    twilio: { url, accountSid, authToken, number },
    ears: ears.map((ear) => ({ url: ear.url, apiKey: ear.apiKey })),
    mind: { url: mind.baseUrl.openai, apiKey: mind.apiKey ?? '' },
    mouth: { url: mouth.url, apiKey: mouth.apiKey },
  }
}

const EAR_EVERY_FRAMES = 5
const MOUTH_EVERY_FRAMES = 10
/** A reply of 6 s and a line of 2.5 s take turns. */
const SPEAKING = 300
const CYCLE = 500

/** Ears and mouths for a relay: results as long as Deepgram's, and stretches of sound as ElevenLabs sends them. */
async function streams(): Promise<{ url: string }> {
  const { WebSocketServer } = bareSockets()
  const server = createServer()
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  const result = JSON.stringify({ type: 'Results', channel: { alternatives: [{ transcript: LINE, words: WORDS }] } })
  const stretch = JSON.stringify({ audio: Buffer.alloc(FRAME_BYTES * MOUTH_EVERY_FRAMES, 0x33).toString('base64') })
  server.on('upgrade', (request, raw, head) => {
    sockets.handleUpgrade(request, raw, head, (socket) => {
      let count = 0
      const isMouth = request.url === '/mouth'
      const leave = ticker.join(() => {
        const at = count++ % CYCLE
        if (isMouth && at < SPEAKING && at % MOUTH_EVERY_FRAMES === 0) socket.send(stretch)
        if (!isMouth && at >= SPEAKING && at % EAR_EVERY_FRAMES === 0) socket.send(result)
      })
      socket.on('message', () => undefined)
      socket.on('error', () => socket.terminate())
      socket.on('close', leave)
    })
  })
  await new Promise<void>((done) => server.listen(0, HOST, done))
  // A server that listens on a port has such an address.
  return { url: `ws://${HOST}:${(server.address() as AddressInfo).port}` }
}

async function phones({ url, calls }: Extract<FarQuestion, { type: 'phones' }>): Promise<void> {
  await Promise.all(
    Array.from({ length: calls }, async (_, index) => {
      const socket = await openSocket(url)
      let count = 0
      ticker.join(() => socket.send(mediaMessage(count++, `MZ${index}`)))
    }),
  )
}

export function runFar(): void {
  answering(async (question: FarQuestion) => {
    switch (question.type) {
      case 'vendors':
        return vendors(question)
      case 'streams':
        return streams()
      case 'phones':
        return phones(question)
    }
  })
}
