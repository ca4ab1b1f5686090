import { describe, expect, it } from 'vitest'
import type { Clock } from '../audio/clock.ts'
import { FRAME_MS, silentFrame, type Frame } from '../audio/frame.ts'
import type { Ear, EarEvent } from '../speech.ts'

function demand(holds: boolean, complaint: string): void {
  if (!holds) throw new Error(complaint)
}

const split = (text: string) => text.split(/\s+/).filter((word) => word !== '')

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
export function earConforms(name: string, make: MakeEar): void {
  describe(`${name}: ear port`, () => {
    it.each(Object.entries(earChecks))('%s', async (_, check) => {
      await expect(check(make)).resolves.toBeUndefined()
    })
  })
}
