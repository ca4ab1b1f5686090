import { describe, expect, it } from 'vitest'
import { FRAME_BYTES, levelDbm0, MediaTimeline, virtualClock } from '@parley/voice-ports'
import { Recording } from './recording.ts'
import { memorySink } from '../testing/fakes.ts'
import { say, stageCall, talker } from '../testing/staged-call.ts'

/** When a stretch of sound begins that follows at least 200 ms of silence. */
function onsets(channel: Uint8Array): number[] {
  const found: number[] = []
  let quietMs = 200
  for (let at = 0; at + 40 <= channel.length; at += 40) {
    const loud = levelDbm0(channel.subarray(at, at + 40)) > -40
    if (loud && quietMs >= 200) found.push(at / 8)
    quietMs = loud ? 0 : quietMs + 5
  }
  return found
}

describe('a recording', () => {
  it("places both channels within 40 ms of the transcript's times", async () => {
    const call = stageCall({ order: { record: true } })
    await call.opened()
    await call.far.says('Yes we have one.')
    await call.clock.advance(6000)
    await call.far.says('Very well bye.')
    await call.over()
    const channels = call.recording.channels()
    expect(call.recording.state).toBe('kept')
    for (const [at, speaker] of (['user', 'agent'] as const).entries()) {
      const begins = onsets(channels![at]!)
      const turns = call.turns().filter((turn) => turn.speaker === speaker)
      expect(turns.length).toBeGreaterThan(1)
      for (const { startMs, text } of turns) {
        const nearest = Math.min(...begins.map((ms) => Math.abs(ms - startMs)))
        expect(nearest, `${speaker}: ${text} at ${startMs}, of ${begins.join()}`).toBeLessThanOrEqual(40)
      }
    }
    const { connectedSeconds } = call.ended() as { connectedSeconds: number }
    expect(channels![0].length / 8000).toBeCloseTo(connectedSeconds, 1)
  })

  it('does not exist unless the order asks for it', async () => {
    const call = stageCall()
    await call.opened()
    call.session.stop('stopped')
    await call.over()
    expect(call.recording.channels()).toBeNull()
    expect(call.recording.state).toBe('open')
  })

  it('joins frames across jitter and keeps silences in place', async () => {
    const clock = virtualClock()
    const sink = memorySink()
    const timeline = new MediaTimeline()
    const recording = new Recording({ clock, timeline, answeredMs: 0, sink })
    const frame = (code: number) => new Uint8Array(FRAME_BYTES).fill(code)
    for (const waitMs of [0, 35, 5, 20]) {
      await clock.advance(waitMs)
      recording.ours(frame(0x20), clock.nowMs())
    }
    await clock.advance(5000)
    recording.ours(frame(0x30), clock.nowMs())
    timeline.arrived(5000, clock.nowMs())
    recording.callee(frame(0x40), 5000)
    await recording.keep()
    const [callee, ours] = sink.channels()!
    const run = (channel: Uint8Array, code: number) => [
      channel.indexOf(code) / 8,
      channel.filter((each) => each === code).length / 8,
    ]
    expect(run(ours, 0x20)).toEqual([0, 80])
    expect(run(ours, 0x30)).toEqual([5060, 20])
    expect(run(callee, 0x40)).toEqual([5040, 20])
  })
})

describe('consent to a recording', () => {
  const asking = { order: { record: true, askToRecord: true } } as const

  it('is asked for before anything is recorded, and a yes starts recording and opening', async () => {
    const call = stageCall(asking)
    await call.answer()
    await call.clock.advance(7000)
    expect(call.turnTexts()).toEqual([
      'agent: Hello, this is an AI assistant calling on behalf of Ann Smith.',
      'agent: May I record this call?',
    ])
    expect(call.recording.channels()).toBeNull()
    await call.far.says('Yes that is fine.')
    await call.clock.advance(6000)
    expect(call.turnTexts().slice(2)).toEqual(['user: Yes that is fine.', 'agent: I would like a table for two.'])
    call.far.end('remote')
    await call.over()
    const [callee, agent] = call.recording.channels()!
    expect(call.recording.state).toBe('kept')
    // What was said before the yes is silence.
    expect(onsets(callee)).toEqual([])
    const opening = call.turns()[3]!
    expect(Math.abs(onsets(agent)[0]! - opening.startMs)).toBeLessThanOrEqual(40)
  })

  it.each([
    ['a no', 'No I would rather not.'],
    ['nothing', ''],
  ])('withheld by %s stops audio and transcript while the call continues', async (_, answer) => {
    const mind = talker(({ cue }) =>
      cue.type === 'heard'
        ? [
            {
              type: 'outcome',
              index: 0,
              outcome: { objective: 'a table for two', status: 'met', quote: cue.text, turn: 1 },
            },
            say('Thank you.'),
          ]
        : undefined,
    )
    const call = stageCall({ ...asking, mind })
    await call.answer()
    await call.clock.advance(7000)
    if (answer) await call.far.says(answer)
    await call.clock.advance(answer ? 8000 : 16_000)
    expect(call.far.words.map(({ text }) => text).join(' ')).toContain(
      'this call is not recorded. I would like a table for two.',
    )
    await call.far.says('We have a secret table.')
    await call.clock.advance(5000)
    call.far.end('remote')
    await call.over()
    expect(call.recording.channels()).toBeNull()
    expect(JSON.stringify(call.facts())).not.toContain('secret')
    expect(call.turnTexts().at(-1)).toBe(answer ? `user: ${answer}` : 'agent: May I record this call?')
    expect(call.facts()).toContainEqual(
      expect.objectContaining({ type: 'phase', phase: 'not recorded: the callee did not agree' }),
    )
    expect(call.facts().at(-1)).toMatchObject({ type: 'wrapped_up', outcomes: [{ status: 'met', quote: null }] })
  })

  const AGAIN = 'agent: Hello, this is an AI assistant calling on behalf of Ann Smith. May I record this call?'

  it.each([
    ['asks back', 'Who is this?', AGAIN],
    ['says yes and asks back', 'Okay who is this?', AGAIN],
    ['holds a doubt', 'Okay hold on.', 'agent: May I record this call?'],
  ])('is asked for once more when the callee %s', async (_, answer, again) => {
    const call = stageCall(asking)
    await call.answer()
    await call.clock.advance(7000)
    await call.far.says(answer)
    await call.clock.advance(8000)
    expect(call.recording.channels()).toBeNull()
    await call.far.says('Yes of course.')
    await call.clock.advance(6000)
    expect(call.turnTexts().slice(2)).toEqual([
      `user: ${answer}`,
      again,
      'user: Yes of course.',
      'agent: I would like a table for two.',
    ])
  })

  it('counts as refused without a clear yes to the second question', async () => {
    const call = stageCall(asking)
    await call.answer()
    await call.clock.advance(7000)
    await call.far.says('Okay who is this?')
    await call.clock.advance(8000)
    await call.far.says('Okay what is it about?')
    await call.clock.advance(8000)
    expect(call.far.words.map(({ text }) => text).join(' ')).toContain(
      'this call is not recorded. I would like a table for two.',
    )
    call.far.end('remote')
    await call.over()
    expect(call.recording.channels()).toBeNull()
  })
})

it('discards audio and stops the transcript when the callee objects to an announced recording', async () => {
  const call = stageCall({ order: { record: true } })
  await call.opened()
  await call.far.says("Please don't record me.")
  await call.clock.advance(3000)
  await call.far.says('We have a secret table.')
  await call.clock.advance(3000)
  call.far.end('remote')
  await call.over()
  expect(call.recording.state).toBe('discarded')
  expect(JSON.stringify(call.facts())).not.toContain('secret')
  expect(call.turns().every(({ endMs }) => endMs !== null)).toBe(true)
})
