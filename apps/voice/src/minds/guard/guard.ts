import type { CallOrder } from '@parley/contract'
import { isOptOut, OrderReading, VaultKeeper } from '@parley/offline-mind'
import type { Asked, Clock, Conclusion, EndedCall, HeardTurn, Mind, MindEvent, Observation } from '@parley/voice-ports'
import type { Logger } from 'pino'
import { evidenced, sceneOf, told } from './evidence.ts'
import { GuardedReply } from './reply.ts'
import { afterPause } from './pauses.ts'
import { type PlainSummary, truthful } from './summary.ts'

export interface GuardOptions {
  readonly log: Pick<Logger, 'warn' | 'error'>
  readonly clock: Clock
  readonly plainSummary: PlainSummary
  /** Numbers that a callee may be connected with: none unless the order names them. */
  readonly transferTargets?: (order: CallOrder) => readonly string[]
  /** Texts that the mind was told and may not repeat: its prompt. */
  readonly hidden?: readonly string[]
}

/** What the guard remembers, around the mind's own memory. */
interface Kept {
  /** What the user has said to the agent. */
  readonly steering: readonly string[]
  readonly mind: unknown
}

const STEERING_MAX = 50
/** Cues whose callee is a person who may opt out. */
const OF_PEOPLE: readonly Asked['cue']['type'][] = ['opening', 'heard', 'silence', 'instruction', 'time_nearly_up']

/** Stands between any mind and the mouth: what it may not say is not spoken, and what it claims needs evidence. */
export function guardedMind(mind: Mind, options: GuardOptions): Mind {
  const readings = new Readings()

  async function* respond(asked: Asked, signal: AbortSignal): AsyncGenerator<MindEvent> {
    if (signal.aborted) return
    const kept = keptIn(asked.memory)
    const steering =
      asked.cue.type === 'instruction' ? [...kept.steering, asked.cue.text].slice(-STEERING_MAX) : kept.steering
    const vault = new VaultKeeper(asked.order.vault ?? [])
    const turns = withCue(asked)
    const reply = new GuardedReply(
      { ...asked, turns },
      { ...options, mind: mind.name, vault, reading: readings.of(asked, steering) },
    )
    const memory = (inner: unknown): MindEvent => ({
      type: 'memory',
      memory: { steering, mind: inner ?? null } satisfies Kept,
    })
    const optOut = OF_PEOPLE.includes(asked.cue.type)
      ? unanswered(turns, asked.cue.type === 'opening').find(({ text }) => isOptOut(text))
      : undefined
    if (optOut) {
      yield* reply.optOut(optOut.text)
      yield memory(kept.mind)
      return
    }
    let inner: unknown = kept.mind
    try {
      for await (const event of afterPause(mind.respond(shown(asked, kept.mind, vault), signal), options.clock)) {
        if (signal.aborted) return
        if (event === null) yield* reply.settled()
        else if (event.type === 'memory') inner = event.memory
        else yield* reply.take(event)
        if (signal.aborted) return
      }
    } catch (error) {
      yield* reply.settled()
      throw error
    }
    for (const event of [...reply.end(), memory(inner)]) {
      if (signal.aborted) return
      yield event
    }
    for (const itemId of reply.droppedItems) mind.dropped?.(itemId)
  }

  async function* observe(asked: Asked, signal: AbortSignal): AsyncGenerator<Observation> {
    if (signal.aborted) return
    const kept = keptIn(asked.memory)
    const vault = new VaultKeeper(asked.order.vault ?? [])
    const last = asked.turns.findLast(({ speaker }) => speaker === 'user')
    const isOut = last !== undefined && isOptOut(last.text)
    if (isOut) yield { type: 'opted_out', quote: last.text.trim() }
    const scene = sceneOf(asked, readings.of(asked, kept.steering), false)
    for await (const event of mind.observe?.(shown(asked, kept.mind, vault), signal) ?? []) {
      if (signal.aborted) return
      if (event.type === 'opted_out') {
        // One that the callee did not say is none.
        if (
          !isOut &&
          asked.turns.some(
            ({ speaker, text }) => speaker === 'user' && event.quote !== '' && text.includes(event.quote),
          )
        )
          yield event
      } else if (event.type !== 'outcome') yield event
      else {
        const judged = told(event.outcome, event.index, scene, asked.outcomes)
        if (judged) yield { ...event, outcome: judged }
      }
    }
  }

  async function conclude(ended: EndedCall, signal: AbortSignal): Promise<Conclusion> {
    const kept = keptIn(ended.memory)
    const vault = new VaultKeeper(ended.order.vault ?? [])
    const claimed = await mind.conclude(shown(ended, kept.mind, vault), signal)
    const scene = sceneOf(ended, readings.of(ended, kept.steering), true)
    const outcomes = ended.order.objectives.map((objective, index) => {
      const claim = claimed.outcomes[index] ?? { objective, status: 'open', quote: null, turn: null }
      return evidenced(claim, index, scene)
    })
    const isGranted = ended.turns.some(({ speaker, text }) => {
      const { type, permission } = scene.reading.answer(0, text)
      return speaker === 'user' && permission !== 'no' && (type === 'grants' || type === 'offers' || type === 'tells')
    })
    return truthful(claimed, outcomes, ended.order.objectives.length === 0 && isGranted, {
      ...ended,
      plainSummary: options.plainSummary,
    })
  }

  return {
    name: mind.name,
    ...(mind.speaks && { speaks: mind.speaks.bind(mind) }),
    respond,
    observe,
    conclude,
    heard: (itemId, heardMs) => mind.heard?.(itemId, heardMs),
    dropped: (itemId) => mind.dropped?.(itemId),
  }
}

/** What is asked, without the values of the vault and with the mind's own memory. */
function shown<T extends Pick<Asked, 'order' | 'memory' | 'turns'> & { readonly cue?: Asked['cue'] }>(
  asked: T,
  memory: unknown,
  vault: VaultKeeper,
): T {
  const cue =
    asked.cue && 'text' in asked.cue && asked.cue.type !== 'instruction'
      ? { ...asked.cue, text: vault.masked(asked.cue.text) }
      : asked.cue
  return {
    ...asked,
    order: vault.hidden(asked.order),
    memory: memory ?? undefined,
    turns: asked.turns.map((turn) => ({ ...turn, text: vault.masked(turn.text) })),
    ...(cue && { cue }),
  }
}

function keptIn(memory: unknown): Kept {
  if (typeof memory !== 'object' || memory === null || !('steering' in memory) || !('mind' in memory))
    return { steering: [], mind: memory }
  const { steering, mind } = memory
  const isRight = Array.isArray(steering) && steering.every((each) => typeof each === 'string')
  return { steering: isRight ? steering.slice(-STEERING_MAX) : [], mind }
}

/** The turns with the words of the cue, which may not be a turn yet. */
function withCue({ cue, turns }: Asked): readonly HeardTurn[] {
  if (cue.type !== 'heard') return turns
  const last = turns.findLast(({ speaker }) => speaker === 'user')
  if (last?.text === cue.text || cue.text.trim() === '') return turns
  const at = turns.at(-1)
  return [
    ...turns,
    {
      index: (at?.index ?? -1) + 1,
      speaker: 'user',
      text: cue.text,
      heard: true,
      startMs: at?.endMs ?? 0,
      endMs: null,
    },
  ]
}

/** The callee's turns since the agent last spoke; behind the disclosure all of them. */
function unanswered(turns: readonly HeardTurn[], isOpening: boolean): HeardTurn[] {
  const from = isOpening ? -1 : turns.findLastIndex(({ speaker }) => speaker === 'agent')
  return turns.slice(from + 1).filter(({ speaker }) => speaker === 'user')
}

/** One reading serves all replies of a call that have the same limits. */
class Readings {
  readonly #known = new WeakMap<CallOrder, { key: string; reading: OrderReading }>()

  of(asked: Pick<Asked, 'order' | 'language' | 'now' | 'timezone'>, steering: readonly string[]): OrderReading {
    const key = JSON.stringify([asked.language, steering])
    const known = this.#known.get(asked.order)
    if (known?.key === key) return known.reading
    const reading = new OrderReading(asked, steering)
    this.#known.set(asked.order, { key, reading })
    return reading
  }
}
