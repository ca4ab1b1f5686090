import { virtualClock } from '@parley/voice-ports'
import { expect, it } from 'vitest'
import { timeLimits } from '../limits.ts'
import { TurnLoop } from './loop.ts'
import { firstState, type TurnEffect, type TurnEvent } from './state.ts'

it('a deadline that falls due in a stall of the process is taken once the sockets are read', async () => {
  const clock = virtualClock()
  const reads: (() => void)[] = []
  const effects: TurnEffect['type'][] = []
  const loop = new TurnLoop({
    clock: { ...clock, whenRead: (task) => void reads.push(task) },
    first: firstState('en', timeLimits(600), 'none'),
    perform: ({ type }) => void effects.push(type),
    onStepped: () => undefined,
    isOver: () => false,
    guard: (task) => task(),
    side: () => 'quiet',
  })
  const say = (...events: TurnEvent[]) => events.forEach((event) => loop.dispatch(event))
  const isReady = () => say({ type: 'reply_ready', id: loop.state.reply!.id })
  const isPlayed = () => say({ type: 'played', id: loop.state.output!.id, heardMs: clock.nowMs() })
  const read = () => reads.splice(0).forEach((task) => task())
  const answers = () => effects.filter((type) => ['play', 'callee_turn_over'].includes(type))
  say({ type: 'answered' })
  isReady()
  isPlayed()
  await clock.advance(1000)
  read()
  isPlayed()
  effects.length = 0

  say({ type: 'speech_started', sinceMs: clock.nowMs(), oursUntilMs: 0 }, { type: 'words', text: 'yes', final: true })
  say({ type: 'speech_stopped', untilMs: clock.nowMs() }, { type: 'settled' })
  isReady()
  await clock.advance(310)
  expect(reads).toHaveLength(1)
  say({ type: 'speech_started', sinceMs: clock.nowMs() - 60, oursUntilMs: 0 })
  read()
  expect(answers()).toEqual([])

  say({ type: 'speech_stopped', untilMs: clock.nowMs() }, { type: 'settled' })
  await clock.advance(310)
  read()
  expect(answers()).toEqual(['callee_turn_over', 'play'])
})
