import { describe, expect, it } from 'vitest'
import { TurnDriver } from './driver.ts'

const driver = (options = {}) => new TurnDriver(options)

describe('the opening', () => {
  it('follows the disclosure after 300 ms and is prepared during it', () => {
    const talk = driver().send({ type: 'answered' })
    expect(talk.acts).toEqual(['speak disclosure', 'ask opening'])
    expect(talk.replyReady().wait(4000).acts).toHaveLength(2)
    expect(talk.played().wait(299).acts).toHaveLength(2)
    expect(talk.wait(1).acts.slice(2)).toEqual(['play'])
  })

  it('is preceded by a disclosure that speech cannot interrupt', () => {
    const talk = driver().send({ type: 'answered' }).replyReady().clear().wait(500)
    talk.calleeSays('Hello, who is this please, I am busy', 1500)
    expect(talk.acts).toEqual(['discard'])
    expect(talk.state.mode).toBe('speaking')
  })

  it('waits until a greeting that began during the disclosure is over', () => {
    const talk = driver()
      .send({ type: 'answered' })
      .replyReady()
      .wait(2500)
      .calleeStarts()
      .hears('Market Street')
      .clear()
    talk.played().wait(200).hears('Market Street House, good morning.').calleeStops()
    expect(talk.acts).toEqual(['ask opening'])
    expect(talk.replyReady().wait(1000).acts).toEqual(['ask opening', 'play'])
  })
})

describe('the end of a turn', () => {
  const cases: [string, number][] = [
    ['We have a table at eight.', 500],
    ['We have a table at eight', 500],
    ['How many people?', 300],
    ['Yes.', 300],
    ['No thanks.', 300],
    ['Yes, of course.', 500],
    ['The number is 5 5 5 0 1', 1800],
    ['It is five five five', 1800],
    ['We could do seven or', 1500],
    ['On Friday,', 1500],
    ['Let me see, um', 3000],
  ]
  it.each(cases)('after "%s" comes after %i ms of silence', (text, waitMs) => {
    const talk = driver().opened().calleeSays(text)
    const silentSinceMs = talk.nowMs - 200
    talk.replyReady().wait(waitMs - 201)
    expect(talk.acts).not.toContain('play')
    talk.wait(1).replyReady()
    expect(talk.whenDid('play')! - silentSinceMs).toBe(waitMs)
  })

  it('follows the language of the call', () => {
    const talk = driver({ language: 'de' }).opened().calleeSays('Wir haben einen Tisch um acht oder')
    expect(talk.wait(1200).acts).toEqual([])
    expect(talk.wait(100).acts).toEqual(['ask heard'])
  })

  it('is delayed while the leg is loud', () => {
    const talk = driver().opened().calleeSays('We have a table at eight.').replyReady().clear()
    expect(talk.wait(400, 'loud').acts).toEqual([])
    expect(talk.wait(60).acts).toEqual(['play'])
  })

  it('comes 5 s after the last words when the detector never finds silence', () => {
    const talk = driver().opened().calleeStarts().wait(1000).hears('We have a table at eight.').wait(4999)
    expect(talk.acts).toEqual([])
    expect(talk.wait(1).acts).toEqual(['ask heard'])
  })

  it('is delayed by 200 ms when unasked words come after their sound', () => {
    const talk = driver().opened().calleeStarts().wait(800).calleeStops().wait(700).hears('Yes.')
    expect(talk.replyReady().wait(199).acts).not.toContain('play')
    expect(talk.wait(1).acts).toContain('play')
  })

  it('comes for words without sound', () => {
    const talk = driver().opened().hears('We have a table at eight.', true).replyReady()
    expect(talk.wait(499).acts).toEqual(['ask heard'])
    expect(talk.wait(1).acts).toEqual(['ask heard', 'play'])
  })
})

describe('a reply begun before the end of turn', () => {
  it('is discarded when the callee goes on, and asked for again with all words', () => {
    const talk = driver().opened().calleeSays('We have a table at eight.').replyReady()
    talk.wait(100).calleeStarts()
    expect(talk.acts).toEqual(['ask heard'])
    talk.wait(300).hears('Or at nine.')
    expect(talk.acts).toEqual(['ask heard', 'discard'])
    talk.calleeStops().replyReady().wait(500)
    expect(talk.acts).toEqual(['ask heard', 'discard', 'ask heard', 'play'])
    expect(talk.done.find(({ effect }, at) => at > 3 && effect.type === 'ask')?.effect).toMatchObject({
      cue: { type: 'heard', text: 'We have a table at eight. Or at nine.' },
    })
  })

  it('is discarded when the final words differ', () => {
    const talk = driver({ lazyEar: true }).opened().calleeSays('Seven.').hears('Eleven.', true)
    expect(talk.acts).toEqual(['ask heard', 'discard', 'ask heard'])
  })

  it('is kept when only the punctuation changes', () => {
    const talk = driver({ lazyEar: true }).opened().calleeSays('Seven').hears('Seven.', true)
    expect(talk.acts).toEqual(['ask heard'])
  })

  it('does not begin on an unfinished sentence', () => {
    expect(driver().opened().calleeSays('We could do seven or').wait(1000).acts).toEqual([])
  })

  it('is discarded after the end of turn too, for words, while nothing of it was played', () => {
    const talk = driver().opened().calleeSays('We have a table at eight.').wait(1000).calleeStarts().hears('Or')
    expect(talk.acts).toEqual(['ask heard', 'discard'])
    expect(talk.state.mode).toBe('listening')
  })

  it('is asked for again when the language changes', () => {
    const talk = driver().opened().calleeSays('No hablo inglés.').send({ type: 'language', language: 'es' })
    expect(talk.acts).toEqual(['ask heard', 'discard', 'ask heard'])
  })
})

describe('speech over the agent', () => {
  it('pauses the agent after 500 ms', () => {
    const talk = driver().answering().calleeStarts().wait(439)
    expect(talk.state.mode).toBe('overlapping')
    expect(talk.acts).toEqual([])
    expect(talk.wait(1).acts).toEqual(['pause'])
    expect(talk.state.mode).toBe('holding')
  })

  it("drops the agent's sentence after two words", () => {
    const talk = driver().answering().calleeStarts().wait(200).hears('But')
    expect(talk.acts).toEqual([])
    expect(talk.hears('But not').acts).toEqual(['drop'])
    expect(talk.state.mode).toBe('listening')
  })

  it("drops the agent's sentence after one stop word", () => {
    expect(driver().answering().calleeStarts().wait(200).hears('Wait').acts).toEqual(['drop'])
  })

  it.each([
    ['en', 'mhm'],
    ['en', 'Uh-huh, right.'],
    ['en', 'Okay, I see'],
    ['en', 'yes yes'],
    ['es', 'Sí, claro'],
    ['fr', "Oui, d'accord"],
    ['de', 'Ja, genau'],
  ])('%s back-channel "%s" does not interrupt', (language, text) => {
    const talk = driver({ language })
      .answering()
      .calleeStarts()
      .wait(300)
      .hears(text)
      .wait(400)
      .calleeStops()
      .wait(1000)
    expect(talk.acts).toEqual([])
    expect(talk.state.mode).toBe('speaking')
  })

  it('does not pause the agent for a cough of 300 ms', () => {
    const talk = driver().answering().calleeSays('', 300).wait(2000)
    expect(talk.acts).toEqual([])
    expect(talk.state.mode).toBe('speaking')
  })

  it('resumes the agent after 2 s when no words come', () => {
    const talk = driver().answering().calleeSays('', 900)
    expect(talk.wait(1799).acts).toEqual(['pause'])
    expect(talk.wait(1).acts).toEqual(['pause', 'resume'])
    expect(talk.state.mode).toBe('speaking')
  })

  it('resumes the agent after 500 ms when it was a back-channel', () => {
    const talk = driver().answering().calleeSays('', 700).hears('right', true)
    expect(talk.wait(500).acts).toEqual(['pause', 'resume'])
  })

  it('drops the paused sentence when its words come late', () => {
    const talk = driver().answering().calleeSays('', 800).wait(300).hears('That is not what I said.', true)
    expect(talk.acts).toEqual(['pause', 'drop', 'ask heard'])
  })

  it('is an answer when it began just before the question ended', () => {
    const talk = driver().answering().calleeStarts().wait(250).hears('Yes.').calleeStops().wait(100).played()
    expect(talk.acts).toEqual(['ask heard'])
  })

  it('as a hum at the end of a question waits 1.5 s for an answer, then counts as one', () => {
    const hum = () =>
      driver().answering().calleeStarts().wait(250).hears('Mhm.').calleeStops().wait(100).played().replyReady()
    expect(hum().wait(1499).acts).toEqual(['ask heard'])
    expect(hum().wait(1500).acts).toEqual(['ask heard', 'play'])
    const answered = hum().wait(900).calleeSays('Yes, that works for us.')
    expect(answered.acts).toEqual(['ask heard', 'discard', 'ask heard'])
    expect(answered.done.findLast(({ effect }) => effect.type === 'ask')?.effect).toMatchObject({
      cue: { text: 'Yes, that works for us.' },
    })
  })

  it('as a hum 900 ms before the end of a question is no answer', () => {
    const talk = driver().answering().calleeStarts().wait(250).hears('Mhm.').calleeStops().wait(900).played()
    expect(talk.acts).toEqual([])
    expect(talk.names.at(-1)).toBe('callee_turn_over')
  })

  it("of one other word is answered after the agent's sentence", () => {
    const talk = driver().answering().calleeStarts().wait(250).hears('Seven.').calleeStops().wait(1500)
    expect(talk.acts).toEqual([])
    expect(talk.played().acts).toEqual(['ask heard'])
  })
})

describe('words that come before their voice is detected', () => {
  it('belong to the turn that goes on with them', () => {
    const talk = driver().opened().wait(800).calleeStarts(300, 'yes').wait(150).calleeStops().calleeStarts().wait(900)
    talk.hears('we have a table at seven').calleeStops().wait(500)
    expect(talk.names.filter((name) => name === 'callee_turn_over')).toEqual([])
    expect(talk.done.findLast(({ effect }) => effect.type === 'ask')?.effect).toMatchObject({
      cue: { text: 'yes we have a table at seven' },
    })
  })
})

describe('words that become final after they were answered', () => {
  it('revise the transcript without a new reply', () => {
    const talk = driver({ lazyEar: true })
      .opened()
      .calleeSays('We have a table at eight')
      .replyReady()
      .wait(600)
      .clear()
    talk.hears('We have the table at eight.', true)
    expect(talk.names).toEqual(['callee_turn_revised'])
  })

  it('begin a new turn with the words that are new', () => {
    const talk = driver({ lazyEar: true })
      .opened()
      .calleeSays('We have a table at eight')
      .replyReady()
      .wait(600)
      .clear()
    talk.hears('We have a table at eight or would you')
    expect(talk.done[0]?.effect).toMatchObject({ type: 'callee_words', text: 'or would you' })
    expect(talk.acts).toEqual(['drop', 'ask heard'])
  })
})
