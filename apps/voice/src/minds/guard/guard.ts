import type { CallOrder } from '@parley/contract'
import { isOptOut, OrderReading, VaultKeeper } from '@parley/offline-mind'
import type { Asked, Clock, Conclusion, EndedCall, HeardTurn, Mind, MindEvent, Observation } from '@parley/voice-ports'
import type { Logger } from 'pino'
import { evidenced, type Scene, sceneOf, told } from './evidence.ts'
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
  const guard = new Guard(mind, options)
  return {
    name: mind.name,
    ...(mind.speaks && { speaks: mind.speaks.bind(mind) }),
    respond: (asked, signal) => guard.respond(asked, signal),
    observe: (asked, signal) => guard.observe(asked, signal),
    conclude: (ended, signal) => guard.conclude(ended, signal),
    heard: (itemId, heardMs) => mind.heard?.(itemId, heardMs),
    dropped: (itemId) => mind.dropped?.(itemId),
  }
}

class Guard {
  readonly #mind: Mind
  readonly #options: GuardOptions
  readonly #readings = new Readings()

  constructor(mind: Mind, options: GuardOptions) {
    this.#mind = mind
    this.#options = options
  }

  async *respond(given: Asked, signal: AbortSignal): AsyncGenerator<MindEvent> {
    if (signal.aborted) return
    const { asked, kept, vault } = this.#unpacked({ ...given, turns: withCue(given) })
    const reading = this.#readings.of(asked, kept.steering)
    const reply = new GuardedReply(asked, {
      ...this.#options,
      mind: this.#mind.name,
      vault,
      reading,
      steering: kept.steering,
    })
    const optOut = optOutIn(asked)
    if (optOut === undefined) yield* this.#guarded(reply, shown(asked, kept, vault), kept, signal)
    else yield* [...reply.optOut(optOut), memoryOf(kept, kept.mind)]
    for (const itemId of reply.droppedItems) this.#mind.dropped?.(itemId)
  }

  async *#guarded(reply: GuardedReply, asked: Asked, kept: Kept, signal: AbortSignal): AsyncGenerator<MindEvent> {
    let memory: unknown = null
    let isAny = false
    try {
      for await (const event of afterPause(this.#mind.respond(asked, signal), this.#options.clock)) {
        if (signal.aborted) return
        if (event === null) yield* reply.settled()
        else if (event.type === 'memory') memory = event.memory
        else yield* reply.take(event)
        isAny ||= event !== null
        if (signal.aborted) return
      }
    } catch (error) {
      yield* reply.settled()
      throw error
    }
    if (isAny && !signal.aborted) yield* [...reply.end(), memoryOf(kept, memory)]
  }

  async *observe(given: Asked, signal: AbortSignal): AsyncGenerator<Observation> {
    if (signal.aborted) return
    const { asked, kept, vault } = this.#unpacked(given)
    const last = asked.turns.findLast(({ speaker }) => speaker === 'user')
    const isOut = last !== undefined && isOptOut(last.text)
    if (isOut) yield { type: 'opted_out', quote: last.text.trim() }
    const scene = sceneOf(asked, this.#readings.of(asked, kept.steering), false)
    for await (const event of this.#mind.observe?.(shown(asked, kept, vault), signal) ?? []) {
      if (signal.aborted) return
      const judged = observed(event, scene, asked, isOut)
      if (judged) yield judged
    }
  }

  async conclude(ended: EndedCall, signal: AbortSignal): Promise<Conclusion> {
    const { asked, kept, vault } = this.#unpacked(ended)
    const claimed = await this.#mind.conclude(shown(asked, kept, vault), signal)
    const { objectives } = ended.order
    const scene = sceneOf(ended, this.#readings.of(ended, kept.steering), true)
    const outcomes = objectives.map((objective, index) =>
      evidenced(claimed.outcomes[index] ?? { objective, status: 'open', quote: null, turn: null }, index, scene),
    )
    const isGranted = objectives.length === 0 && purposeIsGot(scene)
    const { plainSummary } = this.#options
    const told = truthful(claimed, outcomes, isGranted, { ...ended, plainSummary })
    return claimed.usage ? { ...told, usage: claimed.usage } : told
  }

  /** With the memory of the guard and of the mind apart, and what the user says to the agent now. */
  #unpacked<T extends Pick<Asked, 'order' | 'memory'> & { readonly cue?: Asked['cue'] }>(asked: T) {
    const { steering, mind } = keptIn(asked.memory)
    const said = asked.cue?.type === 'instruction' ? [asked.cue.text] : []
    const kept: Kept = { steering: [...steering, ...said].slice(-STEERING_MAX), mind }
    return { asked, kept, vault: new VaultKeeper(asked.order.vault ?? []) }
  }
}

function memoryOf({ steering }: Kept, mind: unknown): MindEvent {
  return { type: 'memory', memory: { steering, mind: mind ?? null } satisfies Kept }
}

function optOutIn({ cue, turns }: Asked): string | undefined {
  if (!OF_PEOPLE.includes(cue.type)) return undefined
  return unanswered(turns, cue.type === 'opening').find(({ text }) => isOptOut(text))?.text
}

/** What an observer found, as far as the callee's words show it. */
function observed(event: Observation, scene: Scene, { turns, outcomes }: Asked, isOut: boolean): Observation | null {
  switch (event.type) {
    case 'outcome': {
      const outcome = told(event.outcome, event.index, scene, outcomes)
      return outcome && { ...event, outcome }
    }
    case 'opted_out': {
      const { quote } = event
      const isSaid = turns.some(({ speaker, text }) => speaker === 'user' && quote !== '' && text.includes(quote))
      return isSaid && !isOut ? event : null
    }
    case 'language':
    case 'usage':
      return event
  }
}

function purposeIsGot({ reading, turns }: Scene): boolean {
  return turns.some(({ speaker, text }) => {
    if (speaker !== 'user') return false
    const { type, permission } = reading.answer(0, text)
    return permission !== 'no' && (type === 'grants' || type === 'offers' || type === 'tells')
  })
}

/** What is asked, without the values of the vault and with the mind's own memory. */
function shown<T extends Pick<Asked, 'order' | 'memory' | 'turns'> & { readonly cue?: Asked['cue'] }>(
  asked: T,
  { mind }: Kept,
  vault: VaultKeeper,
): T {
  const cue =
    asked.cue && 'text' in asked.cue && asked.cue.type !== 'instruction'
      ? { ...asked.cue, text: vault.masked(asked.cue.text) }
      : asked.cue
  return {
    ...asked,
    order: vault.hidden(asked.order),
    memory: mind ?? undefined,
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
function withCue({ cue, turns, order }: Asked): readonly HeardTurn[] {
  if (cue.type !== 'heard' || cue.text.trim() === '') return turns
  const last = turns.findLast(({ speaker }) => speaker === 'user')
  // A turn that tells a private value is masked.
  const isTurn = last?.text === cue.text || last?.text === new VaultKeeper(order.vault ?? []).masked(cue.text)
  if (isTurn) return turns
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
