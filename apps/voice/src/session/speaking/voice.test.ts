import type { Mouth, SpokenChunk } from '@parley/voice-ports'
import { createScriptedMouth } from '@parley/sandbox'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
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

describe('Voice', () => {
  it('gives the mouth figures in words, and tells the words by their place in the written text', async () => {
    const { mouth, given } = recording()
    const chunks = await all(new Voice(mouth, 'warm', 'en', pino({ level: 'silent' })).speak(TEXT, 'en', signal))
    expect(given).toEqual(['The table is at seven thirty PM, for twenty-five dollars.'])
    const places = chunks.flatMap(({ words = [] }) => words).map(({ fromChar, toChar }) => TEXT.slice(fromChar, toChar))
    expect(places).toEqual(['The', 'table', 'is', 'at', '7:30 pm', '7:30 pm', '7:30 pm,', 'for', '$25', '$25.'])
  })

  it('says them in the language of the text', async () => {
    const { mouth, given } = recording()
    await all(new Voice(mouth, 'warm', 'en', pino({ level: 'silent' })).speak('Um 19:30 Uhr.', 'de', signal))
    expect(given).toEqual(['Um neunzehn Uhr dreißig.'])
  })

  it('logs at its end how many characters each vendor was given', async () => {
    const lines: unknown[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const voice = new Voice(recording().mouth, 'warm', 'en', log)
    await all(voice.speak('One.', 'en', signal))
    await all(voice.speak('Two.', 'en', signal))
    voice.close()
    expect(lines).toMatchObject([{ mouth: 'vendor', characters: 8, msg: 'characters spoken' }])
  })
})
