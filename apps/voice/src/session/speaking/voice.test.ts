import { type Mouth, type SpokenChunk, virtualClock } from '@parley/voice-ports'
import { createScriptedMouth } from '@parley/sandbox'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { Figures, NO_PRICES } from '../reporting/figures.ts'
import { Voice } from './voice.ts'

const TEXT = 'The table is at 7:30 pm, for $25.'
const { signal } = new AbortController()

/** A mouth that keeps what it was given to say. */
function recording() {
  const given: string[] = []
  const other = createScriptedMouth()
  const mouth: Mouth = {
    ...other,
    open(options) {
      const speaking = other.open(options)
      return {
        ...speaking,
        speak(text, told) {
          given.push(text)
          options.onSpoken?.({ mouth: 'vendor', characters: text.length })
          return speaking.speak(text, told)
        },
      }
    },
  }
  return { mouth, given }
}

async function all(chunks: AsyncIterable<SpokenChunk>): Promise<SpokenChunk[]> {
  const kept: SpokenChunk[] = []
  for await (const chunk of chunks) kept.push(chunk)
  return kept
}

const voiceOf = (mouth: Mouth, figures = new Figures({ prices: NO_PRICES })) =>
  new Voice({ mouth, voiceId: 'warm', language: 'en', clock: virtualClock(), figures, log: pino({ level: 'silent' }) })

describe('Voice', () => {
  it('gives the mouth figures in words, and tells the words by their place in the written text', async () => {
    const { mouth, given } = recording()
    const chunks = await all(voiceOf(mouth).speak(TEXT, 'en', signal))
    expect(given).toEqual(['The table is at seven thirty PM, for twenty-five dollars.'])
    const places = chunks.flatMap(({ words = [] }) => words).map(({ fromChar, toChar }) => TEXT.slice(fromChar, toChar))
    expect(places).toEqual(['The', 'table', 'is', 'at', '7:30 pm', '7:30 pm', '7:30 pm,', 'for', '$25', '$25.'])
  })

  it('says them in the language of the text', async () => {
    const { mouth, given } = recording()
    await all(voiceOf(mouth).speak('Um 19:30 Uhr.', 'de', signal))
    expect(given).toEqual(['Um neunzehn Uhr dreißig.'])
  })

  it('counts the characters that each vendor was given, and the time to its first sound', async () => {
    const figures = new Figures({ prices: NO_PRICES })
    const voice = voiceOf(recording().mouth, figures)
    await all(voice.speak('One.', 'en', signal))
    await all(voice.speak('Two.', 'en', signal))
    voice.close()
    expect(figures.result).toMatchObject({
      spoken: [{ mouth: 'vendor', characters: 8 }],
      stages: [{ stage: 'mouth_first_sound', count: 2 }],
    })
  })
})
