import { describe, expect, it } from 'vitest'
import { SAMPLE_RATE_HZ } from '../audio/frame.ts'
import { levelDbm0 } from '../audio/mulaw.ts'
import type { Mouth, Speaking, SpokenChunk, SpokenWord } from '../mouth.ts'
import { atOnce, demand } from './conversation.ts'

const SENTENCE = 'Good morning, this is a call about your table for four on Friday.'
const SENTENCES = `${SENTENCE} Is it free at 7 pm? If not, half past seven is fine as well.`
const QUIETEST_DBM0 = -40
/** A word's end is given in whole ms by some vendors, and their sound is cut into blocks. */
const TOLERANCE_MS = 100
const VOICE = { language: 'en', voiceId: 'default' }

type MakeMouth = () => Mouth | Promise<Mouth>

const lengthMs = (chunks: readonly SpokenChunk[]) =>
  (chunks.reduce((sum, { audio }) => sum + audio.length, 0) * 1000) / SAMPLE_RATE_HZ
const wordsIn = (chunks: readonly SpokenChunk[]) => chunks.flatMap(({ words = [] }) => words)

async function spoken(speaking: Speaking, text: string, signal = new AbortController().signal): Promise<SpokenChunk[]> {
  const chunks: SpokenChunk[] = []
  for await (const chunk of speaking.speak(text, { signal })) chunks.push(chunk)
  return chunks
}

/** Opens a voice, and closes it behind the check. */
async function withVoice(make: MakeMouth, check: (speaking: Speaking, mouth: Mouth) => Promise<void>): Promise<void> {
  const mouth = await make()
  const speaking = mouth.open(VOICE)
  try {
    await check(speaking, mouth)
  } finally {
    speaking.close()
  }
}

/** Ranges of the text, one behind the other or the same again; times that grow up to the end of the sound. */
function inOrder(words: readonly SpokenWord[], text: string, totalMs: number): void {
  let last: SpokenWord = { fromChar: 0, toChar: 0, endMs: 0 }
  for (const word of words) {
    const { fromChar, toChar, endMs } = word
    demand(
      [fromChar, toChar].every(Number.isInteger) && fromChar >= 0 && fromChar < toChar && toChar <= text.length,
      `a word stands at ${fromChar} to ${toChar} of ${text.length} letters`,
    )
    const name = `"${text.slice(fromChar, toChar)}"`
    const isSame = fromChar === last.fromChar && toChar === last.toChar
    demand(isSame || fromChar >= last.toChar, `${name} stands before the word ahead of it`)
    demand(endMs >= last.endMs, `${name} ends before the word ahead of it`)
    demand(endMs > 0 && endMs <= totalMs + TOLERANCE_MS, `${name} ends outside its sound`)
    last = word
  }
}

/** Every letter of the text belongs to a word. */
function complete(words: readonly SpokenWord[], text: string): void {
  for (const { 0: written, index } of text.matchAll(/[\p{L}\p{N}]+/gu))
    demand(
      words.some(({ fromChar, toChar }) => fromChar <= index && index + written.length <= toChar) ||
        words.some(({ fromChar, toChar }) => fromChar < index + written.length && toChar > index),
      `"${written}" has no word`,
    )
}

/** Each check throws the violation that it finds. */
export const mouthChecks = {
  'words stand in the text and in the sound, in order, and each letter belongs to one': (make: MakeMouth) =>
    withVoice(make, async (speaking, { wordTimes }) => {
      const chunks = await spoken(speaking, SENTENCES)
      inOrder(wordsIn(chunks), SENTENCES, lengthMs(chunks))
      if (wordTimes) complete(wordsIn(chunks), SENTENCES)
    }),

  'a mouth has word times if and only if it says so': (make: MakeMouth) =>
    withVoice(make, async (speaking, { wordTimes }) => {
      const count = wordsIn(await spoken(speaking, SENTENCE)).length
      demand(!wordTimes || count > 0, 'it brings no words, and says it does')
      demand(wordTimes || count === 0, `it brings ${count} words, and says it brings none`)
    }),

  'the audio is loud enough and at the pace of speech': (make: MakeMouth) =>
    withVoice(make, async (speaking) => {
      const chunks = await spoken(speaking, SENTENCE)
      demand(lengthMs(chunks) > 0, 'there is no sound')
      demand(
        chunks.some(({ audio }) => audio.length > 0 && levelDbm0(audio) > QUIETEST_DBM0),
        'the sound is silence',
      )
      const perWordMs = lengthMs(chunks) / SENTENCE.split(' ').length
      demand(perWordMs > 120 && perWordMs < 900, `a word takes ${Math.round(perWordMs)} ms`)
    }),

  'a text aborted before it begins makes no sound and no error': (make: MakeMouth) =>
    withVoice(make, async (speaking) => {
      demand((await spoken(speaking, SENTENCE, AbortSignal.abort())).length === 0, 'it spoke after the abort')
    }),

  'a text aborted while it is spoken ends at once without an error, and the next is spoken': (make: MakeMouth) =>
    withVoice(make, async (speaking) => {
      const abort = new AbortController()
      const chunks = speaking.speak(SENTENCES, { signal: abort.signal })[Symbol.asyncIterator]()
      await chunks.next()
      const underWay = chunks.next()
      abort.abort()
      // One stretch may have been on its way.
      await atOnce(underWay, 'it heeded the abort late')
      const { done } = await atOnce(chunks.next(), 'it heeded the abort late')
      demand(done === true, 'a stretch came after the abort')
      demand(lengthMs(await spoken(speaking, SENTENCE)) > 0, 'it fell silent for good')
    }),

  'two texts spoken at once do not mix': (make: MakeMouth) =>
    withVoice(make, async (speaking, { wordTimes }) => {
      const texts = ['One two three.', 'Red green blue, and a rather long list of other colours for the wall.']
      const both = await Promise.all(texts.map((text) => spoken(speaking, text)))
      for (const [at, text] of texts.entries()) {
        inOrder(wordsIn(both[at] ?? []), text, lengthMs(both[at] ?? []))
        if (wordTimes) complete(wordsIn(both[at] ?? []), text)
      }
      const [shortMs = 0, longMs = 0] = both.map(lengthMs)
      demand(longMs > 2 * shortMs, `the long text took ${longMs} ms, the short one ${shortMs} ms`)
    }),

  'a closed voice ends what it is saying and speaks no more, and leaves others alone': (make: MakeMouth) =>
    withVoice(make, async (other, mouth) => {
      const speaking = mouth.open(VOICE)
      const { signal } = new AbortController()
      const chunks = speaking.speak(SENTENCES, { signal })[Symbol.asyncIterator]()
      await chunks.next()
      speaking.close()
      demand((await atOnce(chunks.next(), 'it closed late')).done === true, 'it went on after it was closed')
      demand((await spoken(speaking, SENTENCE)).length === 0, 'it spoke after it was closed')
      speaking.close()
      demand(lengthMs(await spoken(other, SENTENCE)) > 0, 'another voice was closed with it')
    }),

  'the language can change between two texts': (make: MakeMouth) =>
    withVoice(make, async (speaking) => {
      await spoken(speaking, 'Hello.')
      for (const language of ['de', 'es-MX', 'fr']) {
        speaking.setLanguage(language)
        demand(lengthMs(await spoken(speaking, 'Olá, 12.')) > 0, `it is silent in ${language}`)
      }
    }),
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
