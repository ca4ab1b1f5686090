import { CallOrder, type Fact, type FactBody } from '@parley/contract'
import { pino } from 'pino'
import {
  SILENCE_BYTE,
  type Asked,
  type Ear,
  frameTicker,
  type Mind,
  type MindEvent,
  type Mouth,
  virtualClock,
  type VirtualClock,
  wordsOf,
} from '@parley/voice-ports'
import type { RecordingSink } from '../reporting/recording.ts'

/** Shared by session tests: an order, a scripted mind, a mouth with a steady pace. */

export function anOrder(changes: Partial<CallOrder> = {}): CallOrder {
  return CallOrder.parse({
    callId: 'call-1',
    callee: '+12125550100',
    language: 'en',
    purpose: 'Book a table',
    objectives: ['a table for two'],
    tone: 'friendly',
    voiceId: 'default',
    context: {},
    onBehalfOf: 'Ann Smith',
    limitSeconds: 120,
    userId: 'user-1',
    ...changes,
  })
}

/** Says what the script makes of each cue; a thrown error is a failure of the mind. */
export function mindThat(respond: (asked: Asked) => readonly MindEvent[]): Mind & { readonly asked: Asked[] } {
  const asked: Asked[] = []
  return {
    name: 'scripted test',
    asked,
    async *respond(question, signal) {
      asked.push(question)
      for (const event of respond(question)) {
        if (signal.aborted) return
        yield event
      }
    },
    conclude: ({ order }) =>
      Promise.resolve({
        outcomes: order.objectives.map((objective) => ({ objective, status: 'met', quote: null, turn: null })),
        summary: {
          type: 'success',
          title: 'Done',
          description: 'All of it.',
          insights: [],
          nextSteps: [],
          actionRequired: false,
          actionText: null,
        },
      }),
  }
}

export const WORD_MS = 300

/** Every word takes 300 ms, swells and fades. */
export const steadyMouth: Mouth = {
  name: 'steady',
  wordTimes: true,
  open: () => ({
    async *speak(text) {
      yield steadySpeech(text)
    },
    setLanguage: () => undefined,
    close: () => undefined,
  }),
}

export function steadySpeech(text: string) {
  const words = wordsOf(text).map((word, at) => ({ ...word, endMs: (at + 1) * WORD_MS }))
  const audio = new Uint8Array(words.length * WORD_MS * 8).map((_, at) => {
    const fading = Math.round(0x30 * Math.abs(Math.cos((Math.PI * at) / (WORD_MS * 8))))
    return (at % 16 < 8 ? 0x10 : 0x90) + fading
  })
  return { audio, words }
}

export interface FactSink {
  readonly facts: Fact[]
  add(body: FactBody): void
  flushed(): Promise<void>
}

/** Takes facts as the api would. */
export function factSink(): FactSink {
  const facts: Fact[] = []
  return {
    facts,
    add: (body) => void facts.push({ ...body, seq: facts.length + 1, at: new Date().toISOString(), callMs: 0 }),
    flushed: () => Promise.resolve(),
  }
}

export interface MemorySink extends RecordingSink {
  /** Both channels, the callee first; null while nothing was recorded. */
  channels(): readonly [Uint8Array, Uint8Array] | null
  state: 'open' | 'kept' | 'discarded'
}

/** A recording that stays in memory. */
export function memorySink(): MemorySink {
  const blocks: Uint8Array[] = []
  const sink: MemorySink = {
    state: 'open',
    write: (block) => void blocks.push(block),
    silence(channel, fromSample, untilSample) {
      let sample = 0
      for (const block of blocks)
        for (let at = 0; at < block.length; at += 2, sample++)
          if (sample >= fromSample && sample < untilSample) block[at + channel] = SILENCE_BYTE
    },
    keep: () => Promise.resolve(void (sink.state = 'kept')),
    discard: () => Promise.resolve(void (sink.state = 'discarded')),
    channels() {
      if (blocks.length === 0) return null
      const both = Buffer.concat(blocks)
      return [both.filter((_, at) => at % 2 === 0), both.filter((_, at) => at % 2 === 1)]
    },
  }
  return sink
}

export function quietLog() {
  return pino({ level: 'silent' })
}

/** A log whose errors are kept: what an operator is alarmed by. */
export function errorLog() {
  const errors: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) })
  return { log, errors, alarms: () => errors.map((line) => /"alarm":"(\w+)"/.exec(line)?.[1]) }
}

export function virtualTime(): { clock: VirtualClock; ticker: ReturnType<typeof frameTicker> } {
  const clock = virtualClock()
  return { clock, ticker: frameTicker(clock) }
}

/** Takes the text of the frames for its words; detects Spanish by the word "español". */
export const textEar: Ear = {
  name: 'text',
  settlesWithinMs: 20,
  turns: false,
  listen(_, clock, onEvent) {
    let words = ''
    onEvent({ type: 'ready' })
    return {
      push({ text }) {
        if (text === undefined) return
        words = `${words} ${text}`.trim()
        onEvent({ type: 'words', text: words, final: false, atMs: clock.nowMs() })
      },
      finalize() {
        if (words.includes('español')) onEvent({ type: 'language', language: 'es' })
        if (words !== '') onEvent({ type: 'words', text: words, final: true, atMs: clock.nowMs() })
        words = ''
        onEvent({ type: 'settled' })
      },
      setLanguage: () => undefined,
      close: () => undefined,
    }
  },
}
