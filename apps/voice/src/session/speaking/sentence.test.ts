import { describe, expect, it } from 'vitest'
import { WORD_MS } from '../testing/fakes.ts'
import { stagePlayback } from '../testing/staged-playback.ts'

describe('words by their place in the text', () => {
  const sound = (words: number) => new Uint8Array(words * WORD_MS * 8).fill(0x20)
  const at = (text: string, word: string, count: number) => {
    const fromChar = text.indexOf(word)
    return { fromChar, toChar: fromChar + word.length, endMs: count * WORD_MS }
  }
  const begin = (text: string, timed = true) => {
    const call = stagePlayback()
    call.playback.begin(1)
    call.playback.sentence(1, { text, gap: ' ' }, timed)
    const end = () => {
      call.playback.sentenceDone(1)
      call.playback.finish(1)
    }
    return { ...call, end }
  }
  const AT_SEVEN = 'At 7pm, please.'
  const SPOKEN = [
    at(AT_SEVEN, 'At', 1),
    at(AT_SEVEN, '7pm', 2),
    at(AT_SEVEN, '7pm', 3),
    at(AT_SEVEN, '7pm', 4),
    at(AT_SEVEN, 'please', 5),
  ]

  it('"7pm" was heard with the last of its spoken words, and has its comma', async () => {
    const { clock, playback, sent, heard, end } = begin(AT_SEVEN)
    playback.sound(1, { audio: sound(5), words: SPOKEN })
    end()
    await clock.advance(3.9 * WORD_MS)
    expect(new Set(heard)).toEqual(new Set(['At']))
    await clock.advance(1000)
    expect([...new Set(heard)]).toEqual(['At', 'At 7pm,', AT_SEVEN])
    expect(sent.flatMap(({ frame }) => frame.text ?? [])).toEqual(['At', '7pm,', 'please.'])
  })

  it('are estimated up to a word whose time its voice did not tell', async () => {
    const { clock, playback, heard, end } = begin(AT_SEVEN)
    const words = [
      at(AT_SEVEN, 'At', 1),
      { ...at(AT_SEVEN, '7pm', 2), estimated: true as const },
      at(AT_SEVEN, 'please', 3),
    ]
    playback.sound(1, { audio: sound(3), words })
    end()
    await clock.advance(4 * WORD_MS)
    expect([...new Set(heard)]).toEqual(['At', '~ At 7pm,', AT_SEVEN])
  })

  it('words count that come after their audio', async () => {
    const { clock, playback, heard, log, end } = begin(AT_SEVEN)
    playback.sound(1, { audio: sound(5) })
    await clock.advance(3 * WORD_MS)
    expect(heard).toEqual([])
    playback.sound(1, { audio: new Uint8Array(), words: SPOKEN })
    await clock.advance(100)
    expect(heard.at(-1)).toBe('At')
    end()
    await clock.advance(1000)
    expect(heard.at(-1)).toBe(AT_SEVEN)
    expect(log).toHaveLength(1)
  })

  it('words that come before their audio are heard with it', async () => {
    const { clock, playback, sent, heard, log, end } = begin(AT_SEVEN)
    playback.sound(1, { audio: new Uint8Array(), words: SPOKEN })
    await clock.advance(1000)
    expect([sent, heard]).toEqual([[], []])
    playback.sound(1, { audio: sound(5) })
    end()
    await clock.advance(5.5 * WORD_MS)
    expect([...new Set(heard)]).toEqual(['At', 'At 7pm,', AT_SEVEN])
    expect(log).toHaveLength(1)
  })

  it('words behind the end of the sound end with it', async () => {
    const { clock, playback, heard, log, end } = begin(AT_SEVEN)
    playback.sound(1, { audio: sound(3), words: SPOKEN })
    end()
    await clock.advance(3.5 * WORD_MS)
    expect(heard.at(-1)).toBe(AT_SEVEN)
    expect(log).toHaveLength(1)
  })

  it.each([
    ['outside the text', [{ fromChar: 900, toChar: 950, endMs: 300 }], AT_SEVEN],
    ['without a number', [{ fromChar: NaN, toChar: NaN, endMs: NaN }], undefined],
    ['going backwards', [at(AT_SEVEN, '7pm', 1), at(AT_SEVEN, 'At', 2)], 'At 7pm,'],
  ])('words %s do no harm', async (_, words, text) => {
    const { clock, playback, heard, log, end } = begin(AT_SEVEN)
    playback.sound(1, { audio: sound(5), words })
    await clock.advance(3 * WORD_MS)
    expect(heard.at(-1)).toBe(text)
    end()
    await clock.advance(5 * WORD_MS)
    expect(heard.at(-1)).toBe(AT_SEVEN)
    expect(log).toHaveLength(1)
  })

  it('sentences of scripts without spaces are joined without one', async () => {
    const { clock, playback, heard } = stagePlayback()
    playback.begin(1)
    for (const text of ['您好。', '谢谢。']) {
      playback.sentence(1, { text, gap: '' }, true)
      playback.sound(1, { audio: sound(1), words: [] })
      playback.sentenceDone(1)
    }
    await clock.advance(1000)
    expect(heard.at(-1)).toBe('您好。谢谢。')
  })

  describe('without word times', () => {
    const FIVE = 'one two three four five'

    it('are estimated in proportion once the sound is whole, and say so', async () => {
      const { clock, playback, heard, end } = begin(FIVE, false)
      playback.sound(1, { audio: sound(5) })
      end()
      await clock.advance(2.5 * WORD_MS)
      expect(heard.at(-1)).toBe('~ one two')
      await clock.advance(1000)
      expect(heard.at(-1)).toBe(FIVE)
    })

    it('are estimated at a slow pace while the sound still comes', async () => {
      const { clock, playback, heard } = begin(FIVE, false)
      playback.sound(1, { audio: sound(2) })
      playback.sound(1, { audio: sound(2) })
      await clock.advance(4 * WORD_MS)
      expect(heard.at(-1)).toBe('~ one two three')
    })
  })
})

describe('sound of the mind', () => {
  const BLOCK = new Uint8Array(4000).fill(0x20)
  const item = () => {
    const call = stagePlayback()
    call.playback.begin(1)
    call.playback.item(1, 'a')
    call.playback.itemText(1, 'Good morning,')
    call.playback.sound(1, { audio: BLOCK })
    call.playback.itemText(1, ' this is a call.')
    call.playback.sound(1, { audio: BLOCK })
    return call
  }

  it('tells how much of it was heard when it is cut short', async () => {
    const { clock, playback, heard, log } = item()
    await clock.advance(450)
    playback.drop()
    expect(log).toEqual(['a heard for 400 ms'])
    expect(heard.at(-1)).toMatch(/^~ Good/)
  })

  it('tells that it was heard out', async () => {
    const { clock, playback, heard, log } = item()
    playback.sentenceDone(1)
    playback.finish(1)
    await clock.advance(1500)
    expect(log[0]).toBe('a heard for 1000 ms')
    expect(heard.at(-1)).toBe('Good morning, this is a call.')
  })

  it('tells how much was heard when its mind fell silent and the rest is given up', async () => {
    const { clock, playback, log } = item()
    await clock.advance(2000)
    playback.finish(1)
    await clock.advance(100)
    expect(log[0]).toBe('a heard for 1000 ms')
  })

  it('tells that nothing was heard of an item behind the cut', async () => {
    const { clock, playback, log } = item()
    playback.sentenceDone(1)
    playback.item(1, 'b')
    playback.sound(1, { audio: BLOCK })
    await clock.advance(310)
    playback.drop()
    expect(log).toEqual(['a heard for 300 ms', 'b heard for 0 ms'])
  })
})
