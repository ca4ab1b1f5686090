import { describe, expect, it } from 'vitest'
import { FRAME_BYTES, FRAME_MS } from '@parley/voice-ports'
import { stageCall, talker } from '../testing/staged-call.ts'

type Call = ReturnType<typeof stageCall>
const voice = new Uint8Array(FRAME_BYTES).fill(0x17)
const frames = (call: Call) => call.far.heard.filter((audio) => audio[0] === 0x17).length

/** The person speaks for so long, a frame every 20 ms. */
async function speak(call: Call, ms: number, source: object): Promise<void> {
  for (let spokenMs = 0; spokenMs < ms; spokenMs += FRAME_MS) {
    call.session.person.speak(voice, source)
    await call.clock.advance(FRAME_MS)
  }
}

describe('a take-over by the user', () => {
  it('is refused before the answer', async () => {
    const call = stageCall()
    expect(call.session.letSpeak('person')).toBe(false)
    await call.opened()
    expect(call.session.letSpeak('person')).toBe(true)
  })

  it("silences the agent and puts the user's voice on the leg and into the recording", async () => {
    const call = stageCall({ order: { record: true } })
    const page = {}
    await call.opened()
    await call.far.says('Yes we have one.')
    await call.clock.advance(1500)
    call.session.letSpeak('person')
    const heardBefore = call.far.framesHeard
    await call.clock.advance(1000)
    expect(call.far.framesHeard - heardBefore).toBeLessThanOrEqual(1)
    await speak(call, 2000, page)
    expect(frames(call)).toBeGreaterThan(95)
    call.far.end('remote')
    await call.over()
    const [, ours] = call.recording.channels()!
    expect(ours.filter((code) => code === 0x17).length / 8).toBeGreaterThan(1900)
  })

  it('keeps the transcript going without asking the mind', async () => {
    const mind = talker()
    const call = stageCall({ mind })
    await call.opened()
    call.session.letSpeak('person')
    const asked = mind.asked.length
    await call.far.says('Hello who is there now?')
    await speak(call, 12_000, {})
    expect(call.turnTexts().at(-1)).toBe('user: Hello who is there now?')
    expect(mind.asked.length).toBe(asked)
    expect(call.facts()).toContainEqual(expect.objectContaining({ type: 'phase', phase: 'taken over by you' }))
  })

  it('ends with a phrase of the agent, which continues the conversation', async () => {
    const call = stageCall()
    await call.opened()
    call.session.letSpeak('person')
    await speak(call, 1000, {})
    call.session.letSpeak('agent')
    await call.clock.advance(2500)
    expect(call.turnTexts().at(-1)).toBe('agent: This is the AI assistant again.')
    await call.far.says('Yes we have one.')
    await call.clock.advance(6000)
    expect(call.turnTexts().at(-1)).toBe('agent: Could it be at seven in the evening on Friday please?')
  })

  it('ends when the callee opts out by key: the agent confirms and hangs up', async () => {
    const call = stageCall()
    await call.opened()
    call.session.letSpeak('person')
    await speak(call, 1000, {})
    call.far.press('9')
    expect(call.session.person.speaks).toBe(false)
    await call.clock.advance(6000)
    expect(call.facts().filter(({ type }) => type === 'opted_out')).toEqual([
      expect.objectContaining({ quote: 'Pressed 9.' }),
    ])
    expect(call.ended()).toMatchObject({ reason: 'opted_out' })
  })

  it('keeps an instruction until the hand-back', async () => {
    const mind = talker()
    const call = stageCall({ mind })
    await call.opened()
    call.session.letSpeak('person')
    call.session.instruct('Ask about parking.')
    await speak(call, 1000, {})
    call.session.letSpeak('agent')
    await call.clock.advance(12_000)
    expect(mind.asked.map(({ cue }) => cue)).toContainEqual({ type: 'instruction', text: 'Ask about parking.' })
  })

  it.each([
    ['whose microphone is lost', (call: Call, page: object) => call.session.person.lose(page), 100],
    ['who brings no sound any more', () => undefined, 5200],
  ])('of a user %s ends and the agent continues', async (_, leave, waitMs) => {
    const call = stageCall()
    const page = {}
    await call.opened()
    call.session.letSpeak('person')
    await speak(call, 1000, page)
    call.session.person.lose({})
    expect(call.session.person.speaks).toBe(true)
    leave(call, page)
    await call.clock.advance(waitMs)
    expect(call.session.person.speaks).toBe(false)
  })

  it('accepts one microphone only', async () => {
    const call = stageCall()
    await call.opened()
    call.session.letSpeak('person')
    await speak(call, 400, {})
    const before = frames(call)
    await speak(call, 1000, {})
    expect(frames(call) - before).toBeLessThanOrEqual(3)
  })

  it('does not extend the time limit', async () => {
    const call = stageCall({ order: { limitSeconds: 30 } })
    await call.opened()
    call.session.letSpeak('person')
    await speak(call, 25_000, {})
    expect(call.ended()).toMatchObject({ reason: 'time_limit' })
  })
})

describe('a take-over before the opening', () => {
  const DISCLOSURE = 'Hello, this is an AI assistant calling on behalf of Ann Smith.'
  const said = (call: Call) => call.far.words.map(({ text }) => text).join(' ')
  const early = async (order: Parameters<typeof stageCall>[0] = {}) => {
    const call = stageCall(order)
    await call.answer()
    await call.clock.advance(1000)
    expect(call.session.letSpeak('person')).toBe(true)
    return call
  }

  it.each([
    ['the disclosure', {}, DISCLOSURE],
    ['the notice of the recording', { order: { record: true } }, `${DISCLOSURE} This call is recorded.`],
  ])('lets the user be heard only after %s has been said to its end', async (_, changes, words) => {
    const call = await early(changes)
    const page = {}
    await speak(call, 1000, page)
    expect(frames(call)).toBe(0)
    expect(call.facts()).toContainEqual(
      expect.objectContaining({ type: 'phase', phase: 'saying who is calling before you speak' }),
    )
    await speak(call, 5000, page)
    expect(said(call)).toBe(words)
    expect(call.turnTexts()).toEqual([`agent: ${words}`])
    expect(frames(call)).toBeGreaterThan(50)
    expect(call.types().filter((type) => type === 'phase')).toHaveLength(3)
    const toldMs = call.far.words.at(-1)!.atMs
    const firstMs = call.far.heard.findIndex((audio) => audio[0] === 0x17) * FRAME_MS
    expect(firstMs).toBeGreaterThanOrEqual(toldMs - FRAME_MS)
  })

  it('handed back during the disclosure changes nothing for the agent', async () => {
    const call = await early()
    call.session.letSpeak('agent')
    await call.clock.advance(9000)
    expect(call.turnTexts()).toEqual([`agent: ${DISCLOSURE}`, 'agent: I would like a table for two.'])
  })

  it('delays the opening until the hand-back', async () => {
    const call = await early()
    await speak(call, 7000, {})
    call.session.letSpeak('agent')
    await call.clock.advance(8000)
    expect(call.turnTexts()).toEqual([
      `agent: ${DISCLOSURE}`,
      'agent: This is the AI assistant again.',
      'agent: I would like a table for two.',
    ])
  })

  it.each([
    ['before the question', 1000, 7000],
    ['in the middle of the question', 4500, 4000],
    ['after the question', 6500, 1000],
  ])('%s delays the question for consent to recording until the hand-back', async (_, beforeMs, heldMs) => {
    const call = stageCall({ order: { record: true, askToRecord: true } })
    await call.answer()
    await call.clock.advance(beforeMs)
    call.session.letSpeak('person')
    await speak(call, heldMs, {})
    await call.far.says('Yes that is fine.')
    await speak(call, 2000, {})
    expect(call.recording.channels()).toBeNull()
    call.session.letSpeak('agent')
    await call.clock.advance(6000)
    expect(call.turnTexts().slice(-2)).toEqual([
      'agent: This is the AI assistant again.',
      'agent: May I record this call?',
    ])
    await call.far.says('Yes that is fine.')
    await call.clock.advance(6000)
    expect(call.turnTexts().at(-1)).toBe('agent: I would like a table for two.')
    call.far.end('remote')
    await call.over()
    expect(call.recording.channels()).not.toBeNull()
  })

  it('at a screening machine repeats the disclosure before the user is heard and again at the hand-back', async () => {
    const call = stageCall({ mind: talker() })
    await call.answer()
    await call.far.says('Please say who is calling and why.')
    await call.clock.advance(8000)
    const before = said(call)
    expect(before).toContain('About screening.')
    call.session.letSpeak('person')
    await speak(call, 6000, {})
    expect(said(call).slice(before.length).trim()).toBe(DISCLOSURE)
    expect(frames(call)).toBeGreaterThan(20)
    call.session.letSpeak('agent')
    await call.clock.advance(9000)
    expect(call.turnTexts().slice(-2)).toEqual([`agent: ${DISCLOSURE}`, 'agent: I would like a table for two.'])
  })
})
