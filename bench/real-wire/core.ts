import { type Carrier, FRAME_MS, frameTicker, levelDbm0, systemClock } from '@parley/voice-ports'
import { createScriptedMind } from '@parley/offline-mind'
import { createTwilioCarrier } from '../../apps/voice/src/carriers/twilio/index.ts'
import { createLog } from '../../apps/voice/src/log.ts'
import { failoverMind } from '../../apps/voice/src/minds/failover.ts'
import { createLanguageModelMind } from '../../apps/voice/src/minds/language-model/index.ts'
import { CallSession } from '../../apps/voice/src/session/call/session.ts'
import { createDeepgramEar } from '../../apps/voice/src/speech/deepgram/index.ts'
import { createElevenLabsMouth } from '../../apps/voice/src/speech/elevenlabs/index.ts'
import { voicesOf } from '../../apps/voice/src/speech/voices.ts'
import { guarded } from '../../apps/voice/src/thinking.ts'
import { answering, ask, start } from '../telephony/children.ts'
import { mount, openFront } from '../telephony/front.ts'
import { benchOrder } from '../voice/adapters.ts'
import { type CoreOrder, type FarQuestion, type Held, numberOf, type Vendors } from './shapes.ts'

// Whole sessions whose carrier, ear, mind and mouth are the vendors' own adapters.

const LOUD_DBM0 = -45
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const log = createLog('silent')
const clock = systemClock()
const ticker = frameTicker(clock)

/** What the phones of the round that is measured saw. */
interface Seen {
  replyMs: number[]
  up: number
}

/** Notes from the callee's last loud frame to the first of the agent's, as they pass between session and carrier. */
function watched(carrier: Carrier, seen: Seen): Carrier {
  return {
    name: carrier.name,
    dial: (options, time, onEvent) => {
      let stoppedMs: number | null = null
      const leg = carrier.dial(options, time, (event) => {
        if (event.type === 'media' && event.state === 'up') seen.up++
        if (event.type === 'frame') {
          if (levelDbm0(event.frame.audio) > LOUD_DBM0) stoppedMs = performance.now()
        }
        onEvent(event)
      })
      const send = leg.send.bind(leg)
      leg.send = (frame) => {
        if (stoppedMs !== null && levelDbm0(frame.audio) > LOUD_DBM0) {
          seen.replyMs.push(performance.now() - stoppedMs)
          stoppedMs = null
        }
        send(frame)
      }
      return leg
    },
    ask: (...args) => carrier.ask(...args),
    hangUp: (...args) => carrier.hangUp(...args),
    close: () => carrier.close(),
  }
}

async function hold({ calls, mindMs, mouthMs, settleMs, measureMs }: CoreOrder): Promise<Held> {
  const far = start('far', '', '../real-wire/main.ts')
  const question: FarQuestion = { type: 'vendors', calls, mindMs, mouthMs }
  const vendors = await ask<Vendors>(far, question)
  const { url: apiBase, number: fromNumber, accountSid, authToken } = vendors.twilio
  const twilio = createTwilioCarrier({ accountSid, authToken, apiKey: null, fromNumber, apiBase })
  const front = await openFront({ cameMs: 0, givenMs: Number.NaN, left: () => undefined })
  await mount(front, twilio)
  const seen: Seen = { replyMs: [], up: 0 }
  const carrier = watched(twilio, seen)
  const { mind: model, mouth: voice } = vendors
  const settings = {
    provider: 'openai-compatible',
    model: 'bench',
    observerModel: 'bench',
    apiKey: model.apiKey,
    baseUrl: model.url,
  } as const
  const models = [await createLanguageModelMind(settings, { clock, log })]
  const mind = guarded(failoverMind(models, { clock, log, last: createScriptedMind() }), { clock, log })
  const [apiKey, baseUrl] = [voice.apiKey, voice.url]
  const mouth = createElevenLabsMouth({
    apiKey,
    baseUrl,
    model: 'eleven_flash_v2_5',
    voices: voicesOf(null).elevenlabs,
    clock,
  })
  const report = { add: () => undefined, flushed: () => Promise.resolve() }
  const sessions: CallSession[] = []
  for (const [index, ear] of vendors.ears.entries()) {
    const order = { ...benchOrder(index), callee: numberOf(index) }
    const ears = [createDeepgramEar({ apiKey: ear.apiKey, baseUrl: ear.url, model: 'nova-3' })]
    const parts = { carrier, ears, mouth, mind, clock, ticker, report, log, webhookBase: front.url }
    sessions.push(new CallSession(order, parts))
    await wait(50)
  }
  for (let tries = 0; seen.up < calls; tries++, await wait(100))
    if (tries > 600) throw new Error(`Of ${calls} calls ${seen.up} were answered within a minute.`)
  await wait(settleMs)
  seen.replyMs = []
  const timerMs: number[] = []
  let dueMs = performance.now() + FRAME_MS
  const timer = setInterval(() => {
    timerMs.push(Math.max(0, performance.now() - dueMs))
    dueMs = performance.now() + FRAME_MS
  }, FRAME_MS)
  const [before, sinceMs] = [process.cpuUsage(), performance.now()]
  await wait(measureMs)
  const { user, system } = process.cpuUsage(before)
  const cpu = (user + system) / 1000 / (performance.now() - sinceMs)
  clearInterval(timer)
  const held = { cpu, replyMs: seen.replyMs, timerMs }
  for (const session of sessions) session.stop('stopped')
  await wait(500)
  far.disconnect()
  return held
}

export const runCore = () => answering(hold)
