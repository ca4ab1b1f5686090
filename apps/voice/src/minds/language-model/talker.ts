import { objectivePhase, PHASES } from '@parley/contract'
import { isOptOut } from '@parley/offline-mind'
import type { Asked, Clock, MindEndReason, MindEvent, Usage } from '@parley/voice-ports'
import { Composer } from './composer.ts'
import { Exchange, type Limits, type Question } from './exchange.ts'
import { ModelFailure } from './failure.ts'
import { type Memory, recall } from './memory.ts'
import type { TalkingModel } from './models.ts'
import { promptFor, SILENCES_MAX } from './prompt.ts'
import { TOOLS } from './tools.ts'

export interface Talking {
  readonly talking: TalkingModel
  readonly clock: Clock
  readonly limits: Limits
}

/**
 * One reply: streamed, in one step. Where the model only noted something, it is asked once more for words, so that the
 * callee does not wait in silence. Throws a ModelFailure where no usable answer came.
 */
export async function* talk(
  asked: Asked,
  { talking, clock, limits }: Talking,
  signal: AbortSignal,
): AsyncGenerator<MindEvent> {
  const memory = recall(asked)
  const prompt = promptFor(asked, memory.instructions)
  const optOut = optOutOf(asked)
  const spent: Usage[] = []
  let spoken: Composer | null = null
  let [hasBegun, hasSpoken] = [false, false]
  for (const question of [{ ...prompt, tools: TOOLS }, insisting(prompt)]) {
    const composer = new Composer(asked)
    const exchange = new Exchange(talking, limits, clock)
    for await (const event of heard(composer, exchange, question, spent, signal)) {
      if (optOut !== null && event.type === 'opted_out') continue
      if (!hasBegun) yield* optOutEvents(optOut)
      hasBegun = true
      yield event
      if (!hasSpoken && event.type === 'say') yield* phaseEvents(phaseOf(asked, null), memory)
      hasSpoken ||= event.type === 'say'
    }
    if (signal.aborted) return
    spoken = composer
    if (composer.speaks || (composer.acts && !needsWords(asked))) break
  }
  if (!spoken?.speaks && !spoken?.acts) throw new ModelFailure('unusable', 'The reply was empty.')
  const reason = endingOf(asked, spoken.ending, optOut !== null)
  if (!hasBegun) yield* optOutEvents(optOut)
  if (reason !== null) {
    yield* phaseEvents(phaseOf(asked, reason), memory)
    yield { type: 'hang_up', reason }
  }
  yield* spent
  yield { type: 'memory', memory: { ...memory, phase: phaseOf(asked, reason) } satisfies Memory }
}

async function* heard(
  composer: Composer,
  exchange: Exchange,
  question: Question,
  spent: Usage[],
  signal: AbortSignal,
): AsyncGenerator<MindEvent> {
  for await (const part of exchange.parts(question, signal)) {
    if (part.type === 'end') {
      spent.push(part.usage)
      yield* composer.end()
      // Half a sentence is not spoken: the session leaves it out where a reply breaks off.
      if (part.wasCut && !(composer.speaks && composer.isComplete))
        throw new ModelFailure('unusable', 'The reply was cut at its longest.')
      return
    }
    const events = composer.take(part)
    if (composer.speaks || composer.acts) exchange.counts()
    for (const event of events) {
      if (signal.aborted) return
      yield event
    }
  }
}

/** Without tools: what was to be noted is noted. */
function insisting({ instructions, messages }: Question): Question {
  const more = 'What you noted is kept. Now say your next words to the callee, in one or two short sentences.'
  return {
    instructions,
    messages: [...messages.slice(0, -1), ...messages.slice(-1).map((last) => withMore(last, more))],
  }
}

function withMore(message: Question['messages'][number], more: string): Question['messages'][number] {
  return message.role === 'user' && typeof message.content === 'string'
    ? { role: 'user', content: `${message.content}\n${more}` }
    : message
}

/** A message is spoken, a goodbye is said: there an end without words is a fault. */
function needsWords({ cue }: Asked): boolean {
  return cue.type === 'voicemail' || cue.type === 'time_nearly_up' || cue.type === 'opening' || cue.type === 'screening'
}

/** The opt-out counts whatever the model makes of it. */
function optOutEvents(quote: string | null): MindEvent[] {
  return quote === null ? [] : [{ type: 'opted_out', quote }]
}

function optOutOf({ cue }: Asked): string | null {
  return cue.type === 'heard' && isOptOut(cue.text) ? cue.text.trim() : null
}

/** Ends that do not hang on the model. */
function endingOf({ cue }: Asked, told: MindEndReason | null, isOptedOut: boolean): MindEndReason | null {
  if (isOptedOut) return 'opted_out'
  if (cue.type === 'voicemail') return 'voicemail'
  if (cue.type === 'time_nearly_up') return 'time_limit'
  if (cue.type === 'silence' && cue.count >= SILENCES_MAX) return 'silence'
  return told
}

/** What the user who watches is shown: the first objective that is open. */
function phaseOf({ order, outcomes }: Asked, ending: MindEndReason | null): string | null {
  if (ending !== null) return ending === 'voicemail' ? PHASES.voicemail : PHASES.wrappingUp
  const open = order.objectives.findIndex((_, index) => (outcomes[index]?.status ?? 'open') === 'open')
  if (order.objectives.length === 0) return null
  return open < 0 ? PHASES.wrappingUp : objectivePhase(open, order.objectives.length)
}

function phaseEvents(phase: string | null, { phase: before }: Memory): MindEvent[] {
  return phase === null || phase === before ? [] : [{ type: 'phase', phase }]
}
