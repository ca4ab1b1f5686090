import { describe, expect, it } from 'vitest'
import { SAMPLE_RATE_HZ } from '../audio/frame.ts'
import { levelDbm0 } from '../audio/mulaw.ts'
import type { Mouth, SpokenChunk } from '../speech.ts'

function demand(holds: boolean, complaint: string): void {
  if (!holds) throw new Error(complaint)
}

const SENTENCE = 'Good morning, this is a call about your table for four on Friday.'
const QUIETEST_DBM0 = -40
const bytesToMs = (bytes: number) => (bytes * 1000) / SAMPLE_RATE_HZ
const split = (text: string) => text.split(/\s+/).filter((word) => word !== '')

async function spoken(mouth: Mouth, text: string, signal = new AbortController().signal): Promise<SpokenChunk[]> {
  const chunks: SpokenChunk[] = []
  for await (const chunk of mouth.speak(text, { language: 'en', voiceId: 'default', signal })) chunks.push(chunk)
  return chunks
}

type MakeMouth = () => Mouth | Promise<Mouth>

/** Each check throws the violation that it finds. */
export const mouthChecks = {
  async 'every word comes once, in order, and ends within its chunk'(make: MakeMouth) {
    const chunks = await spoken(await make(), SENTENCE)
    const words = chunks.flatMap((chunk) => chunk.words.map((word) => word.text))
    demand(words.join(' ') === SENTENCE, `it said "${words.join(' ')}"`)
    for (const chunk of chunks) {
      let lastMs = 0
      for (const { text, endMs } of chunk.words) {
        demand(endMs >= lastMs, `"${text}" ends before the word ahead of it`)
        demand(endMs > 0 && endMs <= bytesToMs(chunk.audio.length), `"${text}" ends outside its sound`)
        lastMs = endMs
      }
    }
  },

  async 'the audio is loud enough and at the pace of speech'(make: MakeMouth) {
    const chunks = await spoken(await make(), SENTENCE)
    demand(chunks.length > 0 && chunks.every((chunk) => chunk.audio.length > 0), 'there is no sound')
    demand(
      chunks.some((chunk) => levelDbm0(chunk.audio) > QUIETEST_DBM0),
      'the sound is silence',
    )
    const perWordMs = bytesToMs(chunks.reduce((sum, chunk) => sum + chunk.audio.length, 0)) / split(SENTENCE).length
    demand(perWordMs > 120 && perWordMs < 900, `a word takes ${Math.round(perWordMs)} ms`)
  },

  async 'a mouth aborted before it begins makes no sound and no error'(make: MakeMouth) {
    demand((await spoken(await make(), SENTENCE, AbortSignal.abort())).length === 0, 'it spoke after the abort')
  },

  async 'a mouth aborted while it speaks stops at once without an error'(make: MakeMouth) {
    const mouth = await make()
    const abort = new AbortController()
    let after = 0
    for await (const _ of mouth.speak(`${SENTENCE} ${SENTENCE} ${SENTENCE}`, {
      language: 'en',
      voiceId: 'default',
      signal: abort.signal,
    })) {
      if (abort.signal.aborted) after++
      abort.abort()
    }
    demand(after === 0, `${after} stretches came after the abort`)
  },

  async 'two sentences spoken at once do not mix'(make: MakeMouth) {
    const mouth = await make()
    const texts = ['One two three.', 'Red green blue.']
    const both = await Promise.all(texts.map((text) => spoken(mouth, text)))
    both.forEach((chunks, at) => {
      const words = chunks.flatMap((chunk) => chunk.words.map((word) => word.text)).join(' ')
      demand(words === texts[at], `"${texts[at]}" became "${words}"`)
    })
  },
}
export type MouthCheck = keyof typeof mouthChecks

/** Registers the checks in the adapter's test file. */
export function mouthConforms(name: string, make: MakeMouth): void {
  describe(`${name}: mouth port`, () => {
    it.each(Object.entries(mouthChecks))('%s', async (_, check) => {
      await expect(check(make)).resolves.toBeUndefined()
    })
  })
}
