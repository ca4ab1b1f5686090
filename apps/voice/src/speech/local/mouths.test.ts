import { describe, expect, it } from 'vitest'
import type { Mouth, Speaking, SpokenChunk } from '@parley/voice-ports'
import { mouthChecks, mouthConforms, type MouthCheck } from '@parley/voice-ports/conformance'
import { createLateWordsMouth, createScriptedMouth, createUntimedMouth } from '@parley/sandbox'
import { createEspeakMouth, findEspeak } from './index.ts'

const binary = await findEspeak()

mouthConforms('the synthetic voice', () => createScriptedMouth())
mouthConforms('a voice without word times', () => createUntimedMouth())
mouthConforms('a voice whose words follow their audio', () => createLateWordsMouth())
if (binary !== null) mouthConforms('espeak-ng', () => createEspeakMouth({ binary, otherwise: createScriptedMouth() }))

/** The synthetic voice with another way of speaking. */
function broken(change: (speaking: Speaking) => Partial<Speaking>, more: Partial<Mouth> = {}): () => Mouth {
  const mouth = createScriptedMouth()
  return () => ({
    ...mouth,
    open(options) {
      const speaking = mouth.open(options)
      return { ...speaking, ...change(speaking) }
    },
    ...more,
  })
}

/** ... with each stretch spoiled. */
function spoiled(spoil: (chunk: SpokenChunk) => SpokenChunk, more: Partial<Mouth> = {}): () => Mouth {
  return broken(
    (speaking) => ({
      async *speak(text, options) {
        for await (const chunk of speaking.speak(text, options)) yield spoil(chunk)
      },
    }),
    more,
  )
}

const words = (chunk: SpokenChunk) => chunk.words ?? []
const IN_ORDER = 'words stand in the text and in the sound, in order, and each letter belongs to one'
const HONEST = 'a mouth has word times if and only if it says so'
const AUDIBLE = 'the audio is loud enough and at the pace of speech'
const UNHEARD = 'a text aborted before it begins makes no sound and no error'
const ABORTED = 'a text aborted while it is spoken ends at once without an error, and the next is spoken'
const APART = 'two texts spoken at once do not mix'
const CLOSED = 'a closed voice ends what it is saying and speaks no more, and leaves others alone'

const deaf = broken((speaking) => ({ speak: (text) => speaking.speak(text, { signal: new AbortController().signal }) }))

const FAULTS: [string, MouthCheck, () => Mouth, RegExp][] = [
  [
    'words outside the text',
    IN_ORDER,
    spoiled((chunk) => ({ ...chunk, words: words(chunk).map((word) => ({ ...word, toChar: word.toChar + 500 })) })),
    /to 504 of 126 letters/,
  ],
  [
    'times of each stretch instead of the text',
    IN_ORDER,
    broken((speaking) => ({
      async *speak(text, options) {
        let startMs = 0
        for await (const chunk of speaking.speak(text, options)) {
          const beganMs = startMs
          startMs += chunk.audio.length / 8
          yield { ...chunk, words: words(chunk).map((word) => ({ ...word, endMs: word.endMs - beganMs })) }
        }
      },
    })),
    /ends before the word ahead/,
  ],
  [
    'places of each sentence instead of the text',
    IN_ORDER,
    broken((speaking) => ({
      async *speak(text, options) {
        for await (const chunk of speaking.speak(text, options)) {
          const [first] = words(chunk)
          const move = (word: { fromChar: number; toChar: number; endMs: number }) => ({
            ...word,
            fromChar: word.fromChar - (first?.fromChar ?? 0),
            toChar: word.toChar - (first?.fromChar ?? 0),
          })
          yield { ...chunk, words: words(chunk).map(move) }
        }
      },
    })),
    /stands before the word ahead/,
  ],
  [
    'words apart from the audio that end behind it',
    IN_ORDER,
    broken((speaking) => ({
      async *speak(text, options) {
        const late = []
        for await (const chunk of speaking.speak(text, options)) {
          late.push(...words(chunk))
          yield { audio: chunk.audio }
        }
        yield { audio: new Uint8Array(), words: late.map((word) => ({ ...word, endMs: word.endMs * 2 })) }
      },
    })),
    /outside its sound/,
  ],
  [
    'a swallowed word',
    IN_ORDER,
    spoiled((chunk) => ({ ...chunk, words: words(chunk).slice(1) })),
    /"Good" has no word/,
  ],
  ['word times that it only claims', HONEST, spoiled(({ audio }) => ({ audio })), /says it does/],
  ['word times that it denies', HONEST, spoiled((chunk) => chunk, { wordTimes: false }), /says it brings none/],
  ['no sound', AUDIBLE, spoiled((chunk) => ({ ...chunk, audio: new Uint8Array(0) })), /no sound/],
  [
    'silence for speech',
    AUDIBLE,
    spoiled((chunk) => ({ ...chunk, audio: chunk.audio.map(() => 0xff) })),
    /sound is silence/,
  ],
  ['speech after an abort', UNHEARD, deaf, /after the abort/],
  ['a stream that goes on', ABORTED, deaf, /after the abort/],
  [
    'an abort that is heeded late',
    ABORTED,
    broken((speaking) => ({
      async *speak(text, { signal }) {
        for await (const chunk of speaking.speak(text, { signal })) {
          yield chunk
          for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
        }
      },
    })),
    /heeded the abort late/,
  ],
  [
    'a voice that an abort closes',
    ABORTED,
    broken((speaking) => ({
      speak(text, { signal }) {
        signal.addEventListener('abort', () => speaking.close())
        return speaking.speak(text, { signal })
      },
    })),
    /fell silent for good/,
  ],
  [
    'one sentence for all',
    APART,
    broken((speaking) => {
      let first: string | null = null
      return { speak: (text, options) => speaking.speak((first ??= text), options) }
    }),
    /has no word|took/,
  ],
  ['speech after it was closed', CLOSED, broken(() => ({ close: () => undefined })), /after it was closed/],
  [
    'one connection for all calls',
    CLOSED,
    () => {
      const shared = createScriptedMouth().open({ language: 'en', voiceId: 'default' })
      return { ...createScriptedMouth(), open: () => shared }
    },
    /another voice was closed/,
  ],
  [
    'a single language',
    'the language can change between two texts',
    broken((speaking) => ({ setLanguage: () => speaking.close() })),
    /silent in de/,
  ],
]

describe('the conformance checks', () => {
  it.each(FAULTS)('reject a mouth with: %s', async (_, check, make, complaint) => {
    await expect(mouthChecks[check](make)).rejects.toThrow(complaint)
  })
  it('are each shown failing by a fault', () => {
    expect(new Set(FAULTS.map(([, check]) => check))).toEqual(new Set(Object.keys(mouthChecks)))
  })
})
