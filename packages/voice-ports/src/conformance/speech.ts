import { describe, expect, it } from 'vitest'
import type { Clock } from '../audio/clock.ts'
import { FRAME_MS, SAMPLE_RATE_HZ, silentFrame, type Frame } from '../audio/frame.ts'
import { levelDbm0 } from '../audio/mulaw.ts'
import type { Ear, EarEvent, Mouth, SpokenChunk } from '../speech.ts'

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

/**
 * An ear and the frames of one sentence. For ears that need text, each word stands in the frame in which its sound
 * ends.
 */
export interface EarUnderTest {
  readonly ear: Ear
  readonly clock: Clock
  advance(ms: number): Promise<void>
  readonly frames: readonly Frame[]
  readonly words: readonly { readonly text: string; readonly endMs: number }[]
  /** Longest wait for the final text after finalize(). */
  readonly finalWithinMs: number
}
type MakeEar = () => EarUnderTest | Promise<EarUnderTest>
type Words = Extract<EarEvent, { type: 'words' }>

const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N} ]/gu, '')

async function listening(make: MakeEar) {
  const under = await make()
  const heard: (Words & { readonly seenMs: number })[] = []
  const listener = under.ear.listen('en', under.clock, (event) => {
    demand(event.type !== 'failed', event.type === 'failed' ? event.message : '')
    if (event.type === 'words') heard.push({ ...event, seenMs: under.clock.nowMs() })
  })
  const push = async (frames: readonly Frame[]) => {
    for (const frame of frames) {
      listener.push(frame)
      await under.advance(FRAME_MS)
    }
  }
  const finalText = async () => {
    listener.finalize()
    await under.advance(under.finalWithinMs)
    return heard.filter((event) => event.final)
  }
  return { under, heard, listener, push, finalText }
}

const quiet = (ms: number) => Array.from({ length: ms / FRAME_MS }, () => silentFrame())

export const earChecks = {
  async 'silence brings no words'(make: MakeEar) {
    const { heard, push, finalText } = await listening(make)
    await push(quiet(1000))
    await finalText()
    demand(
      heard.every((event) => event.text === ''),
      `silence was heard as "${heard[0]?.text}"`,
    )
  },

  async 'no word comes before its sound'(make: MakeEar) {
    const { under, heard, listener } = await listening(make)
    for (const [at, frame] of under.frames.entries()) {
      const before = heard.length
      listener.push(frame)
      await under.advance(FRAME_MS)
      const said = under.words.filter(({ endMs }) => endMs <= (at + 1) * FRAME_MS).length
      for (const { text } of heard.slice(before))
        demand(split(text).length <= said, `"${text}" was heard ahead of its sound`)
    }
  },

  async 'words come as partials while they are spoken and once as final'(make: MakeEar) {
    const { under, heard, push, finalText } = await listening(make)
    await push(under.frames)
    const partials = heard.length
    const finals = await finalText()
    demand(partials > 0, 'nothing was heard before the end')
    demand(finals.length === 1, `${finals.length} finals came`)
    const expected = under.words.map((word) => word.text).join(' ')
    demand(plain(finals[0]?.text ?? '') === plain(expected), `"${expected}" was heard as "${finals[0]?.text}"`)
  },

  async 'the utterance after a final begins empty'(make: MakeEar) {
    const { under, push, finalText } = await listening(make)
    await push(under.frames)
    await finalText()
    await push(under.frames)
    const [first, second, ...more] = await finalText()
    demand(first?.text === second?.text && more.length === 0, `the second utterance was heard as "${second?.text}"`)
  },

  async 'times of words never decrease and never exceed now'(make: MakeEar) {
    const { under, heard, push, finalText } = await listening(make)
    await push(under.frames)
    await finalText()
    heard.forEach(({ atMs, seenMs }, at) => {
      demand(atMs <= seenMs, `words were heard ${atMs - seenMs} ms ahead of now`)
      demand(atMs >= (heard[at - 1]?.atMs ?? 0), 'words were heard before those ahead of them')
    })
  },

  async 'a closed ear brings no words'(make: MakeEar) {
    const { under, heard, listener, push, finalText } = await listening(make)
    listener.close()
    await push(under.frames)
    await finalText()
    demand(heard.length === 0, `it heard "${heard[0]?.text}" after it was closed`)
  },
}
export type EarCheck = keyof typeof earChecks

/** Registers the checks in the adapter's test file. */
export function mouthConforms(name: string, make: MakeMouth): void {
  describe(`${name}: mouth port`, () => {
    it.each(Object.entries(mouthChecks))('%s', async (_, check) => {
      await expect(check(make)).resolves.toBeUndefined()
    })
  })
}

export function earConforms(name: string, make: MakeEar): void {
  describe(`${name}: ear port`, () => {
    it.each(Object.entries(earChecks))('%s', async (_, check) => {
      await expect(check(make)).resolves.toBeUndefined()
    })
  })
}
