import { isDeepStrictEqual } from 'node:util'
import { CallSummary, END_REASONS, isMet, type Outcome } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import type { HeardTurn, Mind, Observation } from '../mind.ts'
import {
  aCallState,
  atOnce,
  Conversation,
  CUES,
  demand,
  ORDER,
  OUTSIDE,
  reply,
  UTTERANCES,
  wellFormed,
  wholeCall,
} from './conversation.ts'

export interface MindUnderTest {
  readonly mind: Mind
  /** Whether the same question gives the same reply. A language model conforms without this. */
  readonly repeatable: boolean
}

type Make = () => MindUnderTest | Promise<MindUnderTest>

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(Object.freeze(value))) frozen(inner)
  return value
}

function quotedFrom(outcome: Outcome, turns: readonly HeardTurn[]): void {
  if (outcome.quote === null || outcome.turn === null) return
  const turn = turns.find(({ index }) => index === outcome.turn)
  demand(turn?.speaker === 'user', `"${outcome.objective}" is shown by a turn that is not the callee's`)
  demand(turn?.text.includes(outcome.quote) === true, `"${outcome.quote}" was never said`)
}

export const mindChecks = {
  async 'respond() answers every cue and ends with one memory event'(make: Make) {
    const { mind } = await make()
    for (const cue of CUES) {
      const atOnce = new Conversation(mind)
      await atOnce.go(cue)
      const underWay = new Conversation(mind)
      await underWay.go({ type: 'opening' })
      await underWay.go(cue)
    }
  },

  async 'an aborted reply ends at once, without an error or another event'(make: Make) {
    const { mind } = await make()
    for (const before of [0, 1]) {
      const abort = new AbortController()
      if (before === 0) abort.abort()
      const reply = mind.respond(new Conversation(mind).asked({ type: 'opening' }), abort.signal)
      const events = reply[Symbol.asyncIterator]()
      if (before === 1) {
        await events.next()
        const under = events.next()
        abort.abort()
        // One event may have been on its way.
        await atOnce(under, 'it heeded the abort late')
      }
      const { done } = await atOnce(events.next(), 'it heeded the abort late')
      demand(done === true, 'an event came after the abort')
    }
  },

  async 'respond() repeats its reply for the same question and does not modify it'(make: Make) {
    const { mind, repeatable } = await make()
    const call = new Conversation(mind)
    await call.go({ type: 'opening' })
    for (const text of UTTERANCES.slice(0, 3)) {
      const asked = frozen(structuredClone(call.asked({ type: 'heard', text })))
      const first = await reply(mind, asked)
      const second = await reply(mind, asked)
      if (repeatable) demand(JSON.stringify(first) === JSON.stringify(second), `"${text}" was answered in two ways`)
      await call.go({ type: 'heard', text })
    }
  },

  async 'a discarded reply does not change the next one'(make: Make) {
    const { mind, repeatable } = await make()
    const [kept, alone] = [new Conversation(mind), new Conversation((await make()).mind)]
    await kept.go({ type: 'opening' })
    await alone.go({ type: 'opening' })
    await reply(mind, kept.asked({ type: 'heard', text: 'Take me off your list.' }))
    await reply(mind, {
      ...kept.asked({ type: 'opening' }),
      order: { ...ORDER, objectives: ['Parking'], purpose: 'Ask about parking' },
      memory: undefined,
    })
    const [after, undisturbed] = [
      await kept.go({ type: 'heard', text: 'Yes, that works.' }),
      await alone.go({ type: 'heard', text: 'Yes, that works.' }),
    ]
    if (repeatable)
      demand(JSON.stringify(after) === JSON.stringify(undisturbed), 'a discarded reply changed the next one')
  },

  async 'memory survives JSON, and missing or invalid memory is tolerated'(make: Make) {
    const { mind, repeatable } = await make()
    const call = new Conversation(mind)
    await call.go({ type: 'opening' })
    const asked = call.asked({ type: 'heard', text: 'Yes, that works.' })
    const written: unknown = JSON.parse(JSON.stringify(asked.memory ?? null))
    demand(isDeepStrictEqual(written, asked.memory), 'memory did not survive being written down')
    const [kept, restored] = [await reply(mind, asked), await reply(mind, { ...asked, memory: written })]
    if (repeatable)
      demand(JSON.stringify(kept) === JSON.stringify(restored), 'memory that was written down was read differently')
    for (const memory of [undefined, null, 'nonsense', { half: 'known' }])
      wellFormed(await reply(mind, { ...asked, memory }), asked.cue)
  },

  async 'outcome events name objectives of the order and quote the callee'(make: Make) {
    const call = await wholeCall((await make()).mind)
    for (const { index, outcome } of call.outcomes) {
      demand(ORDER.objectives[index] === outcome.objective, `outcome ${index} is about "${outcome.objective}"`)
      quotedFrom(outcome, call.turns)
    }
  },

  async 'offers outside the limits of the order are not agreed to'(make: Make) {
    for (const { utterances, ...asked } of OUTSIDE) {
      const { mind } = await make()
      const order = { ...ORDER, context: {}, ...asked }
      const call = new Conversation(mind, order)
      await call.go({ type: 'opening' })
      for (const text of utterances) if (!call.ended) await call.go({ type: 'heard', text })
      const ending = { ...call.state(), endReason: 'callee_hung_up' as const }
      const { outcomes, summary } = await mind.conclude(ending, new AbortController().signal)
      const all = [...call.outcomes.map(({ outcome }) => outcome), ...outcomes]
      demand(!all.some(isMet), `"${order.objectives.join()}" counts as got`)
      demand(
        outcomes.every(({ status, offer }) => status !== 'offered' || (typeof offer === 'string' && offer !== '')),
        'an offer does not say what was offered',
      )
      demand(summary.type !== 'success', `"${order.objectives.join()}" is told as success`)
    }
  },

  async 'an opt-out is reported and confirmed, and ends the call'(make: Make) {
    const call = new Conversation((await make()).mind)
    await call.go({ type: 'opening' })
    const events = await call.go({ type: 'heard', text: 'Take me off your list and do not call me again.' })
    demand(
      events.some(({ type }) => type === 'opted_out'),
      'the opt-out was not told',
    )
    demand(
      events.some(({ type }) => type === 'say' || type === 'sound'),
      'the opt-out was not confirmed',
    )
    demand(
      events.some((event) => event.type === 'hang_up' && event.reason === 'opted_out'),
      'the call went on',
    )
  },

  async 'the cues time_nearly_up and voicemail end the call'(make: Make) {
    for (const [cue, reason] of [
      [{ type: 'time_nearly_up' }, 'time_limit'],
      [{ type: 'voicemail' }, 'voicemail'],
    ] as const) {
      const call = new Conversation((await make()).mind)
      await call.go({ type: 'opening' })
      const events = await call.go(cue)
      demand(
        events.some((event) => event.type === 'hang_up' && event.reason === reason),
        `${cue.type} did not end the call`,
      )
    }
  },

  async 'conclude() returns one outcome per objective and a consistent summary'(make: Make) {
    const { mind } = await make()
    const call = await wholeCall(mind)
    const { signal } = new AbortController()
    for (const endReason of END_REASONS) {
      for (const { turns, memory } of [call, { turns: [], memory: undefined }]) {
        const { outcomes, summary } = await mind.conclude({ ...aCallState({ turns, memory }), endReason }, signal)
        demand(
          JSON.stringify(outcomes.map(({ objective }) => objective)) === JSON.stringify(ORDER.objectives),
          'the outcomes are not those of the objectives, in order',
        )
        for (const outcome of outcomes) quotedFrom(outcome, turns)
        demand(
          turns.length > 0 || outcomes.every(({ status }) => status === 'open'),
          'something was settled although nobody spoke',
        )
        CallSummary.parse(summary)
        demand(summary.title.trim() !== '' && summary.description.trim() !== '', 'the summary says nothing')
        demand(
          summary.actionRequired === (summary.actionText !== null),
          'an action is required and not named, or the other way round',
        )
      }
    }
  },

  async 'observe() reports what the callee said, and neither speaks nor acts'(make: Make) {
    const { mind } = await make()
    for (const text of ['Take me off your list and do not call me again.', 'Yes, that works.', '', '🙂']) {
      const call = new Conversation(mind)
      await call.go({ type: 'opening' })
      call.hears(text)
      const asked = frozen(call.asked({ type: 'heard', text }))
      for await (const event of mind.observe?.(asked, new AbortController().signal) ?? []) {
        demand(OBSERVATIONS.includes(event.type), `it reported ${event.type}`)
        if (event.type === 'outcome') quotedFrom(event.outcome, call.turns)
        if (event.type === 'opted_out') demand(text.includes(event.quote), `"${event.quote}" was never said`)
      }
    }
  },

  async 'an aborted observe() ends at once, without an error or another event'(make: Make) {
    const { mind } = await make()
    const call = new Conversation(mind)
    call.hears('Do not call me again.')
    const asked = call.asked({ type: 'heard', text: 'Do not call me again.' })
    const observing = mind.observe?.(asked, AbortSignal.abort())[Symbol.asyncIterator]()
    const { done } = observing ? await atOnce(observing.next(), 'it heeded the abort late') : { done: true }
    demand(done === true, 'an observation came after the abort')
  },

  async 'heard() and dropped() of an item that is gone are ignored'(make: Make) {
    const { mind } = await make()
    mind.heard?.('an item of an earlier call', 240)
    mind.dropped?.('an item of an earlier call')
  },
}

const OBSERVATIONS: readonly Observation['type'][] = ['outcome', 'opted_out', 'language', 'usage']

export type MindCheck = keyof typeof mindChecks

/** Registers the checks in the adapter's test file. */
export function mindConforms(name: string, make: Make): void {
  describe(`${name}: mind port`, () => {
    it.each(Object.entries(mindChecks))('%s', async (_, check) => {
      await expect(check(make)).resolves.toBeUndefined()
    })
  })
}
