import { CallOrder } from '../../packages/contract/src/index.ts'
import { type Ear, frameTicker, type Mind, type Mouth, systemClock } from '@parley/voice-ports'
import { createLog } from '../../apps/voice/src/log.ts'
import type { SessionAdapters } from '../../apps/voice/src/session/call/adapters.ts'
import { madeSpeech } from './far-end.ts'

/** Ear, mouth and mind without latency, so that only the session is measured. */

export const ANSWER = 'Thank you for telling me that. Would seven in the evening be possible for all of you as well?'

/** Every sentence, also the disclosure, has the same audio. */
function instantMouth(): Mouth {
  const made = new Map<string, ReturnType<typeof madeSpeech>>()
  return {
    name: 'instant',
    wordTimes: true,
    open: () => ({
      async *speak(text) {
        const speech = made.get(text) ?? madeSpeech(text)
        made.set(text, speech)
        yield speech
      },
      setLanguage: () => undefined,
      close: () => undefined,
    }),
  }
}

const instantEar: Ear = {
  name: 'instant',
  settlesWithinMs: 20,
  turns: false,
  listen(_options, clock, onEvent) {
    let words = ''
    onEvent({ type: 'ready' })
    return {
      push({ text }) {
        if (text === undefined) return
        words = words === '' ? text : `${words} ${text}`
        onEvent({ type: 'words', text: words, final: false, atMs: clock.nowMs() })
      },
      finalize() {
        const text = words
        words = ''
        if (text !== '') onEvent({ type: 'words', text, final: true, atMs: clock.nowMs() })
        onEvent({ type: 'settled' })
      },
      setLanguage: () => undefined,
      close: () => undefined,
    }
  },
}

const instantMind: Mind = {
  name: 'instant',
  async *respond() {
    yield { type: 'say', text: ANSWER }
    yield { type: 'memory', memory: null }
  },
  conclude: () => Promise.reject(new Error('Nobody asks.')),
}

export function benchOrder(index: number): CallOrder {
  return CallOrder.parse({
    callId: `bench-${index}`,
    callee: '+12125550100',
    language: 'en',
    purpose: 'Book a table',
    objectives: ['a table for two'],
    tone: 'friendly',
    voiceId: 'default',
    context: {},
    onBehalfOf: 'Ann Smith',
    limitSeconds: 1800,
    userId: 'bench',
  })
}

export function benchAdapters(): Omit<SessionAdapters, 'carrier'> {
  const clock = systemClock()
  const report = { add: () => undefined, flushed: () => Promise.resolve() }
  const log = createLog('silent')
  return {
    clock,
    ticker: frameTicker(clock),
    ears: [instantEar],
    mouth: instantMouth(),
    mind: instantMind,
    report,
    log,
  }
}
