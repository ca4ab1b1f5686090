import { describe, expect, it } from 'vitest'
import type { Clock } from '../audio/clock.ts'
import { FRAME_MS, silentFrame, type Frame } from '../audio/frame.ts'
import type { Ear, EarEvent } from '../ear.ts'

function demand(holds: boolean, complaint: string): void {
  if (!holds) throw new Error(complaint)
}

const split = (text: string) => text.split(/\s+/).filter((word) => word !== '')
const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N} ]/gu, '')

/** A sentence as sound. For ears that need text, each word stands in the frame in which its sound ends. */
export interface Utterance {
  readonly frames: readonly Frame[]
  readonly words: readonly { readonly text: string; readonly endMs: number }[]
}

/** An ear before an English sentence. */
export interface EarUnderTest extends Utterance {
  readonly ear: Ear
  readonly clock: Clock
  advance(ms: number): Promise<void>
  /** Longest time until the ear is ready. */
  readonly readyWithinMs: number
  /** A sentence in another language. */
  readonly other: Utterance & { readonly language: string }
  /** Breaks the connection to the vendor, as a network does. */
  lose(): void
}
type MakeEar = () => EarUnderTest | Promise<EarUnderTest>
type Words = Extract<EarEvent, { type: 'words' }>
type Seen = EarEvent & { readonly seenMs: number }

async function listening(make: MakeEar) {
  const under = await make()
  const events: Seen[] = []
  const abort = new AbortController()
  const options = { callId: 'call', language: 'en', keyterms: ['Market Street House'], signal: abort.signal }
  const listener = under.ear.listen(options, under.clock, (event) => {
    events.push({ ...event, seenMs: under.clock.nowMs() })
  })
  await under.advance(under.readyWithinMs)
  demand(events[0]?.type === 'ready', `the first event is ${events[0]?.type ?? 'missing'}, not ready`)
  const push = async (frames: readonly Frame[]) => {
    for (const frame of frames) {
      listener.push(frame)
      await under.advance(FRAME_MS)
    }
  }
  const settle = async () => {
    listener.finalize()
    await under.advance(under.ear.settlesWithinMs)
  }
  const heard = () => events.filter((event): event is Words & Seen => event.type === 'words')
  const finals = () => heard().filter(({ final }) => final)
  const types = () => events.map(({ type }) => type)
  return { under, events, heard, finals, types, listener, push, settle }
}

const quiet = (ms: number) => Array.from({ length: ms / FRAME_MS }, () => silentFrame())
const textOf = ({ words }: Utterance) => words.map(({ text }) => text).join(' ')

/** Each check throws the violation that it finds. */
export const earChecks = {
  async 'ready comes once and before anything else'(make: MakeEar) {
    const { under, types, push, settle } = await listening(make)
    await push(under.frames)
    await settle()
    demand(types().filter((type) => type === 'ready').length === 1, 'ready came more than once')
  },

  async 'silence brings no words'(make: MakeEar) {
    const { heard, push, settle } = await listening(make)
    await push(quiet(1000))
    await settle()
    demand(
      heard().every(({ text }) => text === ''),
      `silence was heard as "${heard()[0]?.text}"`,
    )
  },

  async 'no word comes before its sound'(make: MakeEar) {
    const { under, heard, listener } = await listening(make)
    for (const [at, frame] of under.frames.entries()) {
      const before = heard().length
      listener.push(frame)
      await under.advance(FRAME_MS)
      const said = under.words.filter(({ endMs }) => endMs <= (at + 1) * FRAME_MS).length
      for (const { text } of heard().slice(before))
        demand(split(text).length <= said, `"${text}" was heard ahead of its sound`)
    }
  },

  async 'words come as partials while they are spoken and once as final'(make: MakeEar) {
    const { under, heard, finals, push, settle } = await listening(make)
    await push(under.frames)
    demand(heard().length > 0, 'nothing was heard before the end')
    await settle()
    demand(finals().length === 1, `${finals().length} finals came`)
    demand(plain(finals()[0]?.text ?? '') === plain(textOf(under)), `it was heard as "${finals()[0]?.text}"`)
  },

  /** A partial carries the whole utterance; a revision may join two words, but drops none. */
  async 'a revised partial keeps the words before it'(make: MakeEar) {
    const { under, heard, push } = await listening(make)
    await push(under.frames)
    let most = 0
    for (const { text } of heard()) {
      const count = split(text).length
      demand(count >= most - 1, `of ${most} words "${text}" was left`)
      most = Math.max(most, count)
    }
    demand(most * 2 >= under.words.length, `no partial had more than ${most} words`)
  },

  async 'finalize() is answered by one settled within the stated time, also in silence'(make: MakeEar) {
    const { under, types, push, settle } = await listening(make)
    const settled = () => types().filter((type) => type === 'settled').length
    await push(under.frames)
    demand(settled() === 0, 'it settled before finalize()')
    await settle()
    demand(settled() === 1, `${settled()} settled came for an utterance`)
    await push(quiet(200))
    await settle()
    demand(settled() === 2, `${settled() - 1} settled came for silence`)
  },

  async 'settled comes after the final of the words before it'(make: MakeEar) {
    const { under, events, push, settle } = await listening(make)
    await push(under.frames)
    await settle()
    await under.advance(under.ear.settlesWithinMs + 2000)
    const after = events.slice(events.findIndex(({ type }) => type === 'settled') + 1)
    const late = after.find((event) => event.type === 'words')
    demand(late === undefined, `"${late?.type === 'words' ? late.text : ''}" came after settled`)
  },

  async 'the utterance after a final begins empty'(make: MakeEar) {
    const { under, finals, push, settle } = await listening(make)
    for (let times = 0; times < 2; times++) {
      await push(under.frames)
      await settle()
    }
    const [first, second, ...more] = finals()
    demand(first?.text === second?.text && more.length === 0, `the second utterance was heard as "${second?.text}"`)
  },

  async 'times of words never decrease and never exceed now'(make: MakeEar) {
    const { under, heard, push, settle } = await listening(make)
    await push(under.frames)
    await settle()
    heard().forEach(({ atMs, seenMs }, at) => {
      demand(atMs <= seenMs, `words were heard ${atMs - seenMs} ms ahead of now`)
      demand(atMs >= (heard()[at - 1]?.atMs ?? 0), 'words were heard before those ahead of them')
    })
  },

  async 'after setLanguage() that language is heard, as the expected one'(make: MakeEar) {
    const { under, events, finals, listener, push, settle } = await listening(make)
    const { other } = under
    listener.setLanguage(other.language)
    await push(other.frames)
    await settle()
    demand(plain(finals()[0]?.text ?? '') === plain(textOf(other)), `it was heard as "${finals()[0]?.text}"`)
    const changed = events.find((event) => event.type === 'language')
    demand(changed === undefined, 'the language that was set is reported as a change')
  },

  async 'a lost connection is reported once, as the last event, with whether to retry'(make: MakeEar) {
    const { under, events, push, settle } = await listening(make)
    await push(under.frames.slice(0, 20))
    under.lose()
    await under.advance(FRAME_MS)
    await push(under.frames)
    await settle()
    const failed = events.filter((event) => event.type === 'failed')
    demand(failed.length === 1, `failed was reported ${failed.length} times`)
    demand(events.at(-1)?.type === 'failed', `${events.at(-1)?.type} came after failed`)
    demand(
      failed.every(
        ({ retryable, retryAfterMs }) =>
          typeof retryable === 'boolean' && (retryAfterMs === null || Number.isFinite(retryAfterMs)),
      ),
      'failed does not say whether to retry',
    )
  },

  async 'a closed ear brings no words'(make: MakeEar) {
    const { under, heard, listener, push, settle } = await listening(make)
    listener.close()
    await push(under.frames)
    await settle()
    demand(heard().length === 0, `it heard "${heard()[0]?.text}" after it was closed`)
  },

  async 'a closed ear reports no failure'(make: MakeEar) {
    const { under, types, listener } = await listening(make)
    listener.close()
    under.lose()
    await under.advance(1000)
    demand(!types().includes('failed'), 'it failed after it was closed')
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
