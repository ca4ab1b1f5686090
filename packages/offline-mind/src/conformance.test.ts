import { describe, expect, it } from 'vitest'
import { mindChecks, mindConforms, type MindCheck, type MindUnderTest } from '@parley/voice-ports/conformance'
import type { Asked, Conclusion, Mind, MindEndReason, MindEvent, Observation } from '@parley/voice-ports'
import { createScriptedMind } from './index.ts'

const scripted = (): MindUnderTest => ({ mind: createScriptedMind(), repeatable: true })

mindConforms('the scripted mind', scripted)

type Change = (events: readonly MindEvent[], asked: Asked) => readonly MindEvent[]

/** The scripted mind with one fault in its replies. */
function broken(change: Change, conclude?: (right: Conclusion) => Conclusion): () => MindUnderTest {
  return () => {
    const { mind } = scripted()
    const faulty: Mind = {
      ...mind,
      async *respond(asked, signal) {
        const events: MindEvent[] = []
        for await (const event of mind.respond(asked, signal)) events.push(event)
        for (const event of change(events, asked)) {
          if (signal.aborted) return
          yield event
        }
      },
      conclude: async (asked, signal) => {
        const right = await mind.conclude(asked, signal)
        return conclude ? conclude(right) : right
      },
    }
    return { mind: faulty, repeatable: true }
  }
}

const say = (text: string): MindEvent => ({ type: 'say', text })

/** The scripted mind with an observer of its own. */
function observing(observe: NonNullable<Mind['observe']>, more: Partial<Mind> = {}): () => MindUnderTest {
  return () => ({ mind: { ...scripted().mind, observe, ...more }, repeatable: true })
}

/** As language models write: deltas cut anywhere, a tool before the words, and costs. */
const asModelsDo = broken((events) => [
  { type: 'press', digits: '1' },
  ...events
    .flatMap((event): MindEvent[] =>
      event.type === 'say' ? [...event.text.split(/(?<=[aeiou.])/), ' **🙂'].map(say) : [event],
    )
    .filter(({ type }) => type !== 'memory'),
  { type: 'usage', inputTokens: 900, outputTokens: 40, model: 'x' },
  ...events.slice(-1),
])

const same: Change = (events) => events
const without =
  (...types: readonly MindEvent['type'][]): Change =>
  (events) =>
    events.filter(({ type }) => !types.includes(type))

/** Counts its calls, which a mind must not do. */
function remembering(): () => MindUnderTest {
  let count = 0
  return broken((events) => {
    count += 1
    return events.map((event) => (event.type === 'say' ? { ...event, text: `${event.text} ${count}` } : event))
  })
}

/** Remembers an opt-out in a reply that was discarded. */
function grudging(): () => MindUnderTest {
  return () => {
    let offended = false
    return broken((events) => {
      const said = events.map((event) =>
        offended && event.type === 'say' ? { ...event, text: 'As you wish.' } : event,
      )
      offended ||= events.some(({ type }) => type === 'opted_out')
      return said
    })()
  }
}

const deaf: Mind = {
  ...scripted().mind,
  async *respond(asked) {
    yield* scripted().mind.respond(asked, new AbortController().signal)
  },
}
/** Waits for its model to the end, aborted or not. */
const slow: Mind = {
  ...scripted().mind,
  async *respond(asked, signal) {
    if (signal.aborted) return
    for await (const event of scripted().mind.respond(asked, new AbortController().signal)) {
      yield event
      for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve))
      if (signal.aborted) return
    }
  },
}
const throwing: Mind = {
  ...scripted().mind,
  async *respond(asked, signal) {
    yield* scripted().mind.respond(asked, new AbortController().signal)
    if (signal.aborted) throw new Error('stopped in the middle')
  },
}
const classy = broken((events) =>
  events.map((event) => (event.type === 'memory' ? { ...event, memory: new Map([['memory', event.memory]]) } : event)),
)

const faults: readonly (readonly [string, MindCheck, () => MindUnderTest, RegExp])[] = [
  [
    'an empty reply',
    'respond() answers every cue and ends with one memory event',
    broken((events) => events.slice(-1)),
    /was empty/,
  ],
  [
    'a sentence without words',
    'respond() answers every cue and ends with one memory event',
    broken((events) => events.map((event) => (event.type === 'say' ? say(' ') : event))),
    /said nothing that can be spoken/,
  ],
  [
    'nothing but usage',
    'respond() answers every cue and ends with one memory event',
    broken((events) => [{ type: 'usage', inputTokens: 9, outputTokens: 0, model: 'x' }, ...events.slice(-1)]),
    /was empty/,
  ],
  [
    'nothing but markup',
    'respond() answers every cue and ends with one memory event',
    broken((events) => events.map((event) => (event.type === 'say' ? say('<think>Hm.</think> **🙂**') : event))),
    /said nothing that can be spoken/,
  ],
  [
    'a reason to hang up that is not its to give',
    'respond() answers every cue and ends with one memory event',
    broken((events) =>
      events.map((event) =>
        event.type === 'hang_up' ? { ...event, reason: 'interrupted' as unknown as MindEndReason } : event,
      ),
    ),
    /hung up for "interrupted"/,
  ],
  [
    'keys that no telephone has',
    'respond() answers every cue and ends with one memory event',
    broken((events) => [{ type: 'press', digits: '1<2' }, ...events]),
    /pressed "1<2"/,
  ],
  [
    'an endless wait',
    'respond() answers every cue and ends with one memory event',
    broken((events) => [{ type: 'wait', forMs: Infinity }, ...events]),
    /waits for Infinity ms/,
  ],
  [
    'missing memory',
    'respond() answers every cue and ends with one memory event',
    broken(without('memory')),
    /brought memory 0 times/,
  ],
  [
    'memory before the words',
    'respond() answers every cue and ends with one memory event',
    broken((events) => events.toReversed()),
    /did not end with memory/,
  ],
  [
    'words after hanging up',
    'respond() answers every cue and ends with one memory event',
    broken((events) =>
      events.flatMap((event): MindEvent[] =>
        event.type === 'hang_up' ? [event, { type: 'say', text: 'And...' }] : [event],
      ),
    ),
    /went on after hanging up/,
  ],
  [
    'a reply after cancel',
    'an aborted reply ends at once, without an error or another event',
    () => ({ mind: deaf, repeatable: true }),
    /came after the abort/,
  ],
  [
    'an abort that is heeded late',
    'an aborted reply ends at once, without an error or another event',
    () => ({ mind: slow, repeatable: true }),
    /heeded the abort late/,
  ],
  [
    'an error after cancel',
    'an aborted reply ends at once, without an error or another event',
    () => ({ mind: throwing, repeatable: true }),
    /came after the abort|stopped in the middle/,
  ],
  [
    'a reply that depends on earlier calls',
    'respond() repeats its reply for the same question and does not modify it',
    remembering(),
    /answered in two ways/,
  ],
  [
    'a discarded opt-out that is remembered',
    'a discarded reply does not change the next one',
    grudging(),
    /changed the next one/,
  ],
  [
    'memory that JSON loses',
    'memory survives JSON, and missing or invalid memory is tolerated',
    classy,
    /did not survive/,
  ],
  [
    'an outcome with a wrong index',
    'outcome events name objectives of the order and quote the callee',
    broken((events) =>
      events.map((event) => (event.type === 'outcome' ? { ...event, index: event.index + 1 } : event)),
    ),
    /is about/,
  ],
  [
    'a quote that was not said',
    'outcome events name objectives of the order and quote the callee',
    broken((events) =>
      events.map((event) =>
        event.type === 'outcome' ? { ...event, outcome: { ...event.outcome, quote: 'Of course!' } } : event,
      ),
    ),
    /was never said/,
  ],
  [
    'an offer that is agreed to without a mandate',
    'offers outside the limits of the order are not agreed to',
    broken((events) =>
      events.map((event) =>
        event.type === 'outcome'
          ? { ...event, outcome: { ...event.outcome, status: 'met' as const, offer: null } }
          : event,
      ),
    ),
    /counts as got/,
  ],
  [
    'an offer that is reported as success',
    'offers outside the limits of the order are not agreed to',
    broken(same, (right) => ({ ...right, summary: { ...right.summary, type: 'success' as const } })),
    /told as success/,
  ],
  [
    'an offer without its text',
    'offers outside the limits of the order are not agreed to',
    broken(same, (right) => ({ ...right, outcomes: right.outcomes.map((outcome) => ({ ...outcome, offer: null })) })),
    /what was offered/,
  ],
  [
    'an opt-out that is not reported',
    'an opt-out is reported and confirmed, and ends the call',
    broken(without('opted_out')),
    /was not told/,
  ],
  [
    'a missing hang_up',
    'the cues time_nearly_up and voicemail end the call',
    broken(without('hang_up')),
    /did not end the call/,
  ],
  [
    'a lost outcome',
    'conclude() returns one outcome per objective and a consistent summary',
    broken(same, (right) => ({ ...right, outcomes: right.outcomes.slice(1) })),
    /not those of the objectives/,
  ],
  [
    'a required action without text',
    'conclude() returns one outcome per objective and a consistent summary',
    broken(same, (right) => ({ ...right, summary: { ...right.summary, actionRequired: true, actionText: null } })),
    /required and not named/,
  ],
  [
    'an observer that speaks',
    'observe() reports what the callee said, and neither speaks nor acts',
    observing(async function* () {
      yield say('Hello?') as unknown as Observation
    }),
    /it reported say/,
  ],
  [
    'an observer that makes up an opt-out',
    'observe() reports what the callee said, and neither speaks nor acts',
    observing(async function* () {
      yield { type: 'opted_out', quote: 'Never again.' }
    }),
    /was never said/,
  ],
  [
    'an observer that does not stop',
    'an aborted observe() ends at once, without an error or another event',
    observing((asked) => scripted().mind.observe?.(asked, new AbortController().signal) ?? (async function* () {})()),
    /observation came after the abort/,
  ],
  [
    'an error about an item that is gone',
    'heard() and dropped() of an item that is gone are ignored',
    observing(async function* () {}, {
      heard: () => {
        throw new Error('No such item.')
      },
    }),
    /No such item/,
  ],
]

describe('the conformance checks', () => {
  it('accept deltas cut anywhere, a tool before the words, and usage', async () => {
    for (const check of Object.values(mindChecks)) await expect(check(asModelsDo)).resolves.toBeUndefined()
  })
  it.each(faults)('reject a mind with: %s', async (_, check, make, complaint) => {
    await expect(mindChecks[check](make)).rejects.toThrow(complaint)
  })
  it('are each shown failing by a fault', () => {
    expect(new Set(faults.map(([, check]) => check))).toEqual(new Set(Object.keys(mindChecks)))
  })
})
