import type { Turn } from '@parley/contract'
import { NO_TRACES, type OpenSpan, type SpanContext, type SpanOptions, type Traces } from '@parley/traces'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CallTrace } from './call-trace.ts'

interface Made {
  readonly name: string
  readonly options: SpanOptions
  readonly context: SpanContext
  endedAtMs?: number | undefined
  hasEnded: boolean
}

const ORDER: SpanContext = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }
const ANSWERED_AT = 1_700_000_000_000
let made: Made[]

/** Keeps the spans that it is asked for. */
function traces(): Traces {
  const begin = (name: string, options: SpanOptions = {}): OpenSpan => {
    const context = { ...ORDER, spanId: String(made.length).padStart(16, '0') }
    const span: Made = { name, options, context, hasEnded: false }
    made.push(span)
    const add = (more: object) => void Object.assign(Object(span.options.attributes), more)
    return {
      context,
      add,
      fail: () => undefined,
      end: (atMs) => void Object.assign(span, { hasEnded: true, endedAtMs: atMs }),
    }
  }
  return { ...NO_TRACES, isOn: true, begin }
}

const traceOf = (order: SpanContext | undefined, speed = 1) =>
  new CallTrace({ traces: traces(), callId: 'call', order, speed })
const turn = (index: number, startMs: number, endMs: number | null, speaker: Turn['speaker'] = 'agent') =>
  ({ type: 'turn', turn: { index, speaker, text: 'Do not tell', startMs, endMs, heard: true } }) as const
const turns = () => made.filter(({ name }) => name === 'turn')

beforeEach(() => {
  made = []
  vi.useFakeTimers({ now: ANSWERED_AT, toFake: ['Date'] })
  return () => vi.useRealTimers()
})

describe('CallTrace', () => {
  it('times a turn by the answer and the speed of the call, once it is over', () => {
    const trace = traceOf(ORDER, 10)
    trace.fact({ type: 'answered' })
    trace.fact(turn(0, 1000, null))
    expect(turns()).toEqual([])
    trace.fact(turn(0, 1000, 3000))
    expect(turns()).toMatchObject([
      { options: { startMs: ANSWERED_AT + 100, parent: ORDER }, endedAtMs: ANSWERED_AT + 300 },
    ])
  })

  it('tells a turn once, although its text is corrected after its end', () => {
    const trace = traceOf(ORDER)
    trace.fact(turn(0, 0, 500, 'user'))
    trace.fact(turn(0, 0, 500, 'user'))
    expect(turns()).toHaveLength(1)
  })

  it("links each turn to the one before, and gives the agent's the delays that led to it", () => {
    const trace = traceOf(ORDER)
    trace.took('end_of_turn', 301.4)
    trace.fact(turn(0, 0, 500, 'user'))
    trace.took('first_frame', 620)
    trace.fact(turn(1, 600, 900))
    trace.fact(turn(2, 950, 990))
    const [first, second, third] = turns()
    expect([first, second, third].map((each) => each?.options.links)).toEqual([
      [ORDER],
      [first?.context],
      [second?.context],
    ])
    const delays = { 'parley.stage.end_of_turn_ms': 301, 'parley.stage.first_frame_ms': 620 }
    expect(second?.options.attributes).toMatchObject({ 'parley.turn.speaker': 'agent', ...delays })
    for (const each of [first, third]) expect(Object.keys(each?.options.attributes ?? {}).join()).not.toContain('stage')
    expect(JSON.stringify(made)).not.toContain('Do not tell')
  })

  it('ends the ringing with the answer or the end, and the summary with the last fact', () => {
    const trace = traceOf(ORDER)
    trace.fact({ type: 'ended', reason: 'busy', message: 'Busy', connectedSeconds: 0 })
    expect(made).toMatchObject([
      { name: 'ring', hasEnded: true, options: { attributes: { 'parley.end_reason': 'busy' } } },
      { name: 'summary', hasEnded: false },
    ])
  })

  it('makes nothing of the facts of an order without a trace', () => {
    const trace = traceOf(undefined)
    trace.fact({ type: 'answered' })
    trace.fact(turn(0, 0, 500))
    expect([turns(), trace.traceparent]).toEqual([[], undefined])
  })
})
