import { describe, expect, it } from 'vitest'
import { TurnDriver } from './driver.ts'
import { asksToHold } from './hold.ts'

const driver = (options = {}) => new TurnDriver(options)
const asks = (talk: TurnDriver) => talk.done.flatMap(({ effect }) => (effect.type === 'ask' ? [effect.cue] : []))

describe('noise before a reply', () => {
  it('of 160 ms holds the finished reply and does not discard it', () => {
    const talk = driver().opened().calleeSays('We have a table at eight.').replyReady().wait(200)
    talk.calleeSays('', 160)
    expect(talk.acts).toEqual(['ask heard'])
    expect(talk.wait(300).acts).toEqual(['ask heard', 'play'])
  })

  it('of 160 ms holds a reply that is still being made', () => {
    const talk = driver().opened().calleeSays('We have a table at eight.').wait(600).calleeSays('', 160)
    expect(talk.replyReady().wait(400).acts).toEqual(['ask heard', 'play'])
  })

  it('of 160 ms holds the opening', () => {
    const talk = driver().send({ type: 'answered' }).replyReady().wait(3000).played().wait(100).clear()
    expect(talk.calleeSays('', 160).wait(400).acts).toEqual(['play'])
  })

  it('that is a voice for 500 ms discards the reply', () => {
    const talk = driver().opened().calleeSays('We have a table at eight.').replyReady().wait(200).calleeStarts()
    expect(talk.wait(439).acts).toEqual(['ask heard'])
    expect(talk.wait(1).acts).toEqual(['ask heard', 'discard'])
  })

  it('that brings words discards the reply at once', () => {
    const talk = driver().opened().calleeSays('We have a table at eight.').replyReady().wait(200).calleeStarts()
    expect(talk.hears('Or').acts).toEqual(['ask heard', 'discard'])
  })

  it('does not outlast the time limit of a reply', () => {
    const talk = driver()
      .opened()
      .calleeSays('How many?')
      .wait(600)
      .calleeSays('', 160)
      .wait(300 + 6000)
    expect(talk.names).toContain('discard')
  })
})

describe('a wait for a reply', () => {
  it('of 1.5 s is filled by a phrase, once, and the reply follows it', () => {
    const talk = driver().opened().calleeSays('A table for how many?').wait(100)
    expect(talk.wait(1499).acts).toEqual(['ask heard'])
    expect(talk.wait(1).acts).toEqual(['ask heard', 'speak one_moment'])
    expect(talk.wait(1000).played().wait(1000).replyReady().acts).toEqual(['ask heard', 'speak one_moment', 'play'])
    expect(talk.state.fillers).toBe(1)
  })

  it('is not filled when the reply is there in time', () => {
    const talk = driver().opened().calleeSays('A table for how many?').wait(1000).replyReady().wait(4000)
    expect(talk.acts).toEqual(['ask heard', 'play'])
    expect(talk.state.fillers).toBe(0)
  })

  it('is not filled twice when the reply then fails', () => {
    const talk = driver().opened().calleeSays('A table for how many?').wait(1700).played().replyFails().wait(4000)
    expect(talk.acts).toEqual(['ask heard', 'speak one_moment', 'ask heard'])
  })

  it('goes on when the callee says "okay" to the phrase', () => {
    const talk = driver().opened().calleeSays('A table for how many?').wait(2600).played()
    expect(talk.calleeSays('Okay.', 400).replyReady().wait(500).acts).toEqual(['ask heard', 'speak one_moment', 'play'])
  })

  it('ends when the callee asks something else after the phrase', () => {
    const talk = driver().opened().calleeSays('A table for how many?').wait(2600).played()
    talk.calleeSays('And on which day?')
    expect(talk.acts).toEqual(['ask heard', 'speak one_moment', 'discard', 'ask heard'])
  })
})

describe('asksToHold', () => {
  it.each([
    'Hold on, let me check.',
    'One moment please.',
    'Just a second.',
    "Sure, I'll have a look in the book.",
    'Bear with me.',
    'Please hold.',
    'Thank you for holding, your call is important to us.',
    'Un momento, por favor.',
    'Espere, déjeme ver.',
    'Voy a mirar en la agenda.',
    'Un instant, je vous prie.',
    'Ne quittez pas, je vais vérifier.',
    'Attendez, je regarde.',
    'Einen Moment bitte.',
    'Augenblick, ich schaue mal nach.',
    'Bleiben Sie dran.',
  ])('is true for "%s"', (text) => expect(asksToHold(text)).toBe(true))

  it.each([
    'Hold on, who is this?',
    'We have a table at eight.',
    'A moment ago we still had one.',
    'Yes.',
    '',
    'Was kostet es?',
  ])('is false for "%s"', (text) => expect(asksToHold(text)).toBe(false))
})

describe('a callee who asks to hold', () => {
  const holding = (language = 'en', text = 'Hold on, let me check.') => {
    const talk = driver({ language, limitSeconds: 1800 }).opened().calleeSays(text).wait(3000).replyReady().wait(1000)
    return talk.played().clear()
  }
  /** Plays whatever the agent says, for so long. */
  const pass = (talk: TurnDriver, ms: number) => {
    for (let left = ms; left > 0 && !talk.state.over; left -= 1000) {
      talk.wait(Math.min(1000, left)).replyReady()
      if (talk.state.output) talk.wait(1).played()
    }
    return talk
  }

  it.each([
    ['en', 'Hold on, let me check.'],
    ['es', 'Espere, déjeme ver.'],
    ['fr', 'Ne quittez pas, je vais vérifier.'],
    ['de', 'Einen Moment, ich schaue mal nach.'],
  ])('in %s is still on the line after four minutes, prompted every 45 s at most', (language, text) => {
    const talk = pass(holding(language, text), 240_000)
    expect(talk.names.filter((name) => name.startsWith('hang_up'))).toEqual([])
    expect(asks(talk).length).toBeGreaterThan(0)
    expect(asks(talk).length).toBeLessThanOrEqual(5)
    expect(asks(talk).every((cue) => cue.type === 'silence' && cue.count <= 2)).toBe(true)
  })

  it('is given up after five minutes', () => {
    const talk = pass(holding(), 310_000)
    expect(talk.acts.slice(-2)).toEqual(['speak silence_goodbye', 'hang_up silence'])
  })

  it('is not given up later because music plays', () => {
    const talk = holding()
    for (let seconds = 0; seconds < 280; seconds += 20) pass(talk.calleeSays('', 15_000), 4800)
    expect(talk.names).not.toContain('speak say_again')
    expect(talk.names.filter((name) => name.startsWith('hang_up'))).toEqual([])
    expect(pass(talk, 40_000).acts.at(-1)).toBe('hang_up silence')
  })

  it('and speaks again is answered, and then silence counts as before', () => {
    const talk = pass(holding(), 60_000).clear()
    talk.calleeSays('Yes, we have a table at eight.').replyReady().wait(1000)
    expect(talk.acts).toEqual(['ask heard', 'play'])
    talk.played().clear()
    expect(talk.wait(8000).acts).toEqual(['ask silence'])
  })

  it('once more, as an announcement does, is not answered', () => {
    const talk = pass(holding(), 20_000).clear().calleeSays('Thank you for holding.').wait(3000)
    expect(talk.acts).toEqual([])
    expect(talk.names).toContain('callee_turn_over')
    expect(pass(talk, 200_000).names.filter((name) => name.startsWith('hang_up'))).toEqual([])
  })

  it('is left at the time limit', () => {
    const talk = driver({ limitSeconds: 60 }).opened().calleeSays('Hold on, let me check.').wait(3000).replyReady()
    expect(pass(talk.wait(500).played(), 60_000).acts.at(-1)).toBe('hang_up time_limit')
  })
})

describe('a mind that expects a silence', () => {
  const asked = (talk: TurnDriver) => talk.names.filter((name) => name === 'ask silence').length

  it('lets the callee be silent for as long as it said, and no longer once they have spoken', () => {
    const talk = driver({ limitSeconds: 1800 }).opened().send({ type: 'patience', forMs: 60_000 })
    expect(asked(talk.wait(59_000))).toBe(0)
    expect(asked(talk.wait(2000))).toBe(1)
    const spoken = driver({ limitSeconds: 1800 }).opened().send({ type: 'patience', forMs: 60_000 })
    spoken.calleeSays('Here I am again.').wait(1000).replyReady().wait(1000).played().clear()
    expect(asked(spoken.wait(9000))).toBe(1)
  })
})

describe('a turn of the callee while the user has taken over', () => {
  const overs = (talk: TurnDriver) => talk.names.filter((name) => name === 'callee_turn_over').length
  const said = () => driver().opened().send({ type: 'taken_over' }).calleeSays('We have a table.')

  it('is over after the silence at the end of a turn', () => {
    expect(overs(said().wait(299))).toBe(0)
    expect(overs(said().wait(300))).toBe(1)
  })

  it('is not over while the line stalls', () => {
    expect(overs(said().wait(900, 'unheard'))).toBe(0)
    expect(overs(said().wait(900, 'unheard').wait(60))).toBe(1)
  })
})
