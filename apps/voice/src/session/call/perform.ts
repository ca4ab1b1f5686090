import { type EndReason, PHASES } from '@parley/contract'
import type { Hearing } from '../hearing/hearing.ts'
import type { CallFacts } from '../reporting/facts.ts'
import type { Agent } from '../speaking/agent.ts'
import type { Playback } from '../speaking/playback.ts'
import type { TurnEffect, TurnState } from '../turns/state.ts'
import type { Owner } from './owner.ts'

interface Performers {
  readonly agent: Agent
  readonly playback: Playback
  readonly hearing: Hearing
  readonly facts: CallFacts
  readonly owner: Owner
  readonly state: TurnState
  readonly hangUp: (reason: EndReason) => void
}

/** Does what the turns have decided. */
export function perform(
  { agent, playback, hearing, facts, owner, state, hangUp }: Performers,
  effect: TurnEffect,
): void {
  switch (effect.type) {
    case 'ask':
      return agent.ask(effect.id, effect.cue, effect.ahead)
    case 'discard':
      return agent.discard(effect.id)
    case 'play':
      if (state.output?.cue?.type === 'heard') {
        hearing.conversing()
        facts.figures.answers(state.callee.untilMs)
      }
      return agent.play(effect.id)
    case 'speak':
      if (effect.phrase.startsWith('ask_record')) facts.tellPhase(PHASES.askingToRecord)
      return agent.speak(effect.id, effect.phrase)
    case 'pause':
      return playback.pause()
    case 'resume':
      return playback.resume()
    case 'drop':
      return agent.drop()
    case 'finalize':
      return hearing.finalize()
    case 'predict_turn_end':
      return hearing.predict(effect.pause, effect.text)
    case 'callee_words':
      return facts.calleeSays(effect.text, effect.sinceMs)
    case 'callee_turn_over':
      facts.calleeDone(effect.untilMs)
      return state.machine ? undefined : agent.observe()
    case 'callee_turn_revised':
      return facts.reviseCallee(effect.text)
    case 'opted_out':
      return facts.optedOut(effect.quote)
    case 'person':
      if (effect.heard) owner.letThrough()
      return facts.takenOver(effect.heard)
    case 'ring_owner':
      facts.ringsOwner()
      return owner.dial()
    case 'release_owner':
      facts.ownerLeft()
      return owner.release()
    case 'consent':
      return facts.consent(effect.given)
    case 'hang_up':
      return hangUp(effect.reason)
  }
}
