import { describe, expect, it } from 'vitest'
import { type Frame, FRAME_BYTES, FRAME_MS, type Leg } from '@parley/voice-ports'
import { steadySpeech, virtualTime, WORD_MS } from '../testing/fakes.ts'
import { Playback } from './playback.ts'

interface Sent {
  readonly atMs: number
  readonly frame: Frame
}

/** A leg that plays what it gets one frame later and says so, unless it is told to keep its marks. */
function setUp({ text = true, losesMarks = false } = {}) {
  const { clock, ticker } = virtualTime()
  const sent: Sent[] = []
  const log: string[] = []
  let generation = 0
  const leg: Leg = {
    send: (frame) => void sent.push({ atMs: clock.nowMs(), frame }),
    mark: (name) => {
      const sentIn = generation
      if (!losesMarks) clock.after(FRAME_MS, () => (sentIn === generation ? playback.marked(name) : undefined))
    },
    clear: () => void generation++,
    sendDigits: () => undefined,
    hangUp: () => undefined,
  }
  const heard: string[] = []
  const playback = new Playback({
    clock,
    ticker,
    leg,
    capabilities: { playout: 'ours', text },
    events: {
      sent: () => undefined,
      heard: (words, _, estimated) => void heard.push(estimated ? `~ ${words}` : words),
      itemHeard: (itemId, heardMs) => void log.push(`${itemId} heard for ${heardMs} ms`),
      played: (id) => void log.push(`played ${id} at ${clock.nowMs()}`),
      stalled: (id) => void log.push(`stalled ${id}`),
    },
  })
  const say = (id: number, sentence: string) => {
    const { audio, words } = steadySpeech(sentence)
    playback.sentence(id, { text: sentence, gap: ' ' }, true)
    playback.sound(id, { audio: audio.fill(0x20), words })
    playback.sentenceDone(id)
  }
  return { clock, playback, sent, heard, log, say }
}

describe('Playback', () => {
  it('sends 20 ms frames without drift, each word with the frame that ends it', async () => {
    const { clock, playback, sent, say } = setUp()
    playback.begin(1)
    say(1, 'one two three four five')
    playback.finish(1)
    await clock.advance(3000)
    expect(sent).toHaveLength((5 * WORD_MS) / FRAME_MS)
    const firstMs = sent[0]!.atMs
    expect(sent.every(({ atMs }, at) => atMs === firstMs + at * FRAME_MS)).toBe(true)
    expect(sent.every(({ frame }) => frame.audio.length === FRAME_BYTES)).toBe(true)
    expect(sent.flatMap(({ frame, atMs }) => (frame.text === undefined ? [] : [[atMs - firstMs, frame.text]]))).toEqual(
      [
        [280, 'one'],
        [580, 'two'],
        [880, 'three'],
        [1180, 'four'],
        [1480, 'five'],
      ],
    )
  })

  it('sends no text when the carrier carries none', async () => {
    const { clock, playback, sent, say } = setUp({ text: false })
    playback.begin(1)
    say(1, 'one two')
    await clock.advance(1000)
    expect(sent.some(({ frame }) => 'text' in frame)).toBe(false)
  })

  it('sends the first frame within 20 ms', async () => {
    const { clock, playback, sent, say } = setUp()
    await clock.advance(1234)
    playback.begin(1)
    say(1, 'one')
    await clock.advance(100)
    expect(sent[0]!.atMs - 1234).toBeLessThanOrEqual(FRAME_MS)
  })

  it('plays outputs in the order in which they began', async () => {
    const { clock, playback, sent, log, say } = setUp()
    playback.begin(1)
    playback.begin(2)
    say(2, 'second')
    say(1, 'first')
    playback.finish(2)
    playback.finish(1)
    await clock.advance(1000)
    expect(sent.flatMap(({ frame }) => frame.text ?? [])).toEqual(['first', 'second'])
    expect(log.map((entry) => entry.slice(0, 8))).toEqual(['played 1', 'played 2'])
  })
})

describe('the text that was heard', () => {
  it('grows word by word up to the written sentence', async () => {
    const { clock, playback, heard, log, say } = setUp()
    playback.begin(1)
    say(1, 'Hello, is it you?')
    playback.finish(1)
    await clock.advance(2000)
    expect([...new Set(heard)]).toEqual(['Hello,', 'Hello, is', 'Hello, is it', 'Hello, is it you?'])
    expect(log).toHaveLength(1)
  })

  it.each([
    [0, undefined],
    [200, undefined],
    [400, 'one'],
    [799, 'one two'],
    [1000, 'one two three.'],
    [1700, 'one two three. Four five'],
  ])('ends at the last whole word when playback stops after %i ms', async (ms, text) => {
    const { clock, playback, heard, say } = setUp()
    playback.begin(1)
    say(1, 'one two three.')
    say(1, 'Four five six.')
    await clock.advance(ms)
    playback.drop()
    await clock.advance(3000)
    expect(heard.at(-1)).toBe(text)
  })

  it('excludes a word sent but not played before clear()', async () => {
    const { clock, playback, heard, say } = setUp()
    playback.begin(1)
    say(1, 'one two')
    // The frame in which "one" ends has left, and has not been played.
    await clock.advance(281)
    playback.drop()
    await clock.advance(1000)
    expect(heard).toEqual([])
  })

  it('resumes with the word that was cut off', async () => {
    const { clock, playback, sent, heard, log, say } = setUp()
    playback.begin(1)
    say(1, 'one two three')
    playback.finish(1)
    await clock.advance(450)
    playback.pause()
    const sentBefore = sent.length
    await clock.advance(2000)
    expect(sent).toHaveLength(sentBefore)
    playback.resume()
    await clock.advance(1000)
    expect(sent.length - sentBefore).toBe((2 * WORD_MS) / FRAME_MS)
    expect(heard.at(-1)).toBe('one two three')
    expect(log).toHaveLength(1)
  })

  it('includes everything before a returned mark when an earlier mark is lost', async () => {
    const { clock, playback, heard, log, say } = setUp({ losesMarks: true })
    playback.begin(1)
    say(1, 'one two')
    playback.finish(1)
    await clock.advance(700)
    playback.marked('w2')
    expect(heard.at(-1)).toBe('one two')
    expect(log).toEqual([`played 1 at ${clock.nowMs()}`])
  })

  it('is complete after a timeout when no mark ever returns', async () => {
    const { clock, playback, heard, log, say } = setUp({ losesMarks: true })
    playback.begin(1)
    say(1, 'one two')
    playback.finish(1)
    await clock.advance(5000)
    expect(heard.at(-1)).toBe('one two')
    expect(log).toHaveLength(1)
  })
})

describe('a task queued by whenHeard', () => {
  it('runs once the words before it were heard', async () => {
    const { clock, playback, say } = setUp()
    const at: number[] = []
    playback.begin(1)
    say(1, 'one two')
    playback.whenHeard(1, () => void at.push(clock.nowMs()))
    say(1, 'three')
    await clock.advance(2000)
    expect(at).toEqual([2 * WORD_MS])
  })

  it('runs without any words', async () => {
    const { clock, playback, log } = setUp()
    let pressed = false
    playback.begin(1)
    playback.whenHeard(1, () => (pressed = true))
    playback.finish(1)
    await clock.advance(100)
    expect(pressed).toBe(true)
    expect(log).toHaveLength(1)
  })

  it('does not run when the words before it were dropped', async () => {
    const { clock, playback, say } = setUp()
    let pressed = false
    playback.begin(1)
    say(1, 'one two')
    playback.whenHeard(1, () => (pressed = true))
    await clock.advance(100)
    playback.drop()
    await clock.advance(2000)
    expect(pressed).toBe(false)
  })

  it('a mouth that falls silent in mid-sentence is reported as stalled', async () => {
    const { clock, playback, log, say } = setUp()
    playback.begin(1)
    say(1, 'one')
    await clock.advance(10_000)
    expect(log).toEqual(['stalled 1'])
  })

  it('a mouth that pauses for 2 s is not reported as stalled', async () => {
    const { clock, playback, log, say } = setUp()
    playback.begin(1)
    say(1, 'one')
    await clock.advance(2000)
    say(1, 'two')
    playback.finish(1)
    await clock.advance(2000)
    expect(log.map((entry) => entry.slice(0, 8))).toEqual(['played 1'])
  })
})

describe('words by their place in the text', () => {
  const sound = (words: number) => new Uint8Array(words * WORD_MS * 8).fill(0x20)
  const at = (text: string, word: string, count: number) => {
    const fromChar = text.indexOf(word)
    return { fromChar, toChar: fromChar + word.length, endMs: count * WORD_MS }
  }
  const begin = (text: string, timed = true) => {
    const call = setUp()
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
    const { clock, playback, heard } = setUp()
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
    const call = setUp()
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
