import { describe, expect, it } from 'vitest'
import { type CarrierCapabilities, FRAME_MS, type Leg } from '@parley/voice-ports'
import { virtualTime, WORD_MS } from '../testing/fakes.ts'
import { Playback } from './playback.ts'

/** A leg that plays what it got at its own clock, and a sentence in pieces. */
function setUp(playout: CarrierCapabilities['playout']) {
  const { clock, ticker } = virtualTime()
  const queue: (string | null)[] = []
  const log: string[] = []
  let beating = false
  let mostAheadMs = 0
  const beat = () => {
    const item = queue.shift()
    if (item === undefined) return void (beating = false)
    if (item === null) clock.after(FRAME_MS, beat)
    else {
      playback.marked(item)
      beat()
    }
  }
  const put = (item: string | null) => {
    queue.push(item)
    mostAheadMs = Math.max(mostAheadMs, queue.filter((one) => one === null).length * FRAME_MS)
    if (!beating) clock.after(0, beat)
    beating = true
  }
  const leg: Leg = {
    capabilities: { playout, text: false, digits: true, transfer: false, machineDetection: false, silence: 'left_out' },
    send: () => put(null),
    mark: (name) => put(name),
    clear: () => void queue.splice(0),
    sendDigits: (digits) => void log.push(`${digits} with ${queue.length} ahead`),
    transfer: () => undefined,
    hangUp: () => undefined,
  }
  const playsMs: number[] = []
  const sentMs: number[] = []
  const playback = new Playback({
    clock,
    ticker,
    leg,
    outgoing: {
      sent: (_, atMs) => {
        playsMs.push(atMs)
        sentMs.push(clock.nowMs())
      },
    },
    events: {
      heard: (words) => void log.push(words),
      itemHeard: () => undefined,
      played: () => void log.push('played'),
      stalled: () => void log.push('stalled'),
    },
  })
  let said = ''
  let toChar = 0
  let endMs = 0
  const sentence = (text: string) => {
    said = text
    toChar = endMs = 0
    playback.sentence(1, { text, gap: ' ' }, true)
  }
  const word = (text: string) => {
    const fromChar = said.indexOf(text, toChar)
    toChar = fromChar + text.length
    endMs += WORD_MS
    playback.sound(1, { audio: new Uint8Array(WORD_MS * 8).fill(0x20), words: [{ fromChar, toChar, endMs }] })
  }
  return { clock, playback, leg, log, queue, sentence, word, playsMs, sentMs, mostAheadMs: () => mostAheadMs }
}

describe('pacing', () => {
  it('keeps 60 to 160 ms ahead of a carrier that buffers, also after late beats', async () => {
    const { clock, playback, queue, sentence, word, mostAheadMs } = setUp('theirs')
    playback.begin(1)
    sentence('one two three four five')
    for (const text of ['one', 'two', 'three', 'four', 'five']) word(text)
    const ahead: number[] = []
    for (let ms = 0; ms < 1200; ms += 10) {
      await clock.advance(10)
      if (ms > 40) ahead.push(queue.filter((one) => one === null).length * FRAME_MS)
    }
    expect(Math.min(...ahead)).toBeGreaterThanOrEqual(60)
    expect(mostAheadMs()).toBeLessThanOrEqual(200)
    expect(playback.underruns).toBe(0)
  })

  it('sends several frames at once to a carrier that buffers, and then none for some beats', async () => {
    const { clock, playback, sentence, word, sentMs } = setUp('theirs')
    playback.begin(1)
    sentence('one two three four five')
    for (const text of ['one', 'two', 'three', 'four', 'five']) word(text)
    await clock.advance(2000)
    const times = [...new Set(sentMs)]
    const gapsMs = times.slice(1).map((ms, at) => ms - times[at]!)
    expect(sentMs).toHaveLength(75)
    expect(Math.min(...gapsMs)).toBeGreaterThanOrEqual(80)
  })

  it('sends one frame a beat where playout is ours', async () => {
    const { clock, playback, sentence, word, mostAheadMs } = setUp('ours')
    playback.begin(1)
    sentence('one two')
    word('one')
    word('two')
    await clock.advance(1000)
    expect(mostAheadMs()).toBeLessThanOrEqual(2 * FRAME_MS)
  })

  it('says when a buffered frame will be played', async () => {
    const { clock, playback, sentence, word, playsMs } = setUp('theirs')
    playback.begin(1)
    sentence('one')
    word('one')
    await clock.advance(1000)
    expect(playsMs.map((ms) => ms - playsMs[0]!)).toEqual(playsMs.map((_, at) => at * FRAME_MS))
  })

  it.each([
    ['ours', 0, 0],
    ['ours', 200, 1],
    ['theirs', 100, 0],
    ['theirs', 400, 1],
  ] as const)('counts with playout %s a gap of %i ms within a sentence as %i underruns', async (playout, ms, count) => {
    const { clock, playback, sentence, word } = setUp(playout)
    playback.begin(1)
    sentence('one two')
    word('one')
    await clock.advance(WORD_MS - (playout === 'theirs' ? 160 : 0) + (playout === 'theirs' ? ms - 40 : ms))
    word('two')
    playback.sentenceDone(1)
    await clock.advance(1000)
    expect(playback.underruns).toBe(count)
  })

  it('counts no gap between two sentences', async () => {
    const { clock, playback, sentence, word } = setUp('ours')
    playback.begin(1)
    sentence('one')
    word('one')
    playback.sentenceDone(1)
    await clock.advance(1000)
    sentence('two')
    word('two')
    await clock.advance(1000)
    expect(playback.underruns).toBe(0)
  })
})

describe('a task within playout', () => {
  it.each(['ours', 'theirs'] as const)(
    'runs after the words before it were played and before later ones are sent, with playout %s',
    async (playout) => {
      const { clock, playback, leg, log, sentence, word } = setUp(playout)
      playback.begin(1)
      sentence('one')
      word('one')
      playback.sentenceDone(1)
      playback.whenHeard(1, () => leg.sendDigits('12#'))
      sentence('two')
      word('two')
      playback.sentenceDone(1)
      playback.finish(1)
      await clock.advance(3000)
      expect([...new Set(log)]).toEqual(['one', '12# with 0 ahead', 'one two', 'played'])
    },
  )

  it('runs and lets the rest follow when the carrier lost the mark before it', async () => {
    const { clock, playback, leg, log, sentence, word } = setUp('theirs')
    leg.mark = () => undefined
    playback.begin(1)
    sentence('one')
    word('one')
    playback.whenHeard(1, () => leg.sendDigits('1'))
    sentence('two')
    word('two')
    playback.finish(1)
    await clock.advance(10_000)
    expect(log).toContain('1 with 0 ahead')
    expect(log.at(-1)).toBe('played')
  })
})
