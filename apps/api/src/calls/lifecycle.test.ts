import { CALL_STATUSES, END_REASONS, endedPhase, type Fact, type FactBody } from '@parley/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endUnheard, isCompleting, isOver, type Move, newProgress, type Progress, takeFact } from './lifecycle.ts'

const START = new Date('2026-01-15T12:00:00.000Z')
const outcomes: [] = []
const summary = {
  type: 'other' as const,
  title: '',
  description: '',
  insights: [],
  nextSteps: [],
  actionRequired: false,
  actionText: null,
}

function facts(...bodies: FactBody[]): Fact[] {
  return bodies.map((body, index) => ({
    ...body,
    seq: index + 1,
    callMs: index * 1000,
    at: new Date(START.getTime() + index * 1000).toISOString(),
  }))
}

function run(sequence: readonly Fact[], from: Progress = newProgress(START)) {
  const moves: Move[] = []
  const history = [from]
  for (const fact of sequence) {
    const step = takeFact(history.at(-1)!, fact)
    history.push(step.progress)
    moves.push(...step.moves)
  }
  return { progress: history.at(-1)!, moves, history }
}

const turn = (index: number): FactBody => ({
  type: 'turn',
  turn: { index, speaker: 'agent', text: `line ${index}`, startMs: 0, endMs: null, heard: false },
})
const ended = (reason: (typeof END_REASONS)[number], connectedSeconds = 0): FactBody => ({
  type: 'ended',
  reason,
  message: '',
  connectedSeconds,
})

describe("a call's life cycle", () => {
  test('goes through every status, each with its time', () => {
    const { progress, moves } = run(
      facts({ type: 'dialing' }, { type: 'ringing' }, { type: 'answered' }, turn(0), ended('agent_closed', 1.2)),
    )
    expect(progress).toMatchObject({
      status: 'completed',
      phase: 'ended: answered',
      factsTaken: 5,
      answeredCallMs: 2000,
    })
    const stages = moves.flatMap((move) =>
      move.kind === 'stage' ? [[move.status, move.at.toISOString().slice(17, 19)]] : [],
    )
    expect(stages).toEqual([
      ['dialing', '00'],
      ['ringing', '01'],
      ['connected', '02'],
      ['in_progress', '03'],
      ['completed', '04'],
    ])
    expect(moves.find(({ kind }) => kind === 'ended')).toMatchObject({ ending: { connectedSeconds: 2 } })
  })

  test.each(END_REASONS)('a call ended by %s is completed for an answered end, otherwise failed', (reason) => {
    const { progress } = run(facts({ type: 'dialing' }, { type: 'answered' }, ended(reason, 5)))
    expect(progress).toMatchObject({ status: isCompleting(reason) ? 'completed' : 'failed', phase: endedPhase(reason) })
  })

  test('a call that was not answered ends as failed for any end reason', () => {
    expect(run(facts({ type: 'dialing' }, ended('stopped'))).progress.phase).toBe(endedPhase('canceled'))
    expect(run(facts({ type: 'ringing' }, ended('time_limit'))).progress).toMatchObject({
      status: 'failed',
      phase: endedPhase('no_answer'),
    })
  })

  test('a turn counts as the answer when the answered fact is missing', () => {
    const { progress, moves } = run(facts({ type: 'dialing' }, turn(0)))
    expect(progress).toMatchObject({ status: 'in_progress', answeredCallMs: 1000 })
    expect(moves.map(({ kind }) => kind)).toEqual(['stage', 'stage', 'answered', 'stage', 'turn'])
  })

  test('an unheard call was connected from its answer to its last fact', () => {
    const live = run(facts({ type: 'dialing' }, { type: 'answered' }, turn(0), turn(0))).progress
    const { progress, moves } = endUnheard(live, {
      reason: 'interrupted',
      message: '',
      at: new Date(START.getTime() + 60_000),
    })
    expect(progress.status).toBe('failed')
    expect(moves.at(-1)).toMatchObject({ kind: 'ended', ending: { reason: 'interrupted', connectedSeconds: 2 } })
    expect(endUnheard(progress, { reason: 'interrupted', message: '', at: START }).moves).toEqual([])
    expect(endUnheard(newProgress(START), { reason: 'canceled', message: '', at: START }).moves.at(-1)).toMatchObject({
      ending: { connectedSeconds: 0 },
    })
  })

  test('keeps late turns, outcomes, opt-outs and the summary after the end, and no other change', () => {
    const over = run(facts({ type: 'answered' }, ended('agent_closed', 9)))
    const late = facts(
      { type: 'answered' },
      ended('busy'),
      turn(3),
      { type: 'opted_out', quote: 'no' },
      { type: 'wrapped_up', outcomes, summary, language: 'en' },
    )
    const { progress, moves } = run(
      late.map((fact) => ({ ...fact, seq: fact.seq + 2 })),
      over.progress,
    )
    expect(moves.map(({ kind }) => kind)).toEqual(['turn', 'opted_out', 'outcomes', 'summary'])
    expect(progress).toMatchObject({ status: 'completed', phase: 'ended: answered', factsTaken: 7 })
  })
})

const anyBody: fc.Arbitrary<FactBody> = fc.oneof(
  fc.constantFrom<FactBody>({ type: 'dialing' }, { type: 'ringing' }, { type: 'answered' }),
  fc.string({ maxLength: 10 }).map((phase): FactBody => ({ type: 'phase', phase })),
  fc.nat(5).map(turn),
  fc.constant<FactBody>({ type: 'outcomes', outcomes }),
  fc.constant<FactBody>({ type: 'opted_out', quote: '' }),
  fc.constant<FactBody>({ type: 'asks_owner', question: 'Is nine fine?' }),
  fc
    .tuple(fc.constantFrom(...END_REASONS), fc.double({ min: 0, max: 2000, noNaN: true }))
    .map(([reason, seconds]) => ended(reason, seconds)),
  fc.constant<FactBody>({ type: 'wrapped_up', outcomes, summary, language: '' }),
)
/** Facts in any order, with gaps, duplicates and clocks that jump. */
const anyFacts = fc.array(
  fc.tuple(
    anyBody,
    fc.integer({ min: 1, max: 30 }),
    fc.nat(100_000),
    fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
  ),
  { maxLength: 60 },
)

describe('any facts in any order', () => {
  const shaped = anyFacts.map((list) =>
    list.map(([body, seq, callMs, at]): Fact => ({ ...body, seq, callMs, at: at.toISOString() })),
  )
  /** The same numbered without gaps, so that whole life cycles occur. */
  const numbered = shaped.map((list) => list.map((fact, index): Fact => ({ ...fact, seq: index + 1 })))

  test('never move a call backwards and end it at most once', () => {
    fc.assert(
      fc.property(fc.oneof(shaped, numbered), (sequence) => {
        const { history, moves } = run(sequence)
        for (const [index, now] of history.entries()) {
          const before = history[index - 1] ?? now
          expect(CALL_STATUSES.indexOf(now.status)).toBeGreaterThanOrEqual(CALL_STATUSES.indexOf(before.status))
          expect(now.factsTaken - before.factsTaken).toBeOneOf([0, 1])
          expect(now.stageAt.getTime()).toBeGreaterThanOrEqual(before.stageAt.getTime())
          expect(isOver(before) ? [now.status, now.phase] : []).toEqual(
            isOver(before) ? [before.status, before.phase] : [],
          )
        }
        const endings = moves.filter(({ kind }) => kind === 'ended')
        expect(endings).toHaveLength(isOver(history.at(-1)!) ? 1 : 0)
        expect(moves.filter(({ kind }) => kind === 'answered').length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 500 },
    )
  })

  test('give the same call when facts are repeated', () => {
    fc.assert(
      fc.property(numbered, fc.array(fc.nat(60), { maxLength: 40 }), (sequence, repeats) => {
        const noisy = sequence.flatMap((fact, index) => [
          fact,
          ...repeats.filter((at) => at <= index).map((at) => sequence[at]!),
        ])
        const [once, twice] = [run(sequence), run(noisy)]
        expect(twice.progress).toEqual(once.progress)
        expect(twice.moves).toEqual(once.moves)
      }),
      { numRuns: 200 },
    )
  })
})

/** A voice service sends it in place of a fact that cannot be sent (decision 0041). */
test('a repeated `dialing` and a fact of unknown type take their number and change nothing, wherever they come', () => {
  const bodies: FactBody[] = [
    { type: 'dialing' },
    { type: 'ringing' },
    { type: 'answered' },
    turn(0),
    { type: 'ended', reason: 'agent_closed', message: '', connectedSeconds: 3 },
    { type: 'wrapped_up', outcomes, summary, language: 'en' },
  ]
  const { history } = run(facts(...bodies))
  for (const before of history.slice(1)) {
    const stamp = { seq: before.factsTaken + 1, at: START.toISOString(), callMs: before.lastCallMs }
    for (const type of ['dialing', 'unknown'] as const)
      expect(takeFact(before, { ...stamp, type })).toEqual({
        progress: { ...before, factsTaken: stamp.seq },
        moves: [],
      })
  }
})
