import { randomUUID } from 'node:crypto'
import type { ScriptedWord } from '../recognition/script.ts'

// Deepgram's messages, as their client types them.

const MODEL = { name: 'general-nova-3', version: '2025-04-17.21547', arch: 'nova-3' }
const CONFIDENCE = 0.98

export interface ResultsOf {
  readonly words: readonly ScriptedWord[]
  /** With capitals and punctuation, which partials are spared here: they are revised by the final. */
  readonly formatted: boolean
  readonly startMs: number
  readonly endMs: number
  readonly isFinal: boolean
  readonly speechFinal: boolean
  readonly fromFinalize: boolean
  /** Of the words, where the model tells it. */
  readonly language: string | null
  readonly requestId: string
}

export function results({ words, formatted, startMs, endMs, language, ...told }: ResultsOf) {
  const textOf = (word: ScriptedWord) => (formatted ? word.text : word.bare)
  return {
    type: 'Results',
    channel_index: [0, 1],
    duration: seconds(endMs - startMs),
    start: seconds(startMs),
    is_final: told.isFinal,
    speech_final: told.speechFinal,
    from_finalize: told.fromFinalize,
    channel: {
      alternatives: [
        {
          transcript: words.map(textOf).join(' '),
          confidence: words.length === 0 ? 0 : CONFIDENCE,
          ...(language !== null && { languages: words.length === 0 ? [] : [language] }),
          words: words.map((word) => ({
            word: word.bare,
            start: seconds(word.startMs),
            end: seconds(word.endMs),
            confidence: CONFIDENCE,
            ...(language !== null && { language }),
            punctuated_word: word.text,
          })),
        },
      ],
    },
    metadata: { request_id: told.requestId, model_info: MODEL, model_uuid: randomUUID() },
  }
}

export function speechStarted(atMs: number) {
  return { type: 'SpeechStarted', channel: [0, 1], timestamp: seconds(atMs) }
}

export function utteranceEnd(lastWordEndMs: number) {
  return { type: 'UtteranceEnd', channel: [0, 1], last_word_end: seconds(lastWordEndMs) }
}

export function metadata(requestId: string, heardMs: number) {
  return {
    type: 'Metadata',
    transaction_key: 'deprecated',
    request_id: requestId,
    sha256: '0'.repeat(64),
    created: new Date().toISOString(),
    duration: seconds(heardMs),
    channels: 1,
  }
}

export type FluxEvent = 'Update' | 'StartOfTurn' | 'EagerEndOfTurn' | 'TurnResumed' | 'EndOfTurn'

export interface TurnInfoOf {
  readonly event: FluxEvent
  readonly turnIndex: number
  readonly startMs: number
  readonly endMs: number
  readonly words: readonly ScriptedWord[]
  readonly confidence: number
  readonly trigger: 'model' | 'manual' | 'timeout'
  readonly language: string | null
  readonly hints: readonly string[]
}

export function turnInfo({ event, words, language, hints, ...told }: TurnInfoOf) {
  return {
    type: 'TurnInfo',
    event,
    turn_index: told.turnIndex,
    audio_window_start: seconds(told.startMs),
    audio_window_end: seconds(told.endMs),
    transcript: words.map(({ text }) => text).join(' '),
    words: words.map(({ text, startMs, endMs }) => ({
      word: text,
      confidence: CONFIDENCE,
      start: seconds(startMs),
      end: seconds(endMs),
    })),
    end_of_turn_confidence: told.confidence,
    ...(event === 'EndOfTurn' && { trigger: told.trigger }),
    ...(language !== null && words.length > 0 && { languages: [language] }),
    ...(hints.length > 0 && { languages_hinted: hints }),
  }
}

function seconds(ms: number): number {
  return Math.round(ms) / 1000
}
