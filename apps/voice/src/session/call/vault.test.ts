import { vaultMask } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { forSpeech, levelDbm0, type Mouth } from '@parley/voice-ports'
import { guardedBy } from '../../minds/guard/testing.ts'
import { steadyMouth } from '../testing/fakes.ts'
import { say, stageCall, talker } from '../testing/staged-call.ts'

const VALUE = '5571'
const MASK = vaultMask('booking number')
const asked = { when: 'asked' } as const

/** A mind that tells the value whenever it is spoken to, and what its mouth was given. */
function stageTeller(condition: { when: 'asked' } | { when: 'menu' } | { when: 'said'; words: string } = asked) {
  const spoken: string[] = []
  const mouth: Mouth = {
    ...steadyMouth,
    open: (options) => {
      const speaking = steadyMouth.open(options)
      return {
        ...speaking,
        speak(text, more) {
          spoken.push(text)
          return speaking.speak(text, more)
        },
      }
    },
  }
  const mind = guardedBy(
    talker(({ cue }) =>
      cue.type === 'heard' && !cue.text.includes('bye')
        ? [say('The number is [[private 1]]. Is that right?'), { type: 'memory', memory: 1 }]
        : undefined,
    ),
  )
  const vault = [{ name: 'booking number', value: VALUE, condition }]
  const call = stageCall({ order: { record: true, vault }, mind, mouth })
  const told = () => call.facts().filter((fact) => fact.type === 'told')
  /** All that leaves the session, but the sound. */
  const written = () => JSON.stringify([call.facts(), call.logged()])
  return { ...call, spoken, told, written }
}

describe('a private value', () => {
  it('is spoken when it is asked for, and masked in everything that is written', async () => {
    const call = stageTeller()
    await call.opened()
    await call.far.says('May I have your booking number please?')
    await call.clock.advance(6000)
    await call.far.says('Thank you bye.')
    await call.over()
    // As the mouth is given figures.
    expect(call.spoken).toContain(forSpeech(`The number is ${VALUE}.`, 'en').spoken)
    expect(call.turnTexts()).toContain(`agent: The number is ${MASK}. Is that right?`)
    const turn = call.turns().find(({ text }) => text.includes(MASK))?.index
    expect(call.told()).toMatchObject([{ name: 'booking number', by: 'voice', turn }])
    expect(call.written()).not.toContain(VALUE)
    expect(call.written()).not.toContain('[[private')
  })

  it.each([
    ['nobody asks for it', asked, 'We have a table at eight.'],
    [
      'the words were not said',
      { when: 'said', words: 'Ocean Hotel' } as const,
      'May I have your booking number please?',
    ],
    ['only a menu may have it', { when: 'menu' } as const, 'May I have your booking number please?'],
  ])('is not spoken where %s', async (_, condition, words) => {
    const call = stageTeller(condition)
    await call.opened()
    await call.far.says(words)
    await call.clock.advance(6000)
    expect(call.spoken.join(' ')).not.toContain(VALUE)
    expect(call.turnTexts().at(-1)).toBe("agent: I can't share that on this call.")
    expect(call.told()).toEqual([])
    call.session.stop('stopped')
    await call.over()
  })

  it('is silent in the recording, and so is the callee who reads it back', async () => {
    const call = stageTeller()
    await call.opened()
    await call.far.says('May I have your booking number please?')
    await call.clock.advance(6000)
    await call.far.says('So that is five five seven one.')
    await call.clock.advance(6000)
    await call.far.says('Thank you bye.')
    await call.over()
    const [callee, ours] = call.recording.channels() ?? []
    const loudest = (channel: Uint8Array, fromMs: number, untilMs: number) =>
      levelDbm0(channel.subarray(fromMs * 8, untilMs * 8))
    const turns = call.turns()
    const telling = turns.find(({ speaker, text }) => speaker === 'agent' && text.includes(MASK))!
    // "The number is 5571." is four words of 300 ms, and the next sentence is heard.
    expect(loudest(ours!, telling.startMs, telling.startMs + 1100)).toBeLessThan(-60)
    expect(loudest(ours!, telling.startMs + 1300, telling.endMs!)).toBeGreaterThan(-40)
    const readBack = turns.find(({ speaker, text }) => speaker === 'user' && text.includes(MASK))!
    expect(readBack.text).toBe(MASK)
    expect(loudest(callee!, readBack.startMs, readBack.endMs!)).toBeLessThan(-60)
    expect(call.written()).not.toContain('five five seven one')
  })

  it('is pressed where a menu asks for it, with nothing but its name in the record', async () => {
    const mind = guardedBy(
      talker(({ cue }) =>
        cue.type === 'heard' || cue.type === 'menu'
          ? [
              { type: 'press', digits: '[[private 1]]#' },
              { type: 'phase', phase: 'menu' },
              { type: 'memory', memory: 1 },
            ]
          : undefined,
      ),
    )
    const vault = [{ name: 'booking number', value: 'KX 55-71', condition: asked }]
    const call = stageCall({ order: { vault }, mind })
    await call.opened()
    await call.far.says('Please enter your booking number.')
    await call.clock.advance(6000)
    expect(call.far.digits).toBe('5571#')
    expect(call.facts().filter((fact) => fact.type === 'told')).toMatchObject([
      { name: 'booking number', by: 'keys', turn: null },
    ])
    call.session.stop('stopped')
    await call.over()
  })
})
