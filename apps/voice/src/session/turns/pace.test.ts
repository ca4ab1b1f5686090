import { describe, expect, it } from 'vitest'
import { TurnDriver } from './driver.ts'

const driver = (options = {}) => new TurnDriver(options)
const SENTENCE = 'We have a table at eight.'
const STORY = Array.from({ length: 6 }, () => 'And then there was the garden.').join(' ')

/** Silence (ms) after which the reply to these words is played. */
function waitAfter(talk: TurnDriver, text: string): number {
  const silentSinceMs = talk.clear().calleeSays(text).nowMs - 200
  for (let waits = 0; waits < 100 && !talk.acts.includes('play'); waits++) talk.replyReady().wait(50)
  return talk.whenDid('play')! - silentSinceMs
}

/** The agent takes the turn 500 ms after a sentence; the callee goes on `afterMs` later. */
function cutOff(afterMs: number, words: string): TurnDriver {
  const talk = driver()
    .opened()
    .calleeSays(SENTENCE)
    .replyReady()
    .wait(300 + afterMs)
  talk.calleeStarts().wait(300).hears(words)
  return talk
}

/** The reply to what the callee said is heard to its end. */
function answeredTo(talk: TurnDriver, text: string): TurnDriver {
  waitAfter(talk, text)
  return talk.wait(1000).played()
}

describe('the wait after a finished sentence', () => {
  it('is 500 ms for a callee who has not gone on after one', () => {
    expect(waitAfter(driver().opened(), SENTENCE)).toBe(500)
  })

  it('is 800 ms in a turn of 30 words and more', () => {
    expect(waitAfter(driver().opened(), STORY)).toBe(800)
  })

  it('covers the pause in which the agent took the turn of a callee who went on', () => {
    const talk = cutOff(120, 'but not outside I am afraid')
    expect(talk.acts).toEqual(['ask heard', 'play', 'drop'])
    expect(waitAfter(talk.calleeStops().wait(2000).replyReady().wait(1000).played(), SENTENCE)).toBeGreaterThan(700)
  })

  it('is 1 s at most', () => {
    const talk = cutOff(390, 'but not outside I am afraid').calleeStops()
    expect(talk.state.deadlines.get('end_of_turn')! - talk.state.callee.untilMs!).toBe(1000)
  })

  it.each<[string, number, string]>([
    ['begins 400 ms after the agent, who was heard by then', 420, 'Sorry, which day was that?'],
    ['only hums', 120, 'Mhm'],
  ])('stays 500 ms when the callee %s', (_, afterMs, words) => {
    const talk = cutOff(afterMs, words).calleeStops().wait(3000).replyReady().wait(1000)
    expect(waitAfter(talk.played(), SENTENCE)).toBe(500)
  })

  it('grows by pauses of 450 ms inside a turn', () => {
    const talk = driver().opened().calleeSays(SENTENCE).wait(190).calleeSays('Or one at nine.')
    expect(waitAfter(talk.wait(2000).replyReady().wait(1000).played(), SENTENCE)).toBe(540)
  })

  it('does not grow by a pause in mid-sentence', () => {
    const talk = driver().opened().calleeSays('We could do seven or').wait(500).calleeSays('eight, if you like.')
    expect(waitAfter(talk.wait(2000).replyReady().wait(1000).played(), SENTENCE)).toBe(500)
  })

  it('is 500 ms again after replies that were heard to their end', () => {
    const talk = cutOff(120, 'but not outside I am afraid').calleeStops().wait(2000).replyReady().wait(1000).played()
    for (let replies = 0; replies < 6; replies++) answeredTo(talk, SENTENCE)
    expect(waitAfter(talk, SENTENCE)).toBe(500)
  })

  it('does not delay the answer to a question', () => {
    const talk = cutOff(120, 'but not outside I am afraid').calleeStops().wait(2000).replyReady().wait(1000).played()
    expect(waitAfter(talk, 'How many people?')).toBe(300)
  })
})

it('a reply is begun as early as before while a longer pause is waited for', () => {
  const talk = driver().opened().clear().calleeSays(STORY)
  expect(talk.acts).toEqual(['ask heard'])
})
