import { describe, expect, it } from 'vitest'
import { TurnDriver } from './driver.ts'

const driver = (options = {}) => new TurnDriver(options)
const slowEar = () =>
  driver({ lazyEar: true }).opened().send({ type: 'ear_ready', settlesWithinMs: 2000, turns: false })
const lastCue = (talk: TurnDriver) => talk.done.findLast(({ effect }) => effect.type === 'ask')?.effect

describe('an ear that owes words', () => {
  it('is waited for until it settles', () => {
    const talk = slowEar().calleeSays('Yes.').replyReady().wait(1300)
    expect(talk.acts).toEqual(['ask heard'])
    talk.hears('Yes.', true).send({ type: 'settled' })
    expect(talk.acts).toEqual(['ask heard', 'play'])
  })

  it('is waited for no longer than it says', () => {
    const talk = slowEar().calleeSays('Yes.').replyReady().wait(1999)
    expect(talk.acts).toEqual(['ask heard'])
    expect(talk.wait(1).acts).toEqual(['ask heard', 'play'])
  })

  it.each(['loud', 'unheard'] as const)('is waited for beyond that while the callee is %s', (side) => {
    const talk = slowEar().calleeSays('Yes').replyReady().wait(1990).wait(1000, side)
    expect(talk.acts).toEqual(['ask heard'])
    talk.calleeStarts().hears('Yes we have a table at seven.').calleeStops().replyReady()
    expect(talk.acts).toEqual(['ask heard', 'discard', 'ask heard'])
    expect(talk.names.filter((name) => name === 'callee_turn_over')).toEqual([])
  })

  it('is answered once when its final comes 1.5 s late with other words', () => {
    const talk = slowEar().calleeSays('At seven').replyReady().wait(1300)
    talk.hears('At eleven.', true).send({ type: 'settled' }).replyReady().wait(500)
    expect(talk.acts).toEqual(['ask heard', 'discard', 'ask heard', 'play'])
    expect(lastCue(talk)).toMatchObject({ cue: { text: 'At eleven.' } })
  })

  it('is not asked to repeat before its first words come 1.5 s late', () => {
    const talk = slowEar().calleeSays('', 1200).wait(1500)
    expect(talk.acts).toEqual([])
    talk.hears('We have a table at eight.', true).send({ type: 'settled' })
    expect(talk.replyReady().wait(20).acts).toEqual(['ask heard', 'play'])
  })

  it('ends no turn with a comma behind words that it had not punctuated', () => {
    const talk = slowEar().calleeSays('yes').replyReady().wait(50)
    talk.hears('Yes,', true).send({ type: 'settled' }).wait(1200)
    expect(talk.acts).toEqual(['ask heard'])
    expect(talk.wait(60).acts).toEqual(['ask heard', 'play'])
  })

  it('ends a turn sooner with a question mark behind words that it had not punctuated', () => {
    const talk = slowEar().calleeSays('for two people').replyReady().wait(110)
    talk.hears('For two people?', true).send({ type: 'settled' })
    expect(talk.wait(20).acts).toEqual(['ask heard', 'play'])
  })

  it('ends no turn with a comma that comes while its words are waited for', () => {
    const talk = slowEar().calleeSays('yes').replyReady().wait(300)
    talk.hears('Yes,', true).send({ type: 'settled' }).wait(800)
    expect(talk.acts).toEqual(['ask heard'])
    expect(talk.wait(300).acts).toEqual(['ask heard', 'play'])
  })

  it('is waited for 8 s when it breaks meanwhile and is not replaced', () => {
    const talk = slowEar().calleeSays('We have').wait(500).send({ type: 'ear_broken' }).replyReady().wait(7499)
    expect(talk.acts).toEqual(['ask heard'])
    expect(talk.wait(1).acts).toEqual(['ask heard', 'play'])
  })

  it('is waited for when replacing it takes 6 s', () => {
    const talk = slowEar().calleeSays('Yes,').wait(100).send({ type: 'ear_broken' }).wait(5900)
    talk.send({ type: 'ear_ready', settlesWithinMs: 500, turns: false }).wait(1000)
    expect(talk.acts).toEqual([])
    talk.hears('Yes, we have a table at seven.', true).send({ type: 'settled' })
    expect(talk.replyReady().wait(500).acts).toEqual(['ask heard', 'play'])
    expect(lastCue(talk)).toMatchObject({ cue: { text: 'Yes, we have a table at seven.' } })
  })

  it('is waited for no longer than 4 s once the next one is ready, and 8 s in all', () => {
    const broken = () => slowEar().calleeSays('We have').wait(500).send({ type: 'ear_broken' })
    const ready = { type: 'ear_ready', settlesWithinMs: 500, turns: false } as const
    expect(broken().wait(1000).send(ready).replyReady().wait(3999).acts).toEqual(['ask heard'])
    expect(broken().wait(1000).send(ready).replyReady().wait(4000).acts).toEqual(['ask heard', 'play'])
    const again = broken().wait(3000).send(ready).wait(1000).send({ type: 'ear_broken' }).wait(1000).send(ready)
    expect(again.replyReady().wait(2499).acts).toEqual(['ask heard'])
    expect(again.wait(1).acts).toEqual(['ask heard', 'play'])
  })

  it('is waited for while the next one hears again, when the callee stops just then', () => {
    const talk = slowEar().calleeStarts().send({ type: 'ear_broken' }).wait(900).hears('Yes,', true)
    talk.send({ type: 'ear_ready', settlesWithinMs: 300, turns: false }).calleeStops().wait(2500)
    expect(talk.acts).toEqual([])
    talk.hears('we have a table at seven.', true).send({ type: 'settled' }).wait(20)
    expect(lastCue(talk)).toMatchObject({ cue: { text: 'Yes, we have a table at seven.' } })
  })

  it('is waited for although the next one has settled what was said before a pause', () => {
    const talk = slowEar().calleeStarts().wait(300).calleeStops().calleeStarts().send({ type: 'ear_broken' }).wait(900)
    talk.send({ type: 'ear_ready', settlesWithinMs: 300, turns: false }).hears('Yes,', true)
    talk.send({ type: 'settled', isBehind: true }).hears('we have a table').calleeStops().wait(2500)
    expect(talk.acts.filter((act) => act === 'play')).toEqual([])
    talk.hears('we have a table at seven.', true).send({ type: 'settled', isBehind: false }).wait(20)
    expect(lastCue(talk)).toMatchObject({ cue: { text: 'Yes, we have a table at seven.' } })
  })

  it('is not asked to repeat words while it is being replaced', () => {
    const talk = slowEar().calleeSays('', 1200).wait(100).send({ type: 'ear_broken' }).wait(6000)
    expect(talk.acts).toEqual([])
    talk.send({ type: 'ear_ready', settlesWithinMs: 500, turns: false }).hears('At eight.', true)
    expect(talk.send({ type: 'settled' }).wait(20).acts).toEqual(['ask heard'])
  })

  it('is waited for when it is broken as the callee stops', () => {
    const talk = slowEar().send({ type: 'ear_broken' }).calleeSays('We have').replyReady().wait(3000)
    talk.hears('We have a table.', true).send({ type: 'settled' }).replyReady().wait(500)
    expect(talk.acts).toEqual(['ask heard', 'discard', 'ask heard', 'play'])
  })

  it('is not answered when the callee goes on before it settles', () => {
    const talk = slowEar().calleeSays('We have a table').wait(900).calleeStarts()
    expect(talk.send({ type: 'settled' }).replyReady().wait(400).acts).toEqual(['ask heard'])
  })
})

describe("the ear's own end of turn", () => {
  const flux = () => driver({ lazyEar: true }).opened().send({ type: 'ear_ready', settlesWithinMs: 500, turns: true })
  const saying = (text: string) => flux().calleeStarts().wait(900).hears(text)

  it('takes precedence over the words, which would end the turn after 300 ms', () => {
    const talk = saying('How many people?').calleeStops()
    expect(talk.wait(700).acts).toEqual([])
    expect(talk.wait(100).acts).toEqual(['ask heard'])
  })

  it('eager begins a reply early, which ended lets out', () => {
    const talk = saying('We could do seven or').send({ type: 'ear_turn', state: 'eager' })
    expect(talk.acts).toEqual(['ask heard'])
    talk.calleeStops().replyReady().send({ type: 'ear_turn', state: 'ended' })
    expect(talk.acts).toEqual(['ask heard', 'play'])
  })

  it('resumed discards the early reply', () => {
    const talk = saying('We could do seven').send({ type: 'ear_turn', state: 'eager' })
    talk.send({ type: 'ear_turn', state: 'resumed' }).hears('We could do seven or nine').calleeStops()
    expect(talk.acts).toEqual(['ask heard', 'discard'])
    expect(talk.send({ type: 'ear_turn', state: 'ended' }).acts).toEqual(['ask heard', 'discard', 'ask heard'])
  })

  it('resumed without more words ends the turn by the clock', () => {
    const talk = saying('We could do seven').calleeStops().send({ type: 'ear_turn', state: 'eager' })
    talk.send({ type: 'ear_turn', state: 'resumed' })
    expect(talk.wait(1500).acts).toEqual(['ask heard', 'discard', 'ask heard'])
  })

  it('ended ends an unfinished sentence at once', () => {
    const talk = saying('We could do seven or').calleeStops().send({ type: 'ear_turn', state: 'ended' })
    expect(talk.acts).toEqual(['ask heard'])
    expect(talk.state.mode).toBe('thinking')
  })

  it('does not cut the agent off', () => {
    const talk = driver().answering().send({ type: 'ear_ready', settlesWithinMs: 500, turns: true })
    talk.calleeStarts().hears('Mhm').send({ type: 'ear_turn', state: 'ended' })
    expect(talk.acts).toEqual([])
  })
})

describe('a predicted end of turn', () => {
  const paused = (text: string) => driver().opened().calleeSays(text)
  const predict = (talk: TurnDriver, waitMs: number, pause = talk.state.callee.pause) =>
    talk.send({ type: 'turn_end', pause, waitMs })
  const askedFor = (talk: TurnDriver) =>
    talk.done.flatMap(({ effect }) => (effect.type === 'predict_turn_end' ? [effect.text] : []))

  it('is asked for once a pause', () => {
    const talk = paused('We could do seven or')
    expect(askedFor(talk)).toEqual(['We could do seven or'])
    talk.wait(300).calleeSays('or nine')
    expect(askedFor(talk)).toEqual(['We could do seven or', 'We could do seven or or nine'])
  })

  it('sooner than the words say ends the turn sooner', () => {
    const talk = predict(paused('We could do seven or'), 250)
    expect(talk.acts).toEqual(['ask heard'])
    expect(talk.replyReady().wait(50).acts).toEqual(['ask heard', 'play'])
  })

  it('counts more than the comma of the final, and no more once the words have changed', () => {
    const known = predict(slowEar().calleeSays('yes').replyReady(), 250)
    known.hears('Yes,', true).send({ type: 'settled' })
    expect(known.wait(60).acts).toEqual(['ask heard', 'play'])
    const changed = predict(slowEar().calleeSays('well'), 250).hears('yes').replyReady()
    changed.hears('Yes,', true).send({ type: 'settled' })
    expect(changed.wait(600).acts).not.toContain('play')
    expect(changed.wait(700).acts).toContain('play')
  })

  it('later than the words say ends the turn later, after 3 s at most', () => {
    const talk = predict(paused('We have a table.').replyReady(), 60_000)
    expect(talk.wait(2799).acts).toEqual(['ask heard'])
    expect(talk.wait(1).acts).toEqual(['ask heard', 'play'])
  })

  it.each<[string, (talk: TurnDriver) => unknown]>([
    ['the next speech has begun', (talk) => talk.calleeStarts()],
    ['the turn is over', (talk) => talk.wait(2000)],
    ['the words have changed', (talk) => talk.hears('more of them than before and', true)],
  ])('is ignored when %s', (_, happens) => {
    const talk = paused('We could do seven or')
    const { pause } = talk.state.callee
    happens(talk)
    const due = talk.state.deadlines.get('end_of_turn')
    predict(talk.clear(), 100, pause)
    expect(talk.state.deadlines.get('end_of_turn')).toBe(due)
    expect(talk.acts).toEqual([])
  })
})
