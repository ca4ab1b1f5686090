import { describe, expect, it } from 'vitest'
import { NovaMessage, type Results } from './messages.ts'
import { languageOf, NovaUtterance } from './nova-words.ts'

type Told = Partial<Pick<Results, 'is_final' | 'speech_final' | 'from_finalize'>>

function results(
  start: number,
  duration: number,
  transcript: string,
  told: Told = {},
  languages: string[] = [],
): Results {
  const words = transcript.split(' ').map((word, at) => ({ word, language: languages[at] }))
  const channel = { alternatives: [{ transcript, words }] }
  const message = NovaMessage.parse({ type: 'Results', start, duration, channel, ...told })
  if (message.type !== 'Results') throw new Error('It was taken for another message.')
  return message
}

const FINAL = { is_final: true }
const ENDS = { is_final: true, speech_final: true }
const FINALIZED = { is_final: true, from_finalize: true }

function heard(...all: readonly Results[]) {
  const utterance = new NovaUtterance()
  return all.flatMap((each) => {
    const words = utterance.take(each)
    return words ? [`${words.text}${words.final ? ' |' : ''}`] : []
  })
}

describe('an utterance of nova', () => {
  it('keeps the final parts of long speech before what is still revised', () => {
    expect(
      heard(
        results(0, 1, 'we have'),
        results(0, 2, 'We have a table', FINAL),
        results(2, 0.5, 'at'),
        results(2, 1, 'at eight.', ENDS),
      ),
    ).toEqual(['we have', 'We have a table', 'We have a table at', 'We have a table at eight. |'])
  })

  it('is not told again while only silence follows', () => {
    expect(heard(results(0, 1, 'yes'), results(0, 2, 'yes'), results(2, 1, ''), results(2, 1, '', ENDS))).toHaveLength(
      2,
    )
  })

  it('ignores partials that a final has overtaken', () => {
    expect(heard(results(0, 2, 'Yes please.', ENDS), results(0, 1.5, 'yes'), results(2, 1, 'and'))).toEqual([
      'Yes please. |',
      'and',
    ])
  })

  it('puts final parts that come out of order in their order', () => {
    expect(
      heard(results(2, 1, 'at eight.', FINAL), results(0, 2, 'We have a table', FINAL), results(3, 0, '', FINALIZED)),
    ).toEqual(['at eight.', 'We have a table at eight.', 'We have a table at eight. |'])
  })

  it('goes on with the words behind those that were made final before the vendor did', () => {
    const utterance = new NovaUtterance()
    utterance.take(results(0, 1, 'yes but'))
    expect(utterance.end()).toEqual({ text: 'yes but', final: true })
    expect(utterance.take(results(0, 2, 'Yes, but only if', FINAL))).toEqual({ text: 'only if', final: false })
    expect(utterance.take(results(2, 1, 'you pay.', FINALIZED))).toEqual({ text: 'only if you pay.', final: true })
  })

  it('has no spaces between Chinese characters of different parts', () => {
    expect(heard(results(0, 1, '我们有', FINAL), results(1, 1, '桌子。', ENDS))).toEqual(['我们有', '我们有桌子。 |'])
  })
})

describe('the language of words', () => {
  it('is that of most of them, when two words tell it', () => {
    expect(languageOf(results(0, 1, 'hola buenas tardes okay', FINAL, ['es', 'es', 'es', 'en']))).toBe('es')
    expect(languageOf(results(0, 1, 'okay', FINAL, ['en']))).toBeNull()
    expect(languageOf(results(0, 1, 'si okay sure', FINAL, ['es', 'en', 'en']))).toBe('en')
    expect(languageOf(results(0, 1, 'yes sure'))).toBeNull()
  })
})
