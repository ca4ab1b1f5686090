import { describe, expect, it } from 'vitest'
import { FRAME_BYTES, FRAME_MS } from '@parley/voice-ports'
import { WORD_MS } from '../testing/fakes.ts'
import { stagePlayback } from '../testing/staged-playback.ts'

describe('Playback', () => {
  it('sends 20 ms frames without drift, each word with the frame that ends it', async () => {
    const { clock, playback, sent, say } = stagePlayback()
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
    const { clock, playback, sent, say } = stagePlayback({ text: false })
    playback.begin(1)
    say(1, 'one two')
    await clock.advance(1000)
    expect(sent.some(({ frame }) => 'text' in frame)).toBe(false)
  })

  it('sends the first frame within 20 ms', async () => {
    const { clock, playback, sent, say } = stagePlayback()
    await clock.advance(1234)
    playback.begin(1)
    say(1, 'one')
    await clock.advance(100)
    expect(sent[0]!.atMs - 1234).toBeLessThanOrEqual(FRAME_MS)
  })

  it('plays outputs in the order in which they began', async () => {
    const { clock, playback, sent, log, say } = stagePlayback()
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
    const { clock, playback, heard, log, say } = stagePlayback()
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
    const { clock, playback, heard, say } = stagePlayback()
    playback.begin(1)
    say(1, 'one two three.')
    say(1, 'Four five six.')
    await clock.advance(ms)
    playback.drop()
    await clock.advance(3000)
    expect(heard.at(-1)).toBe(text)
  })

  it('excludes a word sent but not played before clear()', async () => {
    const { clock, playback, heard, say } = stagePlayback()
    playback.begin(1)
    say(1, 'one two')
    // The frame in which "one" ends has left, and has not been played.
    await clock.advance(281)
    playback.drop()
    await clock.advance(1000)
    expect(heard).toEqual([])
  })

  it('resumes with the word that was cut off', async () => {
    const { clock, playback, sent, heard, log, say } = stagePlayback()
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
    const { clock, playback, heard, log, say } = stagePlayback({ losesMarks: true })
    playback.begin(1)
    say(1, 'one two')
    playback.finish(1)
    await clock.advance(700)
    playback.marked('w2')
    expect(heard.at(-1)).toBe('one two')
    expect(log).toEqual([`played 1 at ${clock.nowMs()}`])
  })

  it('is complete after a timeout when no mark ever returns', async () => {
    const { clock, playback, heard, log, say } = stagePlayback({ losesMarks: true })
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
    const { clock, playback, say } = stagePlayback()
    const at: number[] = []
    playback.begin(1)
    say(1, 'one two')
    playback.whenHeard(1, () => void at.push(clock.nowMs()))
    say(1, 'three')
    await clock.advance(2000)
    expect(at).toEqual([2 * WORD_MS])
  })

  it('runs without any words', async () => {
    const { clock, playback, log } = stagePlayback()
    let pressed = false
    playback.begin(1)
    playback.whenHeard(1, () => (pressed = true))
    playback.finish(1)
    await clock.advance(100)
    expect(pressed).toBe(true)
    expect(log).toHaveLength(1)
  })

  it('does not run when the words before it were dropped', async () => {
    const { clock, playback, say } = stagePlayback()
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
    const { clock, playback, log, say } = stagePlayback()
    playback.begin(1)
    say(1, 'one')
    await clock.advance(10_000)
    expect(log).toEqual(['stalled 1'])
  })

  it('a mouth that pauses for 2 s is not reported as stalled', async () => {
    const { clock, playback, log, say } = stagePlayback()
    playback.begin(1)
    say(1, 'one')
    await clock.advance(2000)
    say(1, 'two')
    playback.finish(1)
    await clock.advance(2000)
    expect(log.map((entry) => entry.slice(0, 8))).toEqual(['played 1'])
  })
})
