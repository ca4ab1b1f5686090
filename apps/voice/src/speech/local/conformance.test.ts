import { describe, expect, it } from 'vitest'
import type { Mouth, SpokenChunk } from '@parley/voice-ports'
import { mouthChecks, mouthConforms, type MouthCheck } from '@parley/voice-ports/conformance'
import { createScriptedMouth } from '@parley/sandbox'
import { createEspeakMouth, findEspeak } from './index.ts'

const binary = await findEspeak()

mouthConforms('the synthetic voice', () => createScriptedMouth())
if (binary !== null) mouthConforms('espeak-ng', () => createEspeakMouth({ binary, otherwise: createScriptedMouth() }))

/** The same voice, with each stretch spoiled, or its stream. */
function spoiledMouth(spoil: (chunk: SpokenChunk) => SpokenChunk, heedsAbort = true): () => Mouth {
  const mouth = createScriptedMouth()
  return () => ({
    name: 'spoiled',
    async *speak(text, options) {
      const signal = heedsAbort ? options.signal : new AbortController().signal
      for await (const chunk of mouth.speak(text, { ...options, signal })) yield spoil(chunk)
    },
  })
}

const mouthFaults: [string, MouthCheck, () => Mouth, RegExp][] = [
  [
    'a word that ends after its sound',
    'every word comes once, in order, and ends within its chunk',
    spoiledMouth((chunk) => ({ ...chunk, words: chunk.words.map((word) => ({ ...word, endMs: word.endMs * 2 })) })),
    /outside its sound/,
  ],
  [
    'words out of order',
    'every word comes once, in order, and ends within its chunk',
    spoiledMouth((chunk) => ({ ...chunk, words: chunk.words.map((word, at) => ({ ...word, endMs: 900 - at * 10 })) })),
    /before the word ahead/,
  ],
  [
    'a swallowed word',
    'every word comes once, in order, and ends within its chunk',
    spoiledMouth((chunk) => ({ ...chunk, words: chunk.words.slice(1) })),
    /it said/,
  ],
  [
    'no sound',
    'the audio is loud enough and at the pace of speech',
    spoiledMouth((chunk) => ({ ...chunk, audio: new Uint8Array(0) })),
    /no sound/,
  ],
  [
    'silence for speech',
    'the audio is loud enough and at the pace of speech',
    spoiledMouth((chunk) => ({ ...chunk, audio: chunk.audio.map(() => 0xff) })),
    /sound is silence/,
  ],
  [
    'speech after an abort',
    'a mouth aborted before it begins makes no sound and no error',
    spoiledMouth((chunk) => chunk, false),
    /after the abort/,
  ],
  [
    'a stream that goes on',
    'a mouth aborted while it speaks stops at once without an error',
    spoiledMouth((chunk) => chunk, false),
    /after the abort/,
  ],
  [
    'one sentence for all',
    'two sentences spoken at once do not mix',
    () => {
      const mouth = createScriptedMouth()
      let first: string | null = null
      return { name: 'mixing', speak: (text, options) => mouth.speak((first ??= text), options) }
    },
    /became/,
  ],
]

describe('the conformance checks', () => {
  it.each(mouthFaults)('reject a mouth with: %s', async (_, check, make, complaint) => {
    await expect(mouthChecks[check](make)).rejects.toThrow(complaint)
  })
  it('are each shown failing by a fault', () => {
    expect(new Set(mouthFaults.map(([, check]) => check))).toEqual(new Set(Object.keys(mouthChecks)))
  })
})
