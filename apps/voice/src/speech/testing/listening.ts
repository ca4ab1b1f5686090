import { SAMPLE_RATE_HZ, type Speaking, type SpokenChunk, type SpokenWord } from '@parley/voice-ports'
import { vi } from 'vitest'

export const TEXT = 'Good morning, this is a call about your table for four on Friday.'

/** What a voice said of a text. */
interface Heard {
  readonly chunks: SpokenChunk[]
  readonly ms: number
  readonly words: readonly SpokenWord[]
  /** Of the words, in their order. */
  readonly text: string
}

export async function hear(speaking: Speaking, text = TEXT, signal = new AbortController().signal): Promise<Heard> {
  const chunks: SpokenChunk[] = []
  for await (const chunk of speaking.speak(text, { signal })) chunks.push(chunk)
  return heardOf(chunks, text)
}

function heardOf(chunks: SpokenChunk[], text: string): Heard {
  const words = chunks.flatMap((chunk) => chunk.words ?? [])
  const bytes = chunks.reduce((sum, { audio }) => sum + audio.length, 0)
  return {
    chunks,
    ms: (bytes * 1000) / SAMPLE_RATE_HZ,
    words,
    text: words.map(({ fromChar, toChar }) => text.slice(fromChar, toChar)).join(' '),
  }
}

/** Waits for a fact that sockets bring about. */
export const until = (fact: () => void) => vi.waitFor(fact, { timeout: 5000, interval: 5 })

/** What it is rejected with. */
export const failed = (heard: Promise<unknown>): Promise<unknown> =>
  heard.then(
    () => null,
    (error: unknown) => error,
  )
