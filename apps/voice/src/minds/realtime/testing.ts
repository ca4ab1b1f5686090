import { createScriptedMind } from '@parley/offline-mind'
import type { Answers, FarQuestion, GeminiLiveOptions, OpenaiRealtimeOptions, Step } from '@parley/sandbox/testing'
import { startGeminiLive, startOpenaiRealtime } from '@parley/sandbox/testing'
import {
  type Asked,
  FRAME_BYTES,
  FRAME_MS,
  type Mind,
  type MindEvent,
  virtualClock,
  type VirtualClock,
} from '@parley/voice-ports'
import { aCallState } from '@parley/voice-ports/conformance'
import { pino } from 'pino'
import { afterEach } from 'vitest'
import { steadySpeech } from '../../session/testing/fakes.ts'
import { createRealtime, type RealtimeOptions } from './index.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

/** A far end closes with the test. */
async function kept<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const started = await starting
  open.push(started)
  return started
}

/** A clock whose time goes on only when everything that was sent has arrived, both ways. */
function socketClock(quiet: () => Promise<void>): VirtualClock {
  const clock = virtualClock()
  return {
    ...clock,
    async advance(ms) {
      for (let left = ms; left > 0; left -= FRAME_MS) {
        await quiet()
        await clock.advance(Math.min(left, FRAME_MS))
      }
      await quiet()
    },
  }
}

interface Staged extends Partial<Omit<OpenaiRealtimeOptions, 'pace'>> {
  readonly wordMs?: number
  readonly realtime?: Partial<RealtimeOptions>
}

export const say = (text: string): Step => ({ say: text })

/** A vendor on this machine, and our session with it. */
export async function stageOpenai({
  wordMs = 0,
  realtime = {},
  answers = () => [say('Yes.')],
  ...options
}: Staged = {}) {
  const clock: VirtualClock = socketClock(() => far.quiet())
  const questions: FarQuestion[] = []
  const asking: Answers = (question) => {
    questions.push(question)
    return answers(question)
  }
  const far = await kept(startOpenaiRealtime({ ...options, answers: asking, pace: { clock, wordMs } }))
  const { ear, mind, check, count } = createRealtime({
    provider: 'openai',
    model: 'gpt-realtime',
    apiKey: far.apiKey,
    baseUrl: far.url,
    output: 'text',
    voice: 'marin',
    earModel: 'gpt-live-transcribe',
    clock,
    log: pino({ level: 'silent' }),
    fallback: createScriptedMind(),
    ...realtime,
  })
  return { far, clock, ear, mind, check, count, questions }
}

interface StagedGemini extends Partial<Omit<GeminiLiveOptions, 'pace'>> {
  readonly wordMs?: number
  readonly realtime?: Partial<RealtimeOptions>
}

/** The same with the other vendor. */
export async function stageGemini({
  wordMs = 0,
  realtime = {},
  answers = () => [say('Yes.')],
  ...options
}: StagedGemini = {}) {
  const clock: VirtualClock = socketClock(() => far.quiet())
  const questions: FarQuestion[] = []
  const asking: Answers = (question) => {
    questions.push(question)
    return answers(question)
  }
  const far = await kept(startGeminiLive({ ...options, answers: asking, pace: { clock, wordMs } }))
  const { ear, mind, check, count } = createRealtime({
    provider: 'google',
    model: 'gemini-live',
    apiKey: far.apiKey,
    baseUrl: far.url,
    output: 'text',
    voice: 'Kore',
    earModel: '',
    clock,
    log: pino({ level: 'silent' }),
    fallback: createScriptedMind(),
    ...realtime,
  })
  return { far, clock, ear, mind, check, count, questions }
}

export function anAsked(changes: Partial<Asked> = {}): Asked {
  return { ...aCallState(), cue: { type: 'opening' }, ...changes }
}

/** Reads a reply while time goes on. */
export async function replied(mind: Mind, asked: Asked, clock: VirtualClock, signal = new AbortController().signal) {
  const events: MindEvent[] = []
  const reading = (async () => {
    for await (const event of mind.respond(asked, signal)) events.push(event)
  })()
  let isOver = false
  reading.catch(() => undefined).finally(() => void (isOver = true))
  for (let step = 0; step < 500 && !isOver; step++) await clock.advance(FRAME_MS)
  await reading
  return events
}

export const saidIn = (events: readonly MindEvent[]) =>
  events.map((event) => (event.type === 'say' ? event.text : event.type === 'sound' ? (event.text ?? '') : '')).join('')

/** A sentence as frames, 300 ms a word. */
export function spoken(text: string) {
  const { audio, words } = steadySpeech(text)
  const frames = Array.from({ length: audio.length / FRAME_BYTES }, (_, at) => ({
    audio: audio.subarray(at * FRAME_BYTES, (at + 1) * FRAME_BYTES),
  }))
  return { frames, words: words.map(({ endMs }, at) => ({ endMs, text: text.split(' ')[at] ?? '' })) }
}

/** The scripted mind as the model of a vendor: what it decides goes over the wire as words and tools. */
export function modelledBy(make: (answers: Answers) => Promise<Mind>) {
  const scripted = createScriptedMind()
  const memories = new Map<string, unknown>()
  let steps: readonly Step[] = []
  return async (): Promise<Mind> => {
    const mind = await make(() => steps)
    const known = (memory: unknown) => memories.get(JSON.stringify(memory) ?? '')
    return {
      ...mind,
      async *respond(asked, signal) {
        const events: MindEvent[] = []
        const own = { ...asked, memory: known(asked.memory) }
        for await (const event of scripted.respond(own, new AbortController().signal)) events.push(event)
        const decided = events.flatMap(stepOf)
        steps = decided.length > 0 ? decided : [{ call: 'wait', with: { seconds: 1 } }]
        for await (const event of mind.respond(asked, signal)) {
          const memory = events.find(({ type }) => type === 'memory')
          if (event.type === 'memory' && memory?.type === 'memory')
            memories.set(JSON.stringify(event.memory), memory.memory)
          yield event
        }
      },
      async conclude(ended, signal) {
        const { outcomes, summary } = await scripted.conclude({ ...ended, memory: known(ended.memory) }, signal)
        const told = outcomes.map(({ status, quote, offer }, index) => ({ objective: index + 1, status, quote, offer }))
        steps = [{ call: 'report_call', with: { outcomes: told, summary } }]
        return mind.conclude(ended, signal)
      },
    }
  }
}

function stepOf(event: MindEvent): Step[] {
  switch (event.type) {
    case 'say':
      return [say(event.text)]
    case 'press':
      return [{ call: 'send_digits', with: { digits: event.digits } }]
    case 'wait':
      return [{ call: 'wait', with: { seconds: event.forMs / 1000 } }]
    case 'hang_up':
      return [{ call: 'end_call', with: { reason: event.reason } }]
    case 'outcome': {
      const { status, quote, offer } = event.outcome
      if (status === 'open') return []
      return [{ call: 'mark_objective', with: { objective: event.index + 1, status, quote, ...(offer && { offer }) } }]
    }
    default:
      return []
  }
}
