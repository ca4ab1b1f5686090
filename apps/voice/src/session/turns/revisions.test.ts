import { describe, expect, it } from 'vitest'
import { TurnDriver } from './driver.ts'
import { revisionOf } from './revision.ts'

/** The agent answers words that the ear has not made final. */
const answered = (text: string) =>
  new TurnDriver({ lazyEar: true }).opened().calleeSays(text).replyReady().wait(600).clear()
const lastCue = (talk: TurnDriver) => talk.done.findLast(({ effect }) => effect.type === 'ask')?.effect
const effects = (talk: TurnDriver) => talk.done.map(({ effect }) => effect)

describe('an answered partial', () => {
  it('whose final says more is answered again, with what is new', () => {
    const talk = answered('yes').hears('Yes. But only if you pay.', true)
    expect(talk.acts).toEqual(['drop', 'ask heard'])
    expect(lastCue(talk)).toMatchObject({ cue: { text: 'But only if you pay.' } })
    expect(effects(talk)).toContainEqual(
      expect.objectContaining({ type: 'callee_words', text: 'But only if you pay.' }),
    )
    expect(talk.names).not.toContain('callee_turn_revised')
  })

  it('whose final says more, after the agent has finished, is answered again', () => {
    const talk = answered('yes').wait(3000).played().clear().hears('Yes. But only if you pay.', true)
    expect(talk.acts).toEqual(['ask heard'])
  })

  it.each([
    ['we have a table at eight', 'We have a table, at eight.'],
    ['yes', 'Yes.'],
    ['we have a table at eight', 'We have the table at eight.'],
  ])('"%s" that only becomes "%s" neither cuts the agent off nor is answered again', (partial, text) => {
    const talk = answered(partial)
    expect(talk.hears(text).wait(500).acts).toEqual([])
    expect(talk.hears(text, true).wait(500).acts).toEqual([])
    expect(effects(talk)).toContainEqual({ type: 'callee_turn_revised', text })
  })

  it('with another case is not taken for new words when it grows', () => {
    const talk = answered('we have a table at eight').hears('We have a table at eight. Or would you')
    expect(effects(talk)[0]).toMatchObject({ type: 'callee_words', text: 'Or would you' })
  })

  it('whose final has another meaning corrects the transcript and is answered again', () => {
    const talk = answered('We have a table at seven').hears('We have a table at eleven.', true)
    expect(talk.acts).toEqual(['drop', 'ask heard'])
    expect(effects(talk)).toContainEqual({ type: 'callee_turn_revised', text: 'We have a table at eleven.' })
    expect(lastCue(talk)).toMatchObject({ cue: { text: 'We have a table at eleven.' } })
  })

  it('that never becomes final is not overwritten by the final of the next speech', () => {
    const talk = answered('Yes').wait(1500).calleeStarts().wait(600).hears('We have a table at eight.', true)
    expect(talk.names).not.toContain('callee_turn_revised')
    expect(effects(talk)).toContainEqual(
      expect.objectContaining({ type: 'callee_words', text: 'We have a table at eight.' }),
    )
  })

  it('that its final takes back stays in the transcript and is not answered again', () => {
    expect(effects(answered('yes').hears('', true))).toEqual([])
  })

  it('of one word whose final is another word is answered again', () => {
    expect(answered('Seven').hears('Eleven.', true).acts).toEqual(['drop', 'ask heard'])
  })

  it('keeps the settled words before it when its final revises the transcript', () => {
    const talk = new TurnDriver({ lazyEar: true }).opened().calleeSays('On Friday.').hears('On Friday.', true)
    talk.wait(100).calleeSays('at eight').replyReady().wait(800).clear()
    talk.hears('At eight.', true)
    expect(effects(talk)).toEqual([{ type: 'callee_turn_revised', text: 'On Friday. At eight.' }])
  })

  it('whose final comes while the callee makes a sound is not answered twice', () => {
    const talk = answered('We have a table at eight').calleeStarts().hears('We have a table at eight.', true)
    expect(talk.acts).toEqual([])
  })

  it('answered in two parts is not answered a third time by its final', () => {
    const talk = answered('yes').hears('yes but only if you pay').wait(800).replyReady().wait(600).clear()
    expect(talk.state.output).not.toBeNull()
    expect(talk.hears('Yes, but only if you pay.', true).wait(300).acts).toEqual([])
  })

  it('that gave the consent to be recorded withdraws it when its final is no yes', () => {
    const talk = new TurnDriver({ lazyEar: true, consent: 'wanted' })
    talk.send({ type: 'answered' }).wait(3000).played().wait(1000).played()
    talk.calleeSays('yes').wait(2000)
    expect(effects(talk)).toContainEqual({ type: 'consent', given: true })
    talk.hears('Yes who is this?', true)
    expect(effects(talk)).toContainEqual({ type: 'consent', given: false })
  })

  it('is forgotten when the ear settles, so that the same word is an answer again', () => {
    const talk = answered('yes').send({ type: 'settled' }).wait(2000).played().clear()
    talk.calleeSays('Yes.').wait(500)
    expect(talk.acts).toEqual(['ask heard'])
  })
})

describe('revisionOf', () => {
  it.each([
    ['yes', 'Yes.', { rest: '', changed: false, similar: true }],
    ['yes', 'Yes. But only', { rest: 'But only', changed: false, similar: true }],
    ['a table at ate', 'a table at eight or nine', { rest: 'or nine', changed: true, similar: true }],
    ['we have table', 'We have the table', { rest: '', changed: false, similar: true }],
    ['we have a table', 'we do not have a table', { rest: '', changed: true, similar: true }],
    ['seven', 'no wait', { rest: 'wait', changed: true, similar: false }],
  ])('of "%s" by "%s"', (answeredText, text, revision) => {
    expect(revisionOf(answeredText, text)).toEqual(revision)
  })
})
