import type { Outcome } from '@parley/contract'
import type { Asked, Conclusion } from '../port.ts'
import type { EndReason } from '@parley/contract'
import { hear } from './heard.ts'
import { outcomeOf } from './progress.ts'
import { summarize } from './summary.ts'
import { beginTalk, type Talk } from './talk.ts'

/** After the call: what became of each objective, and what the person who ordered it should know. */
export function conclude(asked: Omit<Asked, 'cue'> & { readonly endReason: EndReason }): Conclusion {
  const talk = beginTalk(asked)
  weighLastWords(talk)
  leaveOffersOpen(talk)
  const outcomes: Outcome[] = talk.order.objectives.map((_, index) => outcomeOf(talk, index))
  return { outcomes, summary: summarize(talk, asked.endReason) }
}

/** "Yes, fine, bye", and the line is dead: no reply was used, but the answer counts. */
function weighLastWords(talk: Talk): void {
  const unweighed = talk.turns.filter(({ speaker, index }) => speaker === 'user' && index > talk.memory.weighedTurn)
  if (unweighed.length === 0 || !talk.memory.opened || talk.memory.closed) return
  hear(talk, unweighed.map(({ text }) => text).join(' '))
}

/** An offer nobody confirmed is not agreed, and worth knowing. */
function leaveOffersOpen(talk: Talk): void {
  const { offer, current, topics } = talk.memory
  const state = topics[current]
  if (offer === null || state === undefined || state.status !== 'waiting') return
  Object.assign(state, { quote: offer.quote, turn: offer.turn, counterOffer: offer.result })
}
