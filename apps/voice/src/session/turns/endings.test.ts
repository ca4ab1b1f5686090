import { describe, expect, it } from 'vitest'
import { TurnDriver } from './driver.ts'
import type { TurnEvent } from './state.ts'

const driver = (options = {}) => new TurnDriver(options)

describe('a goodbye', () => {
  const closing = (reason: 'agent_closed' | 'opted_out' = 'agent_closed') => {
    const talk = driver().opened().calleeSays('That is all, thank you.')
    return talk.send({ type: 'reply_closes', id: talk.state.reply!.id, reason }).replyReady().wait(1000).clear()
  }

  it('hangs up 1.5 s after it was heard', () => {
    expect(closing().played().wait(1499).acts).toEqual([])
    expect(closing().played().wait(1500).acts).toEqual(['hang_up agent_closed'])
  })

  it('lets the callee finish their own goodbye', () => {
    const talk = closing().played().wait(400).calleeSays('Thank you, goodbye!', 1500)
    expect(talk.acts).toEqual([])
    expect(talk.wait(300).acts).toEqual(['hang_up agent_closed'])
  })

  it("waits at most 4 s for the callee's goodbye", () => {
    expect(closing().played().wait(400).calleeStarts().wait(3600).acts).toEqual(['hang_up agent_closed'])
  })

  it.each(['', 'Thanks.', 'Okay, bye bye.', 'Thank you, you too, have a nice day'])(
    'is not cancelled by "%s"',
    (text) => {
      const talk = closing().calleeSays(text, 900).wait(3000)
      expect(talk.acts).toEqual([])
      expect(talk.played().wait(1500).acts).toEqual(['hang_up agent_closed'])
    },
  )

  it('is withdrawn for a second thought, at most twice', () => {
    const secondThought = (talk: TurnDriver) => {
      talk.calleeSays('Wait, could you make it eight instead?', 1500)
      return talk.send({ type: 'reply_closes', id: talk.state.reply?.id ?? -1, reason: 'agent_closed' })
    }
    const talk = secondThought(closing())
    expect(talk.acts).toEqual(['drop', 'ask heard'])
    secondThought(talk.replyReady().wait(1000).played().wait(100))
    expect(talk.acts.filter((act) => act === 'ask heard')).toHaveLength(2)
    talk.replyReady().wait(1000).clear()
    expect(secondThought(talk).acts).toEqual([])
    expect(talk.played().wait(3000).acts).toEqual(['hang_up agent_closed'])
  })

  it('after an opt-out cannot be withdrawn and hangs up at once', () => {
    const talk = closing('opted_out').calleeSays('And another thing, who gave you my number?', 1500)
    expect(talk.acts).toEqual([])
    expect(talk.played().acts).toEqual(['hang_up opted_out'])
  })
})

describe('a lost ear', () => {
  it('is admitted, and the call ends as interrupted', () => {
    const talk = driver().opened().send({ type: 'ear_lost' })
    expect(talk.acts).toEqual(['speak trouble'])
    expect(talk.clear().played().wait(1500).acts).toEqual(['hang_up interrupted'])
  })

  it('drops what the agent is saying', () => {
    const talk = driver().opened().calleeSays('We have a table at eight.').replyReady().wait(2000).clear()
    expect(talk.send({ type: 'ear_lost' }).acts).toEqual(['drop', 'speak trouble'])
  })

  it('does not replace a goodbye', () => {
    const talk = driver().opened().calleeSays('That is all, thank you.')
    talk
      .send({ type: 'reply_closes', id: talk.state.reply!.id, reason: 'agent_closed' })
      .replyReady()
      .wait(1000)
      .clear()
    expect(talk.send({ type: 'ear_lost' }).acts).toEqual([])
  })

  it('ends the call only after the user has handed back', () => {
    const talk = driver().opened().send({ type: 'taken_over' }).clear().send({ type: 'ear_lost' })
    expect(talk.acts).toEqual([])
    expect(talk.send({ type: 'handed_back' }).acts).toEqual(['speak trouble'])
  })
})

describe('an opt-out', () => {
  it('by key is confirmed and ends the call', () => {
    const talk = driver().answering().send({ type: 'digit', digit: '9' })
    expect(talk.acts).toEqual(
      ['drop', 'opted_out', 'speak opt_out'].toSorted((a, b) => talk.acts.indexOf(a) - talk.acts.indexOf(b)),
    )
    expect(talk.wait(2000).played().acts.at(-1)).toBe('hang_up opted_out')
  })

  it('by key pressed twice counts once', () => {
    const talk = driver().answering().send({ type: 'digit', digit: '9' }).send({ type: 'digit', digit: '9' })
    expect(talk.acts.filter((act) => act === 'opted_out')).toHaveLength(1)
  })

  it("in a reply of the mind ends the call after the reply's sentence", () => {
    const talk = driver()
      .opened()
      .calleeSays('Take me off your list.')
      .replyReady()
      .wait(1000)
      .send({ type: 'opted_out' })
    expect(talk.wait(1000).played().acts).toEqual(['ask heard', 'play', 'hang_up opted_out'])
  })

  it('in a reply without words is confirmed by a phrase of the server', () => {
    const talk = driver()
      .opened()
      .calleeSays('Take me off your list.')
      .replyReady()
      .wait(1000)
      .played()
      .send({ type: 'opted_out' })
    expect(talk.acts).toEqual(['ask heard', 'play', 'speak opt_out'])
  })

  it('by key needs the key 9: the key 4 is passed to the mind as words', () => {
    const talk = driver().opened().send({ type: 'digit', digit: '4' })
    expect(talk.done.at(-1)?.effect).toMatchObject({ type: 'ask', cue: { type: 'heard', text: '4' } })
  })
})

describe('silence of the callee', () => {
  it('is answered by two prompts of the mind and then by a goodbye', () => {
    const talk = driver().opened()
    for (const count of [1, 2]) {
      expect(talk.wait(7999).acts.length).toBe(0)
      talk.wait(1)
      expect(talk.done.at(-1)?.effect).toMatchObject({ type: 'ask', cue: { type: 'silence', count } })
      talk.replyReady().wait(1000).played().clear()
    }
    expect(talk.wait(8000).acts).toEqual(['speak silence_goodbye'])
    expect(talk.wait(2000).played().acts.at(-1)).toBe('hang_up silence')
  })

  it('is counted anew after words', () => {
    const talk = driver().opened().wait(8000).replyReady().wait(500).played()
    talk.calleeSays('Sorry, I was away.').replyReady().wait(1000).played().clear().wait(8000)
    expect(talk.done.at(-1)?.effect).toMatchObject({ cue: { type: 'silence', count: 1 } })
  })

  it('includes noise without words', () => {
    const talk = driver().opened().calleeStarts()
    expect(talk.wait(60_000).acts).not.toEqual([])
  })

  it('with a voice but no words makes the agent ask the callee to repeat', () => {
    expect(driver().opened().calleeSays('', 1500).wait(1300).acts).toEqual(['speak say_again'])
  })
})

describe('the time limit', () => {
  it('is announced to the mind, and the server says goodbye before it passes', () => {
    const talk = driver({ limitSeconds: 60 }).opened()
    for (let turn = 0; turn < 30 && !talk.state.over; turn++) {
      talk.calleeSays('And then there was the other thing that I wanted to say.', 4000).replyReady().wait(600)
      if (talk.state.output) talk.wait(400).played()
    }
    expect(talk.names).toContain('ask time_nearly_up')
    expect(talk.names).toContain('speak time_up')
    expect(talk.acts.at(-1)).toBe('hang_up time_limit')
    expect(talk.done.at(-1)!.atMs).toBeLessThanOrEqual(60_000)
  })

  it('ends the call with a goodbye when the callee never stops talking', () => {
    const talk = driver({ limitSeconds: 60 }).opened().calleeStarts()
    for (let word = 0; !talk.state.over && word < 500; word++) {
      talk.hears(Array.from({ length: word + 1 }, () => 'blah').join(' ')).wait(300)
      if (talk.state.output && talk.nowMs > talk.whenDid('speak time_up')! + 3000) talk.played()
    }
    expect(talk.acts).toEqual(['speak time_up', 'hang_up time_limit'])
    expect(talk.done.at(-1)!.atMs).toBeLessThanOrEqual(60_000)
  })

  it('becomes the end reason when a warned mind closes the call', () => {
    const talk = driver({ limitSeconds: 60 }).opened()
    while (talk.calleeSays('We could look for another day.', 2000).state.reply?.cue.type !== 'time_nearly_up') {
      talk.replyReady().wait(1000).played()
    }
    talk.send({ type: 'reply_closes', id: talk.state.reply!.id, reason: 'agent_closed' }).replyReady().wait(1000)
    expect(talk.played().acts.at(-1)).toBe('hang_up time_limit')
    expect(talk.nowMs).toBeGreaterThan(30_000)
  })

  it('ends the call when nothing is ever played', () => {
    const talk = driver({ limitSeconds: 10 }).send({ type: 'answered' }).wait(20_000)
    expect(talk.acts.at(-1)).toBe('hang_up time_limit')
    expect(talk.done.at(-1)!.atMs).toBeLessThan(10_000)
  })
})

describe('a failed reply', () => {
  it('is bridged by a phrase and asked for once more', () => {
    const talk = driver().opened().calleeSays('A table for how many?').wait(500).replyFails()
    expect(talk.acts).toEqual(['ask heard', 'speak one_moment', 'ask heard'])
    talk.replyReady()
    expect(talk.acts).toHaveLength(3)
    expect(talk.wait(800).played().acts.at(-1)).toBe('play')
  })

  it('failed twice makes the agent ask the callee to repeat', () => {
    const talk = driver().opened().calleeSays('A table for how many?').wait(500).replyFails().replyFails()
    expect(talk.played().acts).toEqual(['ask heard', 'speak one_moment', 'ask heard', 'speak say_again'])
    expect(talk.played().state.mode).toBe('listening')
  })

  it('failed twice in three turns ends the call with a phrase', () => {
    const talk = driver().opened()
    for (let turn = 0; turn < 3; turn++) {
      talk.calleeSays('A table for how many?').wait(500).replyFails().replyFails().played().wait(1000)
      if (turn < 2) talk.played()
    }
    expect(talk.names).toContain('speak trouble')
    expect(talk.played().acts.at(-1)).toBe('hang_up interrupted')
  })

  it('before the end of turn is asked for again without a phrase', () => {
    const talk = driver().opened().calleeSays('A table for how many?').replyFails().wait(500)
    expect(talk.acts).toEqual(['ask heard', 'ask heard'])
  })

  it('includes a reply that has not begun after 6 s', () => {
    const talk = driver().opened().calleeSays('A table for how many?').wait(300).wait(3000).played().wait(3000)
    expect(talk.acts).toEqual(['ask heard', 'speak one_moment', 'discard', 'ask heard'])
  })
})

describe('an instruction of the user', () => {
  it('is passed to the mind at once when nobody speaks', () => {
    expect(driver().opened().send({ type: 'instruction', text: 'You may go up to 150.' }).acts).toEqual([
      'ask instruction',
    ])
  })

  it("waits until the agent's sentence was played", () => {
    const talk = driver().answering().send({ type: 'instruction', text: 'You may go up to 150.' })
    expect(talk.acts).toEqual([])
    expect(talk.played().acts).toEqual(['ask instruction'])
  })

  it('is asked again after an answer when the callee speaks first', () => {
    const talk = driver()
      .opened()
      .send({ type: 'instruction', text: 'You may go up to 150.' })
      .calleeSays('Well, what is it?')
    talk.replyReady().wait(1000).played()
    expect(talk.acts).toEqual(['ask instruction', 'discard', 'ask heard', 'play', 'ask instruction'])
  })
})

describe('an answering machine', () => {
  it('keeps the agent quiet while it is only suspected', () => {
    const talk = driver().send({ type: 'answered' }).replyReady().wait(3000).clear()
    talk
      .send({ type: 'machine', suspected: true })
      .played()
      .calleeSays('Please leave a message after the tone.')
      .wait(1400)
    expect(talk.acts).toEqual(['discard'])
    expect(talk.state.mode).toBe('holding')
  })

  it('that records gets the disclosure and one message, which speech cannot interrupt', () => {
    const talk = driver()
      .send({ type: 'answered' })
      .replyReady()
      .wait(3000)
      .send({ type: 'machine', suspected: true })
      .played()
      .clear()
    talk.send({ type: 'machine_cue', cue: { type: 'voicemail' } }).replyReady()
    expect(talk.acts).toEqual(['speak disclosure', 'ask voicemail'])
    talk.wait(3000).played().calleeSays('You have ten seconds left to record your message.', 2000)
    expect(talk.played().acts).toEqual(['speak disclosure', 'ask voicemail', 'play', 'hang_up voicemail'])
  })

  it('that turns out to be a person is answered', () => {
    const talk = driver()
      .opened()
      .send({ type: 'machine', suspected: true })
      .calleeSays('He cannot take your call, can I help?')
    expect(talk.acts).toEqual([])
    talk.send({ type: 'machine', suspected: false })
    expect(talk.acts).toEqual(['ask heard'])
  })

  it('with a menu is answered, and the person behind it hears the disclosure and the opening', () => {
    const talk = driver()
      .send({ type: 'answered' })
      .replyReady()
      .wait(3000)
      .send({ type: 'machine', suspected: true })
      .played()
      .clear()
    talk
      .send({ type: 'machine_cue', cue: { type: 'menu', text: 'For reservations, press 1.' } })
      .replyReady()
      .played()
    expect(talk.acts).toEqual(['ask menu', 'play'])
    talk.calleeSays('You are being connected.').send({ type: 'machine_waits' }).wait(5000)
    talk.calleeSays('Reservations, this is Sam.').send({ type: 'machine', suspected: false }).wait(1000)
    expect(talk.acts).toEqual(['ask menu', 'play', 'speak disclosure', 'ask opening'])
  })

  it('is waited for at most 60 s', () => {
    const talk = driver().opened().send({ type: 'machine', suspected: true }).wait(60_000)
    expect(talk.state.mode).toBe('listening')
    expect(talk.wait(8000).acts).toEqual(['ask silence'])
  })
})

describe('a call that has ended', () => {
  it('ignores every later event', () => {
    const talk = driver().answering().send({ type: 'stop', reason: 'stopped' })
    const after: TurnEvent[] = [
      { type: 'stop', reason: 'interrupted' },
      { type: 'digit', digit: '9' },
      { type: 'played', id: 1, heardMs: 0 },
      { type: 'words', text: 'Hello?', final: true },
    ]
    for (const event of after) talk.send(event)
    expect(talk.wait(700_000).acts).toEqual(['hang_up stopped'])
  })
})

describe('a call that has cost all that it may', () => {
  it('ends with the words for its time limit, once', () => {
    const talk = driver().opened().send({ type: 'time_is_up' }).send({ type: 'time_is_up' })
    expect(talk.acts).toEqual(['speak time_up'])
    expect(talk.clear().played().wait(1500).acts).toEqual(['hang_up time_limit'])
  })

  it('ends at once while the user speaks', () => {
    expect(driver().opened().send({ type: 'taken_over' }).clear().send({ type: 'time_is_up' }).acts).toEqual([
      'hang_up time_limit',
    ])
  })
})
