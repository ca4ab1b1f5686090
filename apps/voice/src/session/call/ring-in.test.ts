import { FRAME_MS, type Mouth } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { OWNER, stageCall } from '../testing/staged-call.ts'
import { steadyMouth, steadySpeech } from '../testing/fakes.ts'

type Call = ReturnType<typeof stageCall>
type Changes = Parameters<typeof stageCall>[0]

const sound = (byte: number, ms: number) => new Uint8Array(ms * 8).fill(byte)
const framesOf = (heard: readonly Uint8Array[], byte: number) => heard.filter((audio) => audio[80] === byte).length
const legs = (call: Call) => call.facts().flatMap((fact) => (fact.type === 'leg' ? [fact] : []))
const phases = (call: Call) => call.facts().flatMap((fact) => (fact.type === 'phase' ? [fact.phase] : []))
const saidToOwner = (call: Call) => call.owner.words.map(({ text }) => text).join(' ')

async function ringing(changes: Changes = {}, then: 'hand_back' | 'hang_up' = 'hand_back') {
  const call = stageCall({ ...changes, order: { limitSeconds: 600, ...changes?.order } })
  await call.opened()
  expect(call.session.ringIn(OWNER, then)).toBe('rings')
  await call.clock.advance(500)
  call.owner.ring()
  return call
}

/** The owner has answered, heard who is on the line, and accepted. */
async function bridged(changes: Changes = {}, then: 'hand_back' | 'hang_up' = 'hand_back') {
  const call = await ringing(changes, then)
  await call.clock.advance(3000)
  call.owner.answer()
  await call.clock.advance(8000)
  call.owner.press('1')
  await call.clock.advance(100)
  expect(call.session.person.speaks).toBe(true)
  return call
}

describe('ringing the owner', () => {
  it('is refused before the answer, while a person speaks and while the owner is rung already', async () => {
    const call = stageCall({ order: { limitSeconds: 600 } })
    expect(call.session.ringIn(OWNER, 'hand_back')).toBe('not_now')
    await call.opened()
    call.session.letSpeak('person')
    expect(call.session.ringIn(OWNER, 'hand_back')).toBe('not_now')
    call.session.letSpeak('agent')
    await call.clock.advance(4000)
    expect(call.session.ringIn(OWNER, 'hand_back')).toBe('rings')
    expect(call.session.ringIn(OWNER, 'hand_back')).toBe('not_now')
  })

  it('tells the callee, dials a leg of its own, and tells again every 10 s', async () => {
    const call = await ringing({ order: { from: '+12025550123' } })
    expect(call.owner.dialed).toMatchObject({
      callId: 'call-1-2',
      to: OWNER,
      from: '+12025550123',
      answerTimeoutMs: 30_000,
    })
    await call.clock.advance(25_000)
    expect(call.turnTexts().slice(-3)).toEqual([
      "agent: One moment, I'll connect you.",
      'agent: One moment, please.',
      'agent: One moment, please.',
    ])
    expect(phases(call).at(-1)).toBe('ringing your phone')
  })

  it('keeps what the callee says meanwhile, and does not answer it', async () => {
    const call = await ringing()
    await call.clock.advance(3000)
    await call.far.says('Who is that please?')
    await call.clock.advance(3000)
    expect(call.turnTexts().at(-1)).toBe('user: Who is that please?')
  })

  it('waits until the callee has heard the whole disclosure', async () => {
    const call = stageCall({ order: { limitSeconds: 600 } })
    await call.answer()
    await call.clock.advance(500)
    expect(call.session.ringIn(OWNER, 'hand_back')).toBe('rings')
    await call.clock.advance(500)
    expect(call.owner.dialed).toBeNull()
    await call.clock.advance(9000)
    expect(call.turnTexts().slice(0, 2)).toEqual([
      'agent: Hello, this is an AI assistant calling on behalf of Ann Smith.',
      "agent: One moment, I'll connect you.",
    ])
    expect(call.owner.dialed).not.toBeNull()
  })

  it.each(['busy', 'no_answer', 'failed', 'not_in_service'] as const)(
    'that ends with %s is told to the callee, and the agent goes on',
    async (cause) => {
      const call = await ringing()
      call.owner.end(cause)
      await call.clock.advance(6000)
      expect(call.turnTexts().at(-1)).toBe(
        "agent: I'm sorry, I couldn't reach them just now. Let's go on without them.",
      )
      expect(legs(call)).toMatchObject([
        { leg: 2, carrierCallId: 'owner-1', connectedSeconds: null },
        { leg: 2, carrierCallId: 'owner-1', connectedSeconds: 0, end: 'not_answered' },
      ])
      await call.far.says('Yes we have one.')
      await call.clock.advance(6000)
      expect(call.turnTexts().at(-1)).toBe('agent: Could it be at seven in the evening on Friday please?')
      expect(phases(call)).not.toContain('taken over by you')
      expect(call.session.ringIn(OWNER, 'hand_back')).toBe('rings')
    },
  )

  it('puts nobody through to a mailbox that answers', async () => {
    const call = await ringing()
    call.owner.answer()
    await call.clock.advance(1000)
    call.owner.judge('machine')
    await call.clock.advance(5000)
    expect(call.owner.hangUps).toBe(1)
    expect(call.turnTexts().at(-1)).toContain("couldn't reach them")
    expect(legs(call).at(-1)).toMatchObject({ end: 'machine', carrier: { name: 'far end' } })
  })

  it('hangs up on a mailbox that no detection knows: nobody presses 1 within 25 s', async () => {
    const call = await ringing()
    call.owner.answer()
    call.owner.sounds(sound(0x33, 30_000))
    await call.clock.advance(24_500)
    expect([call.owner.hangUps, call.session.person.speaks]).toEqual([0, false])
    expect(saidToOwner(call).match(/Press 1 to be connected\./g)).toHaveLength(3)
    await call.clock.advance(4000)
    expect(call.owner.hangUps).toBe(1)
    expect(call.turnTexts().at(-1)).toContain("couldn't reach them")
    expect(framesOf(call.far.heard, 0x33)).toBe(0)
    expect(framesOf(call.owner.heard, 0x22)).toBe(0)
    const [last] = legs(call).slice(-1)
    expect(last).toMatchObject({ end: 'not_accepted' })
    expect(last?.connectedSeconds).toBeCloseTo(25, 0)
    expect(phases(call)).not.toContain('taken over by you')
  })

  it('puts the owner through at the key 1 alone, also in mid-announcement, which stops', async () => {
    const call = await ringing()
    call.owner.answer()
    await call.clock.advance(1000)
    for (const digit of '0239#*') call.owner.press(digit)
    await call.clock.advance(500)
    expect([call.session.person.speaks, call.far.digits]).toEqual([false, ''])
    call.owner.press('1')
    await call.clock.advance(200)
    expect(call.session.person.speaks).toBe(true)
    const heard = saidToOwner(call)
    await call.clock.advance(60_000)
    expect(saidToOwner(call)).toBe(heard)
    expect([call.far.digits, call.session.person.speaks]).toEqual(['', true])
  })

  it('goes on without an owner who picks up and hangs up again', async () => {
    const call = await ringing()
    call.owner.answer()
    await call.clock.advance(2000)
    call.owner.end('remote')
    await call.clock.advance(3000)
    expect(call.turnTexts().at(-1)).toContain("couldn't reach them")
    expect(legs(call).at(-1)).toMatchObject({ end: 'not_accepted' })
  })

  it('waits for the key also where the announcement cannot be spoken', async () => {
    const mute: Mouth = {
      ...steadyMouth,
      open: (options) => {
        const voice = steadyMouth.open(options)
        const speak: typeof voice.speak = (text, ...more) => {
          if (text.includes('Press 1')) throw new Error('This is not spoken.')
          return voice.speak(text, ...more)
        }
        return { ...voice, speak }
      },
    }
    const call = await ringing({ mouth: mute })
    call.owner.answer()
    await call.clock.advance(2000)
    expect(call.session.person.speaks).toBe(false)
    call.owner.press('1')
    await call.clock.advance(100)
    expect(call.session.person.speaks).toBe(true)
  })

  it('ends when the callee presses 9: the agent confirms the opt-out and hangs both up', async () => {
    const call = await ringing()
    await call.clock.advance(3000)
    call.far.press('9')
    await call.over()
    expect(call.ended()).toMatchObject({ reason: 'opted_out' })
    expect(call.owner.hangUps).toBe(1)
  })

  it('ends when the owner takes over at the page, or hands back', async () => {
    const call = await ringing()
    call.session.letSpeak('person')
    await call.clock.advance(100)
    expect([call.owner.hangUps, call.session.person.speaks]).toEqual([1, true])
    const other = await ringing()
    await other.clock.advance(3000)
    other.session.letSpeak('agent')
    await other.clock.advance(4000)
    expect(other.turnTexts().at(-1)).toContain("couldn't reach them")
  })

  it.each([
    ['the callee hangs up', (call: Call) => call.far.end('remote'), 'callee_hung_up'],
    ['the owner stops the call', (call: Call) => call.session.stop('stopped'), 'stopped'],
  ])('ends with the call when %s', async (_, act, reason) => {
    const call = await ringing()
    act(call)
    await call.over()
    expect(call.ended()).toMatchObject({ reason })
    expect(call.owner.hangUps).toBe(1)
    expect(call.types().slice(-3)).toEqual(['leg', 'ended', 'wrapped_up'])
    expect(legs(call).at(-1)).toMatchObject({ end: 'withdrawn' })
  })
})

describe('the owner on the second leg', () => {
  it('hears who is on the line and that it is recorded, and nothing of the callee before', async () => {
    const call = await ringing({ order: { record: true } })
    call.owner.answer()
    call.far.sounds(sound(0x22, 2000))
    await call.clock.advance(2000)
    expect(call.session.person.speaks).toBe(false)
    await call.clock.advance(8000)
    expect(saidToOwner(call)).toBe(
      'Your call with the number that ends in 0 1 0 0 is on the line. This call is recorded. Press 1 to be connected.',
    )
    expect(framesOf(call.owner.heard, 0x22)).toBe(0)
    call.owner.press('1')
    await call.clock.advance(100)
    expect(call.session.person.speaks).toBe(true)
  })

  it.each(['ours', 'theirs'] as const)('and the callee hear each other, playout %s', async (playout) => {
    const call = stageCall({ order: { limitSeconds: 600, record: true } })
    for (const far of [call.far, call.owner]) far.capabilities = { ...far.capabilities, playout }
    await call.opened()
    call.session.ringIn(OWNER, 'hand_back')
    await call.clock.advance(500)
    call.owner.ring()
    call.owner.answer()
    await call.clock.advance(8000)
    call.owner.press('1')
    call.owner.sounds(sound(0x33, 2000))
    call.far.sounds(sound(0x22, 2000))
    const bufferedMs: number[] = []
    for (let passedMs = 0; passedMs < 3000; passedMs += FRAME_MS) {
      await call.clock.advance(FRAME_MS)
      if (passedMs > 1000) bufferedMs.push(call.far.buffered * FRAME_MS, call.owner.buffered * FRAME_MS)
    }
    expect(framesOf(call.far.heard, 0x33)).toBeGreaterThan(97)
    expect(framesOf(call.owner.heard, 0x22)).toBeGreaterThan(97)
    // ours: at most the frame of this beat. theirs: 60 to 160 ms ahead.
    expect(Math.min(...bufferedMs)).toBeGreaterThanOrEqual(playout === 'ours' ? 0 : 60)
    expect(Math.max(...bufferedMs)).toBeLessThanOrEqual(playout === 'ours' ? FRAME_MS : 160)
    call.far.end('remote')
    await call.over()
    const [callee, ours] = call.recording.channels()!
    expect(callee.filter((code) => code === 0x22).length / 8).toBeGreaterThan(1900)
    expect(ours.filter((code) => code === 0x33).length / 8).toBeGreaterThan(1900)
  })

  it('is in the transcript as a take-over at the page is: the callee alone', async () => {
    const call = await bridged()
    await call.far.says('Hello who is there now?')
    void call.owner.says('It is Ann speaking.')
    await call.clock.advance(3000)
    expect(call.turnTexts().at(-1)).toBe('user: Hello who is there now?')
    expect(phases(call).at(-1)).toBe('taken over by you')
  })

  it('passes keys on, both ways', async () => {
    const call = await bridged()
    call.owner.press('5')
    call.far.press('7')
    expect([call.far.digits, call.owner.digits]).toEqual(['5', '7'])
  })

  it('hands back by hanging up: the agent announces itself and continues', async () => {
    const call = await bridged()
    call.owner.end('remote')
    await call.clock.advance(3000)
    expect(call.turnTexts().at(-1)).toBe('agent: This is the AI assistant again.')
    await call.far.says('Yes we have one.')
    await call.clock.advance(6000)
    expect(call.turnTexts().at(-1)).toBe('agent: Could it be at seven in the evening on Friday please?')
  })

  it('ends the call by hanging up where that was ordered', async () => {
    const call = await bridged({}, 'hang_up')
    call.owner.end('remote')
    await call.over()
    expect(call.ended()).toMatchObject({ reason: 'stopped' })
    expect(call.far.hangUps).toBe(1)
  })

  it('is hung up by a hand-back at the page', async () => {
    const call = await bridged()
    call.session.letSpeak('agent')
    await call.clock.advance(3000)
    expect(call.owner.hangUps).toBe(1)
    expect(call.turnTexts().at(-1)).toBe('agent: This is the AI assistant again.')
  })

  it('is hung up when the callee opts out by key, which the agent confirms', async () => {
    const call = await bridged()
    call.far.press('9')
    await call.over()
    expect(call.ended()).toMatchObject({ reason: 'opted_out' })
    expect(call.owner.hangUps).toBe(1)
  })

  it('is hung up when the callee hangs up; the call ends with the seconds of both', async () => {
    const call = await bridged()
    await call.clock.advance(10_000)
    call.far.end('remote')
    await call.over()
    expect(call.owner.hangUps).toBe(1)
    const [last] = legs(call).slice(-1)
    // Answered 8 s before it was put through.
    expect(last?.connectedSeconds).toBeCloseTo(18, 0)
    expect(call.ended()).toMatchObject({ reason: 'callee_hung_up' })
    expect(call.types().slice(-3)).toEqual(['leg', 'ended', 'wrapped_up'])
  })

  it('is not taken for gone in silence', async () => {
    const call = await ringing()
    call.owner.dtx = true
    call.owner.answer()
    await call.clock.advance(8000)
    call.owner.press('1')
    await call.clock.advance(30_000)
    expect(call.session.person.speaks).toBe(true)
  })
})

describe('what is held for the call', () => {
  it('must pay for 20 s of both legs', async () => {
    const short = stageCall({ order: { limitSeconds: 60 } })
    await short.opened()
    expect(short.session.ringIn(OWNER, 'hand_back')).toBe('no_time')
  })

  it.each([120, 180, 600])('pays for both legs, to the end of %i s', async (limitSeconds) => {
    const call = await bridged({ order: { limitSeconds } })
    await call.over()
    const [leg] = legs(call).slice(-1)
    const seconds = [call.ended()?.connectedSeconds ?? Infinity, leg?.connectedSeconds ?? Infinity]
    const charged = seconds.reduce((sum, each) => sum + Math.ceil(each / 60), 0)
    expect(charged).toBeLessThanOrEqual(limitSeconds / 60)
    expect(call.ended()).toMatchObject({ reason: 'time_limit' })
    expect(call.turnTexts().at(-1)).toContain('my time for this call is up')
  })

  it('gives the time back that the owner has not used', async () => {
    const call = await bridged({ order: { limitSeconds: 240 } })
    call.owner.end('remote')
    // Its one minute is spent: three are left for the callee's leg.
    for (let second = 0; second < 200 && !call.ended(); second++) {
      await call.clock.advance(1000)
      if (second % 5 === 0) call.far.sounds(steadySpeech('mhm').audio)
    }
    await call.over()
    expect(call.ended()?.connectedSeconds).toBeGreaterThan(140)
    expect(call.ended()?.connectedSeconds).toBeLessThanOrEqual(180)
    expect(call.ended()?.reason).toBe('time_limit')
  })
})
