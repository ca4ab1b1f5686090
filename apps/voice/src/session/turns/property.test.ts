import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TurnDriver } from './driver.ts'
import type { TurnEvent } from './state.ts'

const LIMIT_SECONDS = 90

/** A driver that keeps count of the outputs of the agent under way. */
class CountingDriver extends TurnDriver {
  speaking = 0
  mostSpeaking = 0

  override send(event: TurnEvent): this {
    if (event.type === 'played' && event.id === this.state.output?.id) this.speaking = 0
    const before = this.done.length
    super.send(event)
    for (const { effect } of this.done.slice(before)) {
      if (effect.type === 'drop') this.speaking = 0
      if (effect.type === 'play' || effect.type === 'speak') this.speaking++
      this.mostSpeaking = Math.max(this.mostSpeaking, this.speaking)
    }
    return this
  }
}

type Happening = (talk: TurnDriver) => unknown

const said = fc.constantFrom(
  '',
  'mhm',
  'stop',
  'we have a table',
  'and',
  'bye bye',
  'hold on, let me check',
  'no wait I have one more thing',
)
const someId = fc.integer({ min: 0, max: 12 })
const events: fc.Arbitrary<TurnEvent> = fc.oneof(
  fc.record({ type: fc.constant('words' as const), text: said, final: fc.boolean() }),
  fc.record({ type: fc.constantFrom('reply_ready' as const, 'reply_failed' as const), id: someId }),
  fc.record({ type: fc.constant('played' as const), id: someId, heardMs: fc.integer({ min: 0, max: 90_000 }) }),
  fc.record({
    type: fc.constant('reply_closes' as const),
    id: someId,
    reason: fc.constantFrom('agent_closed' as const, 'opted_out' as const),
  }),
  fc.record({ type: fc.constant('digit' as const), digit: fc.constantFrom('1', '9') }),
  fc.record({ type: fc.constant('machine' as const), suspected: fc.boolean() }),
  fc.record({ type: fc.constant('instruction' as const), text: said }),
  fc.record({ type: fc.constant('language' as const), language: fc.constantFrom('en', 'es') }),
  fc.record({
    type: fc.constant('machine_cue' as const),
    cue: fc.constantFrom(
      { type: 'voicemail' as const },
      { type: 'menu' as const, text: 'press 1' },
      { type: 'screening' as const, text: 'who' },
    ),
  }),
  fc.record({ type: fc.constant('turn_end' as const), pause: someId, waitMs: fc.integer({ min: -100, max: 9000 }) }),
  fc.record({
    type: fc.constant('ear_turn' as const),
    state: fc.constantFrom('started' as const, 'eager' as const, 'resumed' as const, 'ended' as const),
  }),
  fc.record({
    type: fc.constant('ear_ready' as const),
    settlesWithinMs: fc.integer({ min: 0, max: 3000 }),
    turns: fc.boolean(),
  }),
  fc.constantFrom<TurnEvent>(
    { type: 'machine_waits' },
    { type: 'opted_out' },
    { type: 'settled' },
    { type: 'ear_broken' },
    { type: 'taken_over' },
    { type: 'handed_back' },
  ),
)
const happenings: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.integer({ min: 0, max: 9000 }).map(
      (ms): Happening =>
        (talk) =>
          talk.wait(ms),
    ),
  },
  { weight: 4, arbitrary: fc.constant<Happening>((talk) => talk.calleeStarts()) },
  { weight: 4, arbitrary: fc.constant<Happening>((talk) => talk.calleeStops()) },
  { weight: 6, arbitrary: fc.constant<Happening>((talk) => talk.replyReady()) },
  { weight: 6, arbitrary: fc.constant<Happening>((talk) => talk.played()) },
  {
    weight: 10,
    arbitrary: events.map(
      (event): Happening =>
        (talk) =>
          talk.send(event),
    ),
  },
)

it('any sequence of events ends the call once, within its limit, with one output of the agent at a time', () => {
  fc.assert(
    fc.property(fc.array(happenings, { minLength: 1, maxLength: 150 }), fc.boolean(), (sequence, lazyEar) => {
      const talk = new CountingDriver({ limitSeconds: LIMIT_SECONDS, lazyEar }).send({ type: 'answered' })
      for (const happen of sequence) happen(talk)
      talk.wait(LIMIT_SECONDS * 1000)
      const ends = talk.done.filter(({ effect }) => effect.type === 'hang_up')
      expect(ends).toHaveLength(1)
      expect(talk.done.at(-1)).toBe(ends[0])
      expect(ends[0]!.atMs).toBeLessThanOrEqual(LIMIT_SECONDS * 1000)
      expect(talk.mostSpeaking).toBe(1)
    }),
    { numRuns: 1000 },
  )
})
